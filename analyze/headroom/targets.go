package headroom

import (
	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
)

// Target is the account of one kind of request of a mix, over all load.
type Target struct {
	// Name is method and path; absent for the account that the rarest kinds share.
	Name string `json:"name,omitempty"`
	// Kinds is how many kinds of requests share the account; absent where it is one.
	Kinds   int     `json:"kinds,omitempty"`
	Account Account `json:"account"`
	// BadShare is the share of bad requests under the clause of the objective of which
	// this kind uses most.
	BadShare float64 `json:"bad_ratio"`
	// Latency is of full and degraded answers; absent without any.
	Latency *Quantiles `json:"latency,omitempty"`
	// Kept are the counts behind the figures, in results that keep them: the histogram
	// "answered" of full and degraded answers, and the late ones by threshold.
	Kept *Kept `json:"kept,omitempty"`
}

// kind is a target while load is offered.
type kind struct {
	name    string
	kinds   int
	counts  outcome.Counts
	latency hist.Hist
}

// addTargets adds the accounts of a run; they are in the same order in each run of a
// client.
func (c *campaign) addTargets(all []loadgen.Target) {
	if len(c.kinds) < len(all) {
		c.kinds = append(c.kinds, make([]kind, len(all)-len(c.kinds))...)
	}
	for i := range all {
		k := &c.kinds[i]
		k.name, k.kinds = all[i].Name, all[i].Kinds
		k.counts.Add(all[i].Counts)
		k.latency.Merge(&all[i].Latency)
	}
}

// targets lists the kinds, those of which most requests were bad first.
func (c *campaign) targets() []Target {
	var out []Target
	for i := range c.kinds {
		k := &c.kinds[i]
		if k.counts.Planned == 0 {
			continue
		}
		_, worst := c.cfg.SLO.Worst(k.counts)
		t := Target{Name: k.name, Account: account(k.counts, nil), BadShare: worst.Share(k.counts)}
		if k.kinds > 1 {
			t.Kinds = k.kinds
		}
		if k.latency.Count() > 0 {
			t.Latency = ptr(quantiles(&k.latency))
		}
		if c.cfg.keeps() {
			n := len(c.cfg.SLO.Thresholds())
			t.Kept = keptOf(&k.latency)
			t.Kept.LateFull = append([]uint64{}, k.counts.LateFull[:n]...)
			t.Kept.LateDegraded = append([]uint64{}, k.counts.LateDegraded[:n]...)
		}
		out = append(out, t)
	}
	sortTargets(out)
	return out
}

func (t Target) p99() float64 {
	if t.Latency == nil {
		return 0
	}
	return t.Latency.P99
}
