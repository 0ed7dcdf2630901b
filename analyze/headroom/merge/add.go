package merge

import (
	"fmt"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
)

// adder adds up what trials keep.
type adder struct {
	kept *headroom.Kept
	// began is false before the first part.
	began  bool
	uneven bool
}

func (a *adder) add(k *headroom.Kept) error {
	out := a.kept
	for class, h := range k.Histograms {
		if out.Histograms == nil {
			out.Histograms = map[string]*hist.Hist{}
		}
		if out.Histograms[class] == nil {
			out.Histograms[class] = &hist.Hist{}
		}
		out.Histograms[class].Merge(h)
	}
	if k.SendLag != nil {
		if out.SendLag == nil {
			out.SendLag = &hist.Hist{}
		}
		out.SendLag.Merge(k.SendLag)
	}
	var err error
	if out.LateFull, err = addLists(out.LateFull, k.LateFull, a.began); err == nil {
		out.LateDegraded, err = addLists(out.LateDegraded, k.LateDegraded, a.began)
	}
	if err != nil {
		return fmt.Errorf("counts of late answers: %w", err)
	}
	err = a.windows(k.Windows)
	a.began = true
	return err
}

// addLists adds two lists up, place by place.
func addLists(to, l []uint64, began bool) ([]uint64, error) {
	if !began {
		return append([]uint64(nil), l...), nil
	}
	if len(to) != len(l) {
		return nil, fmt.Errorf("expected %d, found %d", len(to), len(l))
	}
	for i := range l {
		to[i] += l[i]
	}
	return to, nil
}

// windows adds windows up, each on its own trial's clock: parts begin together. Of
// trials of unequal length the windows that all have are kept.
func (a *adder) windows(w *headroom.Windows) error {
	to := a.kept.Windows
	switch {
	case !a.began && w != nil:
		if err := even(w); err != nil {
			return err
		}
		a.kept.Windows = clone(w)
		return nil
	case to == nil || w == nil:
		a.uneven = a.uneven || a.began && (to != nil || w != nil)
		a.kept.Windows = nil
		return nil
	case to.Seconds != w.Seconds:
		return fmt.Errorf("expected windows of %g s, found %g s", to.Seconds, w.Seconds)
	}
	if err := even(w); err != nil {
		return err
	}
	n := min(len(to.Planned), len(w.Planned))
	a.uneven = a.uneven || len(to.Planned) != len(w.Planned)
	plus := func(x *[]uint64, y []uint64) {
		*x = (*x)[:n]
		for i := range n {
			(*x)[i] += y[i]
		}
	}
	plus(&to.Planned, w.Planned)
	plus(&to.Good, w.Good)
	plus(&to.Answered, w.Answered)
	for clause, counts := range to.Bad {
		if len(w.Bad[clause]) < n {
			return fmt.Errorf("windows: expected counts of the clause %s, found none", clause)
		}
		plus(&counts, w.Bad[clause])
		to.Bad[clause] = counts
	}
	to.LatencySum = to.LatencySum[:n]
	for i := range n {
		to.LatencySum[i] += w.LatencySum[i]
	}
	return nil
}

// even checks that all lists of windows have one length.
func even(w *headroom.Windows) error {
	n := len(w.Planned)
	ok := len(w.Good) == n && len(w.Answered) == n && len(w.LatencySum) == n
	for _, c := range w.Bad {
		ok = ok && len(c) == n
	}
	if !ok {
		return fmt.Errorf("windows: expected lists of one length, found others beside that of %d", n)
	}
	return nil
}

func clone(w *headroom.Windows) *headroom.Windows {
	c := *w
	c.Planned = append([]uint64(nil), w.Planned...)
	c.Good = append([]uint64(nil), w.Good...)
	c.Answered = append([]uint64(nil), w.Answered...)
	c.LatencySum = append([]float64(nil), w.LatencySum...)
	c.Bad = map[string][]uint64{}
	for clause, counts := range w.Bad {
		c.Bad[clause] = append([]uint64(nil), counts...)
	}
	return &c
}

// counts are those of an account, with the late answers beside it.
func (a *adder) counts(acc *headroom.Account) outcome.Counts {
	n := outcome.Counts{Planned: acc.Planned}
	n.By[outcome.Full], n.By[outcome.Degraded], n.By[outcome.Shed] = acc.Full, acc.Degraded, acc.Shed
	n.By[outcome.Failed], n.By[outcome.TimedOut] = acc.Failed, acc.TimedOut
	n.By[outcome.InFlight], n.By[outcome.NeverSent] = acc.InFlight, acc.NeverSent
	copy(n.LateFull[:], a.kept.LateFull)
	copy(n.LateDegraded[:], a.kept.LateDegraded)
	return n
}
