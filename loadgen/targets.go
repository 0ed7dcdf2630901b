package loadgen

import (
	"cmp"
	"slices"

	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
)

// MaxTargets is how many kinds of requests have an account of their own in a
// [Result], the heaviest first; the rest share one.
const MaxTargets = 200

// Target is the account of the planned requests of one kind, over a whole run.
type Target struct {
	// Name is the kind's name; empty for the account that the lighter kinds share.
	Name string
	// Kinds is how many kinds of requests it stands for: 1 but for the last.
	Kinds  int
	Counts outcome.Counts
	// Latency is the time from the planned instant to the end of full and degraded
	// answers, in ns.
	Latency hist.Hist
}

// tally says which account each kind of request goes to.
type tally struct {
	slot    []int32 // by kind
	targets []Target
}

// newTally makes the accounts for a mix; nil where there is but one kind.
func newTally(all []message) *tally {
	if len(all) < 2 {
		return nil
	}
	order := make([]int32, len(all))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(all[b].Weight, all[a].Weight) })
	own := min(len(all), MaxTargets)
	t := &tally{slot: make([]int32, len(all))}
	for i, kind := range order {
		if i < own {
			t.targets = append(t.targets, Target{Name: all[kind].Name, Kinds: 1})
		} else if i == own {
			t.targets = append(t.targets, Target{Kinds: len(all) - own})
		}
		t.slot[kind] = int32(min(i, own))
	}
	return t
}

// fresh returns a tally of the same kinds with empty accounts.
func (t *tally) fresh() *tally {
	if t == nil {
		return nil
	}
	return &tally{slot: t.slot, targets: slices.Clone(t.targets)}
}

// of returns the account of a planned request; nil for retries, and without a mix.
func (t *tally) of(r *request) *Target {
	if t == nil || r.attempt > 0 {
		return nil
	}
	return &t.targets[t.slot[r.kind]]
}

func (t *tally) plan(r *request) {
	if a := t.of(r); a != nil {
		a.Counts.Planned++
	}
}

func (t *tally) class(r *request, c outcome.Class) {
	if a := t.of(r); a != nil {
		a.Counts.By[c]++
	}
}

// settle adds the latency of an answer, and counts it against the thresholds.
func (t *tally) settle(r *request, ns int64, c outcome.Class, thresholds []int64) {
	a := t.of(r)
	if a == nil || c != outcome.Full && c != outcome.Degraded {
		return
	}
	a.Latency.Record(ns)
	for i, limit := range thresholds {
		switch {
		case ns <= limit:
		case c == outcome.Full:
			a.Counts.LateFull[i]++
		default:
			a.Counts.LateDegraded[i]++
		}
	}
}

// mergeTargets adds the accounts of another loop.
func mergeTargets(into, from []Target) {
	for i := range into {
		into[i].Counts.Add(from[i].Counts)
		into[i].Latency.Merge(&from[i].Latency)
	}
}
