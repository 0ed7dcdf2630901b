package pending

import (
	"testing"

	"example.com/kneeline/internal/finding"
)

func TestRules(t *testing.T) {
	if _, err := finding.NewRegistry(Rules()); err != nil {
		t.Fatal(err)
	}
}

// Each rule about a queue's limit with a heap that has the fault, and one that
// nearly has.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		rule           string
		n, cap         int
		core, most     int
		timeout        float64
		found          bool
		count          int // what the queue says of itself, 0 for the truth
		capacityPerSec float64
	}{
		{rule: "HEP-04", n: 500, cap: 500, core: 8, most: 8, found: true},
		{rule: "HEP-04", n: 499, cap: 500, core: 8, most: 8},
		{rule: "HEP-04", n: 900, cap: 900, core: 8, most: 8, timeout: 1, capacityPerSec: 1000},
		{rule: "HEP-05", n: 500, cap: 5_000, core: 8, most: 8, timeout: 1, capacityPerSec: 1000, found: true},
		{rule: "HEP-05", n: 500, cap: 1_500, core: 8, most: 8, timeout: 1, capacityPerSec: 1000},
		{rule: "HEP-06", n: 500, cap: 5_000, core: 8, most: 8, found: true},
		{rule: "HEP-06", n: 500, cap: 501, core: 8, most: 8},
		{rule: "HEP-07", n: 500, cap: 5_000, core: 8, most: 8, count: 900, found: true},
		{rule: "HEP-07", n: 500, cap: 5_000, core: 8, most: 8, count: 501},
		{rule: "HEP-08", n: 500, cap: 1<<31 - 1, core: 2, most: 200, found: true},
		{rule: "HEP-08", n: 500, cap: 5_000, core: 2, most: 200},
		{rule: "HEP-08", n: 500, cap: 1<<31 - 1, core: 8, most: 8},
		{rule: "HEP-02", n: 500, cap: 5_000, core: 8, most: 8, timeout: 5, found: true},
		{rule: "HEP-02", n: 500, cap: 5_000, core: 8, most: 8, timeout: 50},
	} {
		w := newWorld()
		if c.count == 0 {
			c.count = c.n
		}
		// Other things, so that a full queue is not the whole heap in every case.
		w.Array(w.objects, w.some(w.point, 1000)...)
		queue := w.linked(c.cap, c.count, w.orders(c.n, 20, 1))
		w.New(w.tpe, map[string]any{"workQueue": queue, "corePoolSize": c.core, "maximumPoolSize": c.most})
		var o Options
		if c.timeout > 0 {
			o.Timeout = &c.timeout
		}
		if c.capacityPerSec > 0 {
			o.Capacity = &c.capacityPerSec
		}
		r := Analyze(w.Heap(), o)
		if r.Verdict.Answer != PileUp {
			t.Errorf("%+v: %s", c, r.Verdict.Sentence)
		}
		if f, ok := rulesOf(r)[c.rule]; ok != c.found {
			t.Errorf("%+v: found %v: %+v", c, ok, f)
		}
	}
}
