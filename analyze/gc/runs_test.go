package gc

import (
	"math"
	"testing"
	"time"

	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/gcparse"
)

// A nested pause is part of the outer one, and counts as a pause all the same.
func TestNestedPauses(t *testing.T) {
	p := newTape(t, gcparse.Serial)
	p.calm(0, 60)
	p.full(60.2, 0.5, flags(gcparse.Nested))
	p.young(60, 1)
	p.calm(61, 120)
	l := p.judge()
	if l.Pauses.Stops != 120 || l.Pauses.Count != 121 {
		t.Errorf("%d stops of %d pauses", l.Pauses.Stops, l.Pauses.Count)
	}
	if want := 119*0.01 + 1; math.Abs(l.Pauses.Total-want) > 1e-9 || math.Abs(series(t, l, Pauses).Busy-want) > 1e-9 {
		t.Errorf("total %v, want %v", l.Pauses.Total, want)
	}
}

// A restart ends what was: the busy end of one run and the busy start of the next
// make no violation together, and the other run's uptime begins at 0.
func TestRestartsAreNotBridged(t *testing.T) {
	p := newTape(t, gcparse.G1)
	p.calm(0, 100)
	p.busy(100, 125, 0.3) // 25 s at 25%, in the tier of 25% for 4 s
	p.ends(125)
	p.restart(gcparse.ClockFell)
	p.busy(0, 15, 0.3)
	p.calm(15, 200)
	l := p.judge()
	for _, v := range l.Violations {
		if v.Tier >= 2 {
			t.Errorf("violation %+v", v)
		}
	}
	if l.RunCount != 2 || math.Abs(l.Observed-(125+199.01)) > 0.02 {
		t.Errorf("%d runs, %v s", l.RunCount, l.Observed)
	}
	if l.Runs[1].Begin == nil || *l.Runs[1].Begin.Uptime != 0 || math.Abs(l.Runs[1].Begin.Log-125) > 0.2 {
		t.Errorf("second run %+v", l.Runs[1].Begin)
	}
}

func TestHolesAreNotBridged(t *testing.T) {
	for _, hole := range []bool{false, true} {
		p := newTape(t, gcparse.G1)
		p.calm(0, 100)
		p.busy(100, 120, 0.3)
		if hole {
			p.event(gcparse.Hole, 120, 0, func(e *gcparse.Event) { e.HasDuration, e.Count = false, 33 })
		}
		p.busy(120, 127, 0.3)
		p.calm(127, 200)
		l := p.judge()
		violated := false
		for _, v := range l.Violations {
			violated = violated || v.Tier == 1
		}
		// 10% are entered at about 109.4 s and left at about 151 s, 41 s later: no
		// violation either way with 60 s; the tier of 20 s tells them apart.
		p.cfg.Tiers = tier.List{{Threshold: 100_000, Period: 30 * time.Second}}
		l = p.judge()
		if got := len(l.Violations) > 0; got == hole || violated {
			t.Errorf("hole %v: %d violations", hole, len(l.Violations))
		}
		if hole && len(l.Warnings) == 0 {
			t.Error("no word of the hole")
		}
	}
}

// Two processes that write to one log take turns, and neither sees the other.
func TestInterleavedRuns(t *testing.T) {
	p := newTape(t, gcparse.G1)
	p.restart(gcparse.OtherProcess)
	for at := 0.0; at < 300; at++ {
		p.run = 0
		p.young(at, 0.08)
		p.run = 1
		p.young(at+1000, 0.08)
	}
	l := p.judge()
	s := series(t, l, Pauses)
	if math.Abs(*s.Peak-0.08) > 0.01 || len(l.Violations) != 0 {
		t.Errorf("peak %v, %d violations", *s.Peak, len(l.Violations))
	}
	if math.Abs(l.Observed-2*299.08) > 0.01 {
		t.Errorf("observed %v", l.Observed)
	}
}
