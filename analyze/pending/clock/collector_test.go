package clock

import (
	"math"
	"testing"
	"time"
)

func TestByCollector(t *testing.T) {
	at := poisson(seeded(), 9000, 8*time.Second, 2*time.Second)
	own := mapped(at, func(_ int, v int64) int64 { return v - boot.UnixNano() })
	for _, tt := range []struct {
		name  string
		since time.Duration // from the last collection to the dump
		head  time.Duration
	}{
		{"live dump", 40 * time.Millisecond, 7960 * time.Millisecond},
		{"collected a second ago", time.Second, 7 * time.Second},
		// The tail came after the last collection: it is taken to have come just now.
		{"collected long ago", time.Minute, 6 * time.Second},
	} {
		cal, ok := Config{Now: taken}.ByCollector(taken.Add(-tt.since).Sub(boot).Milliseconds())
		if !ok {
			t.Fatal("no calibration")
		}
		got, refused := Config{Now: taken, Calibration: &cal}.Ages(Queue{Entries: 9000, Columns: []Column{{Source: "Job#queuedNanos", Values: own}}})
		if got == nil {
			t.Fatalf("%s: no ages: %v", tt.name, refused)
		}
		near(t, tt.name+": head", got.Head, tt.head, 100*time.Millisecond)
		if !got.AtLeast {
			t.Errorf("%s: not said to be a bound", tt.name)
		}
	}
}

func TestByCollectorRefuses(t *testing.T) {
	for _, millis := range []int64{0, -1, math.MaxInt64} {
		if cal, ok := (Config{Now: taken}).ByCollector(millis); ok {
			t.Errorf("%d: %+v", millis, cal)
		}
	}
	if _, ok := (Config{}).ByCollector(1000); ok {
		t.Error("calibrated without the time of the dump")
	}
}

func TestBounded(t *testing.T) {
	bound := Calibration{Offset: 100, AtMost: true}
	if got := (Calibration{Offset: 90}).Bounded(bound); got.Offset != 90 || got.AtMost || got.Behind != 10 {
		t.Errorf("%+v", got)
	}
	if got := (Calibration{Offset: 110}).Bounded(bound); got.Offset != 100 || got.Behind != 0 {
		t.Errorf("%+v", got)
	}
}

// TestPacedArrivals come one a millisecond, to the millisecond, until now.
func TestPacedArrivals(t *testing.T) {
	values := make([]int64, 5000)
	for i := range values {
		values[i] = taken.UnixMilli() - 5500 + int64(i)
	}
	got, refused := Config{Now: taken}.Ages(Queue{Entries: 5000, Columns: []Column{{Source: "Order#createdAt", Values: values}}})
	if got == nil {
		t.Fatal(refused)
	}
	near(t, "head", got.Head, 5500*time.Millisecond, time.Millisecond)
}
