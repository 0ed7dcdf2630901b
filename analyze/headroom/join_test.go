package headroom

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen"
)

// TestJoinIsOneRun: requests dealt out to parts and joined give the accounts by address
// and by kind that one run would have had, with their quantiles, late answers and
// outliers, whatever the order of addresses and kinds in the parts, and after a way
// through a file.
func TestJoinIsOneRun(t *testing.T) {
	objective, err := slo.Parse("p99<100ms,errors<1%")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"127.0.0.1:80", "127.0.0.2:80", "127.0.0.3:80"}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3).Draw(t, "parts")
		whole, parts := newJoined(names), make([]*joined, n)
		for i := range parts {
			parts[i] = newJoined(rapid.Permutation(names).Draw(t, "order"))
		}
		for _, p := range parts { // a result has no accounts by address where all went to one
			for _, name := range names {
				p.add(name, outcome.Full, 0, 1e6)
				whole.add(name, outcome.Full, 0, 1e6)
			}
		}
		for range rapid.IntRange(1, 100).Draw(t, "requests") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			second := rapid.IntRange(0, 3).Draw(t, "second")
			latency := rapid.Int64Range(1, 3e8).Draw(t, "latency")
			class := rapid.SampledFrom([]outcome.Class{outcome.Full, outcome.Degraded, outcome.Failed}).Draw(t, "class")
			for _, j := range []*joined{whole, parts[rapid.IntRange(0, n-1).Draw(t, "part")]} {
				j.add(name, class, second, latency)
			}
		}
		var addresses [][]Address
		var targets [][]Target
		for _, p := range parts {
			a, k := p.result(t, objective)
			addresses, targets = append(addresses, a), append(targets, k)
		}
		one, kinds := whole.result(t, objective)
		all, sound := JoinAddresses(addresses...)
		for _, want := range one {
			for _, got := range all {
				if got.Address == want.Address && asJSON(t, got) != asJSON(t, want) || !sound {
					t.Fatalf("joined %s\none run %s", asJSON(t, got), asJSON(t, want))
				}
			}
		}
		if len(all) != len(one) {
			t.Fatalf("%d addresses, want %d", len(all), len(one))
		}
		got, sound := JoinTargets(objective, targets...)
		if want, _ := JoinTargets(objective, kinds); !sound || asJSON(t, got) != asJSON(t, want) || asJSON(t, want) != asJSON(t, kinds) {
			t.Fatalf("joined %s\none run %s\nas it was %s", asJSON(t, got), asJSON(t, want), asJSON(t, kinds))
		}
	})
}

// TestJoinWithoutCounts: results that do not keep what is behind their figures have
// their counts added up and no latencies made up.
func TestJoinWithoutCounts(t *testing.T) {
	a := []Address{{Address: "x", Account: Account{Planned: 2, Full: 2}, Conns: 1, Latency: &Quantiles{P50: 1}}}
	if out, sound := JoinAddresses(a, a); sound || len(out) != 1 || out[0].Account.Full != 4 || out[0].Conns != 2 || out[0].Latency != nil || out[0].Kept != nil {
		t.Errorf("%v, %+v", sound, out)
	}
	k := []Target{{Name: "GET /", Account: Account{Planned: 2, Failed: 2, Causes: map[string]uint64{"c": 2}}, Latency: &Quantiles{P50: 1}}}
	out, sound := JoinTargets(slo.Default(1e9), k, k)
	if sound || len(out) != 1 || out[0].Account.Causes["c"] != 4 || out[0].BadShare != 1 || out[0].Latency != nil {
		t.Errorf("%v, %+v", sound, out)
	}
}

// joined is a run of requests, by address and by kind.
type joined struct {
	routes routes
	kinds  []kind
}

func newJoined(names []string) *joined {
	j := &joined{}
	for _, n := range names {
		j.routes.all = append(j.routes.all, loadgen.AddressAccount{Address: n, Causes: map[string]uint64{}})
		j.kinds = append(j.kinds, kind{name: n, kinds: 1})
	}
	return j
}

func (j *joined) add(name string, class outcome.Class, second int, latency int64) {
	for i := range j.kinds {
		if j.kinds[i].name == name {
			j.addCounts(&j.kinds[i].counts, &j.kinds[i].latency, class, latency)
		}
		a := &j.routes.all[i]
		if a.Address != name {
			continue
		}
		j.addCounts(&a.Counts, &a.Latency, class, latency)
		for second >= len(a.Seconds) {
			a.Seconds = append(a.Seconds, loadgen.AddressSecond{})
		}
		s := &a.Seconds[second]
		s.Planned++
		if class == outcome.Failed {
			s.Bad++
			a.Causes["cause"]++
		} else {
			s.LatencySum += float64(latency)
		}
	}
}

func (j *joined) addCounts(n *outcome.Counts, h *hist.Hist, class outcome.Class, latency int64) {
	n.Planned++
	n.By[class]++
	if class == outcome.Failed {
		return
	}
	h.Record(latency)
	switch {
	case latency <= 1e8:
	case class == outcome.Full:
		n.LateFull[0]++
	default:
		n.LateDegraded[0]++
	}
}

// result is what a file would have of the run.
func (j *joined) result(t *rapid.T, objective slo.SLO) (a []Address, k []Target) {
	a = j.routes.addresses()
	j.routes.keepAddresses(a)
	c := campaign{cfg: Config{SLO: objective, KeepHistograms: true}, kinds: j.kinds}
	k = c.targets()
	var back struct {
		A []Address
		K []Target
	}
	back.A, back.K = a, k
	data, err := json.Marshal(back)
	if err != nil {
		t.Fatal(err)
	}
	back.A, back.K = nil, nil
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	return back.A, back.K
}

func asJSON(t *rapid.T, v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
