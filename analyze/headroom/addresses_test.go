package headroom

import (
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
)

// replicaRun makes the account of k addresses over some seconds. bad and slow say
// how each differs: the chance of a bad answer and the factor of its latency.
func replicaRun(rng *rand.Rand, k, seconds, perSecond int, bad, slow func(address, second int) float64) []*loadgen.AddressAccount {
	var all []*loadgen.AddressAccount
	for i := range k {
		a := &loadgen.AddressAccount{Address: string(rune('a' + i))}
		for s := range seconds {
			sec := loadgen.AddressSecond{Planned: uint32(perSecond)}
			for range perSecond {
				if rng.Float64() < bad(i, s) {
					sec.Bad++
					continue
				}
				sec.LatencySum += 0.01 * slow(i, s) * rng.ExpFloat64()
			}
			a.Seconds = append(a.Seconds, sec)
			a.Counts.Planned += uint64(sec.Planned)
			a.Counts.By[outcome.Failed] += uint64(sec.Bad)
			a.Counts.By[outcome.Full] += uint64(sec.Planned - sec.Bad)
		}
		all = append(all, a)
	}
	return all
}

func same(v float64) func(int, int) float64 { return func(int, int) float64 { return v } }

// TestOutlier guards that a sick host is named, by what is wrong with it.
func TestOutlier(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	sick := func(v, other float64) func(int, int) float64 {
		return func(i, _ int) float64 {
			if i == 2 {
				return v
			}
			return other
		}
	}
	for _, c := range []struct {
		name      string
		bad, slow func(int, int) float64
		by        string
	}{
		{"fails", sick(0.1, 0.002), same(1), "bad share"},
		{"slow", sick(0.001, 0.001), sick(2, 1), "latency"},
		{"refuses", sick(1, 0), same(1), "bad share"},
	} {
		used := replicaRun(rng, 3, 40, 200, c.bad, c.slow)
		for i := range used {
			o := findOutlier(used, i)
			switch {
			case i != 2 && o != nil:
				t.Errorf("%s: address %d is called an outlier: %+v", c.name, i, o)
			case i == 2 && (o == nil || o.By != c.by || o.Value <= o.Others || o.Worst > o.Seconds || o.Chance >= outlierChance):
				t.Errorf("%s: %+v", c.name, o)
			}
		}
	}
}

// A host that answers nothing ends the load by a gross breach before there are
// seconds to compare, and is named all the same; where the others answer hardly
// more it is not, nor after a few requests.
func TestOutlierDead(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		perSecond int
		others    float64
		found     bool
	}{{20, 0, true}, {8, 0, false}, {20, 0.9, false}} {
		used := replicaRun(rng, 2, 1, c.perSecond, func(i, _ int) float64 { return []float64{1, c.others}[i] }, same(1))
		o := findOutlier(used, 0)
		if (o != nil) != c.found || o != nil && (o.By != byBadShare || o.Value != 1) {
			t.Errorf("%+v: %+v", c, o)
		}
		if findOutlier(used, 1) != nil {
			t.Errorf("%+v: the other one is named", c)
		}
	}
}

// TestOutlierFalseAlarm holds hosts that are alike, and yet uneven in time, against
// the bound on false alarms: pauses strike one host at a time.
func TestOutlierFalseAlarm(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	alarms := 0
	const runs = 300
	for range runs {
		paused := map[[2]int]bool{}
		for range 20 {
			paused[[2]int{rng.IntN(3), rng.IntN(40)}] = true
		}
		bad := func(i, s int) float64 {
			if paused[[2]int{i, s}] {
				return 0.5
			}
			return 0.002
		}
		slow := func(i, s int) float64 { return 1 + bad(i, s) }
		used := replicaRun(rng, 3, 40, 50, bad, slow)
		for i := range used {
			if findOutlier(used, i) != nil {
				alarms++
			}
		}
	}
	// 300 runs at 0.1 %: one is likely to be seen in a quarter of such tests, three
	// in one of 270.
	if alarms > 2 {
		t.Errorf("%d false alarms in %d runs", alarms, runs)
	}
}

// TestRoutes guards what several runs leave together: seconds follow each other,
// the busiest second is in the load's time, an address without requests is none.
func TestRoutes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var g routes
	for i := range 2 {
		r := &loadgen.Result{ConnsPerSecond: []uint64{5, uint64(10 * (i + 1))}, Session: loadgen.Session{Protocol: "HTTP/2", TLS: "TLS 1.3", Handshakes: 4, Resumed: 1}}
		for _, a := range replicaRun(rng, 2, 10, 100, func(i, _ int) float64 { return float64(i) }, same(1)) {
			a.Conns = 3
			a.Latency.Record(1e6)
			r.Addresses = append(r.Addresses, *a)
		}
		r.Addresses = append(r.Addresses, loadgen.AddressAccount{Address: "unused"})
		g.add(r, 20e9*1)
	}
	got := g.addresses()
	if len(got) != 2 || got[0].Account.Planned != 2000 || got[0].Conns != 6 || len(g.all[0].Seconds) != 20 || got[0].Outlier != nil || got[1].Outlier == nil {
		t.Fatalf("%+v", got)
	}
	h := Generator{LoadSeconds: 40}
	g.tell(&h)
	if b := h.ConnsBusiest; b == nil || b.At != 21 || b.Opened != 20 || b.Mean != 1 || h.Session.Handshakes != 8 || h.Session.Resumed != 2 {
		t.Errorf("%+v, %+v", h.ConnsBusiest, h.Session)
	}
	s := &search{campaign: &campaign{}, res: &Result{Addresses: got}}
	if fs := s.addressFindings(); len(fs) != 1 || fs[0].Rule != RuleOutlier || !strings.Contains(fs[0].Message, "b answered none of its 2,000 requests rightly: 100% bad, the others 0%") {
		t.Errorf("%+v", fs)
	}
}
