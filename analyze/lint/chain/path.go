package chain

import (
	"cmp"
	"math"
	"slices"

	"example.com/kneeline/analyze/lint/worst"
)

// Limits of the walk over a chain.
const (
	// MaxPaths bounds the paths that are looked at, MaxLength the hops of one.
	MaxPaths  = 20000
	MaxLength = 64
	// MaxVisits bounds the services that are passed on the way, again and again: in a chain
	// with many ways around, most lead to no end within MaxLength.
	MaxVisits = 200000
)

// Path is a way through the chain, from a service to one that it leads to.
type Path struct {
	Hops []*Hop
	// Mode is what the far end does.
	Mode Mode
	// Steps are what each hop does with one call, in the order of Hops.
	Steps []Step
	// Product is how many calls the far end gets for one at the beginning; +Inf is no
	// bound.
	Product float64
}

// Along returns what happens along a path when its far end fails: the product of the
// tries of its hops. The far end is worked out first, since how long a callee takes
// decides how many tries its caller can begin.
//
// A caller that gives up does not stop what its callee does, unless the callee's hop is
// known to end with it ([Hop.Abandons]).
func Along(hops []*Hop, mode Mode) Path {
	p := Path{Hops: hops, Mode: mode, Product: 1, Steps: make([]Step, len(hops))}
	least, most := 0.0, 0.0
	if mode == Silent {
		least, most = math.Inf(1), math.Inf(1)
	}
	for i := len(hops) - 1; i >= 0; i-- {
		p.Steps[i] = hops[i].Step(mode, least, most)
		least, most = p.Steps[i].Least, p.Steps[i].Most
		p.Product = worst.Product(p.Product, p.Steps[i].Tries)
	}
	return p
}

// The products of tries from which on amplification does harm: two layers with two tries
// each, and two with three; three layers of three tries are 27 (Site Reliability
// Engineering, Google 2016, chapter 22, has 64 for three layers of four).
const (
	Amplifies     = 4
	AmplifiesMuch = 9
)

// Amplification returns the worse of the two modes.
func Amplification(hops []*Hop) Path {
	fails, silent := Along(hops, Fails), Along(hops, Silent)
	if silent.Product > fails.Product {
		return silent
	}
	return fails
}

// Walk is the paths of a chain.
type Walk struct {
	Paths []Path
	// Cut says that there are more paths than are looked at, or longer ones.
	Cut bool
	// Cycle is a way from a service back to it, if there is one.
	Cycle []*Hop
}

// Amplified is the most calls that the callee of each hop gets for one where calls begin;
// +Inf is no bound.
func (w Walk) Amplified() map[*Hop]float64 {
	out := map[*Hop]float64{}
	for _, p := range w.Paths {
		product := 1.0
		for i, s := range p.Steps {
			product = worst.Product(product, s.Tries)
			out[p.Hops[i]] = max(out[p.Hops[i]], product)
		}
	}
	return out
}

// Paths returns all ways from a service that nobody calls to one that calls nobody, the
// one with the largest product first. On a cycle a way ends before its first service
// comes again.
func (c *Chain) Paths() Walk {
	w := &walker{seen: map[*Service]bool{}}
	for _, s := range c.roots() {
		w.from(s, nil)
	}
	slices.SortStableFunc(w.Paths, func(a, b Path) int {
		return cmp.Or(cmp.Compare(b.Product, a.Product), cmp.Compare(len(a.Hops), len(b.Hops)))
	})
	return w.Walk
}

// roots are the services where calls begin; in a chain of cycles alone, all.
func (c *Chain) roots() []*Service {
	var out []*Service
	reached := map[*Service]bool{}
	var mark func(*Service)
	mark = func(s *Service) {
		if reached[s] {
			return
		}
		reached[s] = true
		for _, h := range s.Out {
			mark(h.To)
		}
	}
	for _, s := range c.Services {
		if len(s.In) == 0 {
			out = append(out, s)
			mark(s)
		}
	}
	for _, s := range c.Services { // on a cycle that nobody outside calls
		if !reached[s] {
			out = append(out, s)
			mark(s)
		}
	}
	return out
}

type walker struct {
	Walk
	seen map[*Service]bool
	// visits counts the services that were passed.
	visits int
}

func (w *walker) from(s *Service, way []*Hop) {
	if w.visits++; len(w.Paths) == MaxPaths || len(way) == MaxLength || w.visits > MaxVisits {
		w.Cut = true
		return
	}
	w.seen[s] = true
	defer delete(w.seen, s)
	further := false
	for _, h := range s.Out {
		if w.seen[h.To] {
			if w.Cycle == nil {
				w.Cycle = cycle(way, h)
			}
			continue
		}
		further = true
		w.from(h.To, append(slices.Clone(way), h))
	}
	if !further && len(way) > 0 && len(w.Paths) < MaxPaths {
		w.Paths = append(w.Paths, Amplification(way))
	}
}

// cycle is the part of a way that a hop closes.
func cycle(way []*Hop, last *Hop) []*Hop {
	all := append(slices.Clone(way), last)
	for i, h := range all {
		if h.From == last.To {
			return all[i:]
		}
	}
	return []*Hop{last}
}

// Name is the path as reports write it.
func (p Path) Name() string {
	if len(p.Hops) == 0 {
		return ""
	}
	name := p.Hops[0].From.Name
	for _, h := range p.Hops {
		name += " → " + h.To.Name
	}
	return name
}
