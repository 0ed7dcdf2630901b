package queuecalc

import (
	"math"
	"testing"
)

func TestLittle(t *testing.T) {
	l, err := LittleInSystem(1200, 0.4)
	near(t, "in the system", must(t, l, err), 480, 1e-12)
	w, err := LittleTime(480, 1200)
	near(t, "time", must(t, w, err), 0.4, 1e-12)
	x, err := LittleRate(480, 0.4)
	near(t, "rate", must(t, x, err), 1200, 1e-12)
	n, err := WorkersFor(1200, 0.01, 0.8)
	if must(t, n, err) != 15 {
		t.Errorf("1200/s of 10 ms at 80 %%: got %d workers, want 15", n)
	}
	if n, _ = WorkersFor(1000, 0.01, 0.1); n != 100 {
		t.Errorf("a whole number of workers: got %d, want 100", n)
	}
	if n, _ = WorkersFor(0, 0.01, 0.8); n != 1 {
		t.Errorf("no load: got %d workers, want 1", n)
	}

	_, err = LittleInSystem(-1, 1)
	refused(t, "rate", err)
	_, err = LittleTime(1, 0)
	refused(t, "rate", err)
	_, err = LittleRate(math.NaN(), 1)
	refused(t, "requests in the system", err)
	_, err = WorkersFor(1, 1, 1)
	refused(t, "utilisation", err)
	_, err = WorkersFor(1e12, 1, 0.5)
	refused(t, "rate × service time / utilisation", err)
}

func TestCountsConvert(t *testing.T) {
	if p := InSystem(500).Positions(12); p != 488 {
		t.Errorf("500 in the system with 12 workers: got %d positions, want 488", p)
	}
	if p := InSystem(5).Positions(12); p != 0 {
		t.Errorf("fewer than the workers: got %d positions, want 0", p)
	}
	if k := Positions(488).InSystem(12); k != 500 {
		t.Errorf("488 positions with 12 workers: got %d in the system, want 500", k)
	}
	if k := Positions(math.MaxInt64).InSystem(12); k != Unbounded {
		t.Errorf("an endless queue: got %d in the system, want Unbounded", k)
	}
}

func TestArgErrorSaysAll(t *testing.T) {
	_, err := MM1(math.Inf(1), 1)
	if want := "arrival rate is +Inf: want a finite number above 0"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}
