package headroom

import (
	"cmp"
	"slices"

	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen"
)

// This file keeps the counts behind the accounts by address and by kind of request,
// and adds those of several results up.

// answered names the histogram of full and degraded answers together.
const answered = "answered"

// keepAddresses adds the counts behind their figures to the accounts by address.
func (g *routes) keepAddresses(to []Address) {
	for i := range to {
		for j := range g.all {
			if a := &g.all[j]; a.Address == to[i].Address {
				to[i].Kept = keptOf(&a.Latency)
				to[i].Kept.Windows = addressWindows(a.Seconds)
			}
		}
	}
}

// keptOf keeps a histogram of answers.
func keptOf(h *hist.Hist) *Kept {
	k := &Kept{}
	if h.Count() > 0 {
		c := h.Clone()
		k.Histograms = map[string]*hist.Hist{answered: &c}
	}
	return k
}

// addressWindows has the seconds of an address as windows are kept: the answers are
// those to the requests planned in each.
func addressWindows(all []loadgen.AddressSecond) *Windows {
	if len(all) == 0 {
		return nil
	}
	all = all[:min(len(all), maxKeptWindows)]
	w := &Windows{Seconds: 1}
	for _, s := range all {
		good := uint64(s.Planned - s.Bad)
		w.Planned, w.Good = append(w.Planned, uint64(s.Planned)), append(w.Good, good)
		w.Answered, w.LatencySum = append(w.Answered, good), append(w.LatencySum, s.LatencySum)
	}
	return w
}

// JoinAddresses returns the accounts by address of several results as one, by the name
// of the address, with outliers found anew. whole is false when a result lacks the
// counts behind its figures, so that the latencies of an address are not known.
func JoinAddresses(parts ...[]Address) (out []Address, whole bool) {
	whole = true
	at := map[string]int{}
	var sums []*loadgen.AddressAccount
	for _, part := range parts {
		for _, a := range part {
			i, ok := at[a.Address]
			if !ok {
				i = len(out)
				at[a.Address] = i
				out = append(out, Address{Address: a.Address, Kept: &Kept{}})
				sums = append(sums, &loadgen.AddressAccount{Address: a.Address})
			}
			out[i].Account.Add(&a.Account)
			out[i].Conns += a.Conns
			if !a.Kept.sound() {
				whole = false
				continue
			}
			sums[i].Merge(&loadgen.AddressAccount{Latency: a.Kept.answers(), Seconds: a.Kept.seconds()})
		}
	}
	if !whole {
		for i := range out {
			out[i].Kept = nil
		}
		return out, false
	}
	for i, a := range sums {
		if len(out) > 1 {
			out[i].Outlier = findOutlier(sums, i)
		}
		out[i].Kept = keptOf(&a.Latency)
		out[i].Kept.Windows = addressWindows(a.Seconds)
		if a.Latency.Count() > 0 {
			out[i].Latency, out[i].MeanSeconds = ptr(quantiles(&a.Latency)), ptr(a.Latency.Mean()/1e9)
		}
	}
	return out, true
}

// JoinTargets returns the accounts by kind of request of several results as one, by the
// name of the kind. whole is false when a result lacks the counts behind its figures:
// then there are no latencies, and late answers are not among the bad ones.
func JoinTargets(objective slo.SLO, parts ...[]Target) (out []Target, whole bool) {
	whole = true
	at := map[string]int{}
	limits := len(objective.Thresholds())
	for _, part := range parts {
		for _, t := range part {
			i, ok := at[t.Name]
			if !ok {
				i = len(out)
				at[t.Name] = i
				out = append(out, Target{Name: t.Name, Kept: &Kept{LateFull: make([]uint64, limits), LateDegraded: make([]uint64, limits)}})
			}
			to := &out[i]
			to.Kinds = max(to.Kinds, t.Kinds)
			to.Account.Add(&t.Account)
			if !t.Kept.sound() || len(t.Kept.LateFull) != limits || len(t.Kept.LateDegraded) != limits {
				whole = false
				continue
			}
			for j := range limits {
				to.Kept.LateFull[j] += t.Kept.LateFull[j]
				to.Kept.LateDegraded[j] += t.Kept.LateDegraded[j]
			}
			h := to.Kept.answers()
			o := t.Kept.answers()
			h.Merge(&o)
			to.Kept.Histograms = keptOf(&h).Histograms
		}
	}
	for i := range out {
		t := &out[i]
		_, worst := objective.Worst(t.counts())
		t.BadShare = worst.Share(t.counts())
		if h := t.Kept.answers(); whole && h.Count() > 0 {
			t.Latency = ptr(quantiles(&h))
		}
		if !whole {
			t.Kept = nil
		}
	}
	sortTargets(out)
	return out, whole
}

// sortTargets puts the kinds first of which most requests were bad.
func sortTargets(all []Target) {
	slices.SortStableFunc(all, func(a, b Target) int {
		return cmp.Or(cmp.Compare(b.BadShare, a.BadShare), cmp.Compare(b.p99(), a.p99()), cmp.Compare(b.Account.Planned, a.Account.Planned), cmp.Compare(a.Name, b.Name))
	})
}

// sound reports whether counts are there, with lists of windows of one length.
func (k *Kept) sound() bool {
	if k == nil {
		return false
	}
	w := k.Windows
	return w == nil || len(w.Good) == len(w.Planned) && len(w.LatencySum) == len(w.Planned)
}

// answers is the histogram of full and degraded answers.
func (k *Kept) answers() hist.Hist {
	if h := k.Histograms[answered]; h != nil {
		return h.Clone()
	}
	return hist.Hist{}
}

// seconds are the windows of an address as they were counted.
func (k *Kept) seconds() (all []loadgen.AddressSecond) {
	if k.Windows == nil {
		return nil
	}
	for i, n := range k.Windows.Planned {
		good := min(n, k.Windows.Good[i])
		all = append(all, loadgen.AddressSecond{Planned: uint32(n), Bad: uint32(n - good), LatencySum: k.Windows.LatencySum[i]})
	}
	return all
}

// counts are those of the account, with the late answers that are kept beside it.
func (t *Target) counts() outcome.Counts {
	a := &t.Account
	n := outcome.Counts{Planned: a.Planned}
	n.By[outcome.Full], n.By[outcome.Degraded], n.By[outcome.Shed] = a.Full, a.Degraded, a.Shed
	n.By[outcome.Failed], n.By[outcome.TimedOut] = a.Failed, a.TimedOut
	n.By[outcome.InFlight], n.By[outcome.NeverSent] = a.InFlight, a.NeverSent
	if k := t.Kept; k != nil {
		copy(n.LateFull[:], k.LateFull)
		copy(n.LateDegraded[:], k.LateDegraded)
	}
	return n
}

// Add adds another account to a.
func (a *Account) Add(o *Account) {
	a.Planned += o.Planned
	a.Full += o.Full
	a.Degraded += o.Degraded
	a.Shed += o.Shed
	a.Failed += o.Failed
	a.TimedOut += o.TimedOut
	a.InFlight += o.InFlight
	a.NeverSent += o.NeverSent
	for cause, n := range o.Causes {
		if a.Causes == nil {
			a.Causes = map[string]uint64{}
		}
		a.Causes[cause] += n
	}
	if o.Retries != nil {
		if a.Retries == nil {
			a.Retries = &Account{}
		}
		a.Retries.Add(o.Retries)
	}
}
