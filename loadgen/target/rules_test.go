package target

import (
	"slices"
	"testing"
	"time"
)

// line is an answer as the walk-throughs below expect it.
type line struct {
	id   uint64
	at   time.Duration
	kind Kind
}

const ms = time.Millisecond

// walk sends requests 0, 1, 2 ... at the given instants and returns the answers.
func walk(sim *Sim, at ...time.Duration) []line {
	for i, t := range at {
		sim.Arrive(t, uint64(i))
	}
	var got []line
	sim.Advance(time.Hour, func(id uint64, at time.Duration, a Answer) {
		got = append(got, line{id, at, a.Kind})
	})
	return got
}

// TestRules walks through one worker with a fixed service of 10 ms under one
// setting at a time.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		settings string
		arrivals []time.Duration
		want     []line
	}{
		{"discipline=fifo", []time.Duration{0, 1 * ms, 2 * ms, 3 * ms},
			[]line{{0, 10 * ms, Full}, {1, 20 * ms, Full}, {2, 30 * ms, Full}, {3, 40 * ms, Full}}},
		{"discipline=lifo", []time.Duration{0, 1 * ms, 2 * ms, 3 * ms},
			[]line{{0, 10 * ms, Full}, {3, 20 * ms, Full}, {2, 30 * ms, Full}, {1, 40 * ms, Full}}},
		{"queue=1", []time.Duration{0, 1 * ms, 2 * ms},
			[]line{{2, 2 * ms, Shed}, {0, 10 * ms, Full}, {1, 20 * ms, Full}}},
		{"queue=0", []time.Duration{0, 1 * ms, 10 * ms}, // a completion goes before an arrival
			[]line{{1, 1 * ms, Shed}, {0, 10 * ms, Full}, {2, 20 * ms, Full}}},
		{"drop-expired=15ms", []time.Duration{0, 1 * ms, 2 * ms, 15 * ms}, // ages 9, 18 and 5 ms at their turn
			[]line{{0, 10 * ms, Full}, {1, 20 * ms, Full}, {2, 20 * ms, Dropped}, {3, 30 * ms, Full}}},
		{"rate-limit=100/s:2", []time.Duration{0, 0, 9 * ms, 10 * ms, 19 * ms},
			[]line{{2, 9 * ms, Shed}, {0, 10 * ms, Full}, {4, 19 * ms, Shed}, {1, 20 * ms, Full}, {3, 30 * ms, Full}}},
		{"degraded=100%", []time.Duration{0}, []line{{0, 10 * ms, Degraded}}},
		{"stall=5ms/12ms", []time.Duration{9 * ms}, // 3 ms of work, 5 of stall, 7 of work
			[]line{{0, 24*ms + 5*ms, Full}}},
	} {
		cfg := demo(t, "workers=1,service=fixed:10ms,"+c.settings)
		if got := walk(NewSim(cfg, 1), c.arrivals...); !slices.Equal(got, c.want) {
			t.Errorf("%s: answers %v, want %v", c.settings, got, c.want)
		}
	}
}

// TestLeave checks that a client that leaves changes nothing by default, and
// has its request dropped at its turn, not before, with serve-dead=false.
func TestLeave(t *testing.T) {
	for settings, want := range map[string][]line{
		"serve-dead=true":  {{0, 10 * ms, Full}, {1, 20 * ms, Full}, {2, 30 * ms, Full}},
		"serve-dead=false": {{0, 10 * ms, Full}, {1, 10 * ms, Dropped}, {2, 20 * ms, Full}},
	} {
		sim := NewSim(demo(t, "workers=1,service=fixed:10ms,"+settings), 1)
		for id := range uint64(3) {
			sim.Arrive(0, id)
		}
		sim.Leave(0) // in service: the worker goes on
		sim.Leave(1)
		sim.Leave(99) // unknown
		var got []line
		sim.Advance(time.Second, func(id uint64, at time.Duration, a Answer) {
			got = append(got, line{id, at, a.Kind})
		})
		if !slices.Equal(got, want) {
			t.Errorf("%s: answers %v, want %v", settings, got, want)
		}
		if len(sim.open) != 0 {
			t.Errorf("%s: %d requests remembered after their answers", settings, len(sim.open))
		}
	}
}

// TestArriveWithinDone has each answer send the next request, as a closed loop
// does: it must find the service as it is at that instant.
func TestArriveWithinDone(t *testing.T) {
	sim := NewSim(demo(t, "workers=1,queue=0,service=fixed:10ms"), 1)
	sim.Arrive(0, 0)
	n := 0
	sim.Advance(time.Second, func(id uint64, at time.Duration, a Answer) {
		if n++; a.Kind != Full {
			t.Fatalf("answer %d at %s is %s", id, at, a.Kind)
		}
		sim.Arrive(at, id+1)
	})
	if n != 100 {
		t.Errorf("%d answers in a second of 10 ms each, want 100", n)
	}
}

// TestRefusals checks what refusals say.
func TestRefusals(t *testing.T) {
	sim := NewSim(demo(t, "workers=1,queue=0,shed=429,retry-after=3s,service=fixed:10ms"), 1)
	sim.Arrive(0, 0)
	sim.Arrive(0, 1)
	limited := NewSim(demo(t, "rate-limit=10/s:1"), 1)
	limited.Arrive(0, 0)
	limited.Arrive(40*ms, 1)
	for name, c := range map[string]struct {
		sim  *Sim
		want Answer
	}{
		"queue full": {sim, Answer{Kind: Shed, Status: 429, RetryAfter: 3 * time.Second}},
		"rate limit": {limited, Answer{Kind: Shed, Status: 429, RetryAfter: 60 * ms, limited: true}},
	} {
		seen := false
		c.sim.Advance(time.Second, func(id uint64, _ time.Duration, a Answer) {
			if id != 1 {
				return
			}
			if seen = true; a.RetryAfter.Round(time.Microsecond) != c.want.RetryAfter || a.Status != c.want.Status || a.Kind != c.want.Kind || a.limited != c.want.limited {
				t.Errorf("%s: %+v, want %+v", name, a, c.want)
			}
		})
		if !seen {
			t.Errorf("%s: no answer", name)
		}
	}
}

// TestShares checks a long run's degraded share, and that the rate limit lets
// through its rate and its burst.
func TestShares(t *testing.T) {
	cfg := plain(12, "exp:10ms")
	cfg.Degraded = 0.05
	a := simulate(cfg, 600, 100_000, 1)
	if got := float64(a.degraded) / float64(a.arrived); got < 0.047 || got > 0.053 {
		t.Errorf("degraded share %.4f, want 0.05 ± 0.003", got)
	}
	cfg = plain(12, "fixed:1ms")
	cfg.RateLimit = RateLimit{PerSecond: 300, Burst: 50}
	sim := NewSim(cfg, 1)
	full := 0
	for i := range 10_000 { // 1,000/s for 10 s
		sim.Arrive(time.Duration(i)*ms, uint64(i))
	}
	sim.Advance(time.Minute, func(_ uint64, _ time.Duration, a Answer) {
		if a.Kind == Full {
			full++
		}
	})
	if full < 3049 || full > 3051 {
		t.Errorf("%d let through in 10 s, want 300/s and 50", full)
	}
}
