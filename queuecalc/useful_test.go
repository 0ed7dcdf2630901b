package queuecalc

import (
	"errors"
	"math"
	"testing"
	"time"
)

// followFeed is the storage host of the founding example.
func followFeed() UsefulInput {
	return UsefulInput{Capacity: Interval{Estimate: 1200}, ClientTimeout: 400 * time.Millisecond}
}

func mustUseful(t *testing.T, in UsefulInput) UsefulQueue {
	t.Helper()
	u, err := Useful(in)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestUsefulFollowFeed(t *testing.T) {
	in := followFeed()
	u := mustUseful(t, in)
	if want := (Sizes{480, 414, 414, false}); u.Sizes != want || u.Low != want || u.High != want {
		t.Errorf("workers unknown: got %+v", u)
	}
	in.Workers = 12
	in.HedgeDelay = 150 * time.Millisecond
	u = mustUseful(t, in)
	if want := (Sizes{480, 414, 402, false}); u.Sizes != want {
		t.Errorf("12 workers: got %+v, want %+v", u.Sizes, want)
	}
	if want := (Sizes{180, 139, 127, false}); u.Hedge == nil || *u.Hedge != want {
		t.Errorf("hedge: got %+v, want %+v", u.Hedge, want)
	}
	// The 99th percentile of exponential service of 10 ms is 46 ms, 55 requests.
	in.ServiceP99 = 46 * time.Millisecond
	if u = mustUseful(t, in); u.Positions != 359 {
		t.Errorf("p99 of the service time known: got %d positions, want 414 − 55", u.Positions)
	}
}

func TestUsefulInterval(t *testing.T) {
	in := followFeed()
	in.Workers = 12
	in.Capacity = Interval{1200, 1100, 1250}
	u := mustUseful(t, in)
	if want := (Sizes{440, 377, 365, false}); u.Low != want {
		t.Errorf("low: got %+v, want %+v", u.Low, want)
	}
	if want := (Sizes{500, 432, 420, false}); u.High != want {
		t.Errorf("high: got %+v, want %+v", u.High, want)
	}
}

func TestUsefulTooShortTimeout(t *testing.T) {
	u := mustUseful(t, UsefulInput{Capacity: Interval{Estimate: 10},
		ClientTimeout: 400 * time.Millisecond, Workers: 12})
	if want := (Sizes{4, 0, 0, false}); u.Sizes != want {
		t.Errorf("got %+v, want %+v", u.Sizes, want)
	}
}

func TestUsefulGoodput(t *testing.T) {
	one := mustUseful(t, followFeed())
	for k, want := range map[InSystem]float64{500: 0.34, 480: 0.66, 440: 0.985, 400: 1, 5000: 0} {
		if got, err := one.GoodputInSystem(k, 1.1); err != nil || math.Abs(got-want) > 0.005 {
			t.Errorf("M/M/1/%d: got %v, %v, want %v", k, got, err, want)
		}
	}
	in := followFeed()
	in.Workers = 12
	u := mustUseful(t, in)
	for p, want := range map[Positions]float64{480: 0.48, 440: 0.93, 414: 0.992, 400: 0.998} {
		if got, err := u.GoodputAt(p, 1.1); err != nil || math.Abs(got-want) > 0.005 {
			t.Errorf("M/M/12, %d positions: got %v, %v, want %v", p, got, err, want)
		}
	}
	rows, err := u.Table(u.Positions, 5000)
	if err != nil || len(rows) != 2 || len(rows[0].Goodput) != len(Loads()) {
		t.Fatalf("table: %+v, %v", rows, err)
	}
	for i, load := range Loads() {
		if rows[0].Goodput[i] < 0.99 {
			t.Errorf("advised value at %v: goodput %v, want at least 0.99", load, rows[0].Goodput[i])
		}
		if load > 1 && rows[1].Goodput[i] > 1e-9 {
			t.Errorf("5000 positions at %v: goodput %v, want 0", load, rows[1].Goodput[i])
		}
	}
}

func TestUsefulRefuses(t *testing.T) {
	nan := math.NaN()
	for arg, mutate := range map[string]func(*UsefulInput){
		"capacity":                            func(in *UsefulInput) { in.Capacity.Estimate = nan },
		"client timeout":                      func(in *UsefulInput) { in.ClientTimeout = -1 },
		"workers":                             func(in *UsefulInput) { in.Workers = -1 },
		"99th percentile of the service time": func(in *UsefulInput) { in.ServiceP99 = -1 },
		"hedge delay":                         func(in *UsefulInput) { in.HedgeDelay = -1 },
		"standard deviations of margin":       func(in *UsefulInput) { in.Z = -1 },
		"low end of the capacity":             func(in *UsefulInput) { in.Capacity.Low, in.Capacity.High = 1300, 1400 },
		"high end of the capacity":            func(in *UsefulInput) { in.Capacity.Low, in.Capacity.High = 1100, 1150 },
		"capacity × client timeout":           func(in *UsefulInput) { in.Capacity.Estimate = 1e15 },
	} {
		in := followFeed()
		mutate(&in)
		_, err := Useful(in)
		var e *ArgError
		if !errors.As(err, &e) || e.Arg != arg {
			t.Errorf("%s: got error %v", arg, err)
		}
	}
	u := mustUseful(t, followFeed())
	if _, err := u.GoodputAt(-1, 1); err == nil {
		t.Error("negative positions: want an error")
	}
	if _, err := u.GoodputAt(1, nan); err == nil {
		t.Error("load NaN: want an error")
	}
	if _, err := u.Table(-1); err == nil {
		t.Error("table of negative positions: want an error")
	}
}
