package headroom

import (
	"math"
	"testing"
	"time"

	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/loadgen/target"
)

// The gates decide by the low end of the interval, and say by which rule.
func TestGates(t *testing.T) {
	for _, c := range []struct {
		gate Gate
		peak float64
		pass bool
	}{
		{Gate{MinHeadroom: 0.3}, 800, true},
		{Gate{MinHeadroom: 0.6}, 800, false},
		{Gate{SLOAt: 1100}, 0, true},
		{Gate{SLOAt: 1250}, 0, false},
		{Gate{HoldRate: 1000, HoldFor: 20 * time.Second}, 0, true},
		{Gate{HoldRate: 1400, HoldFor: 20 * time.Second}, 0, false},
	} {
		cfg := subject{limit: 400 * ms}.config(1)
		cfg.Budget.Search = 30 * time.Second
		cfg.Gate, cfg.Peak = c.gate, c.peak
		r := measure(t, virtual.New(target.Default(), 14), cfg)
		v := r.Result.Verdict
		if v == nil || v.Pass != c.pass || v.Rule == "" || v.WrongPass == nil {
			t.Errorf("%+v: verdict %+v, want pass %v", c.gate, v, c.pass)
		}
	}
}

// A hold stops within two seconds of a gross breach.
func TestHoldStopsAtABreach(t *testing.T) {
	cfg := subject{limit: 400 * ms}.config(1)
	cfg.Gate = Gate{HoldRate: 5000, HoldFor: 60 * time.Second}
	v := virtual.New(target.Default(), 15)
	r := measure(t, v, cfg)
	if r.Result.Verdict.Pass {
		t.Error("the hold passed")
	}
	if v.Load() > 4*time.Second {
		t.Errorf("%s of load at four times the capacity", v.Load())
	}
}

// Headroom, the loss of a zone and growth follow from the low end of capacity.
func TestUseOfCapacity(t *testing.T) {
	cfg := subject{limit: 400 * ms}.config(1)
	cfg.Budget.Search = 30 * time.Second
	cfg.Peak, cfg.Zones, cfg.Growth = 800, 3, 0.03
	a := measure(t, virtual.New(target.Default(), 16), cfg).Result
	low := a.Capacity.Low
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"headroom", deref(a.Headroom), low/800 - 1},
		{"less one zone", deref(a.HeadroomLessZone), low*2/3/800 - 1},
		{"months", deref(a.GrowthMonths), math.Log(low/800) / math.Log(1.03)},
		{"months less one zone", deref(a.GrowthMonthsLessZone), max(0, math.Log(low*2/3/800)/math.Log(1.03))},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
}
