package tier

import (
	"math"
	"slices"
)

// Now is the state of a series at an instant, taking all parts so far as all
// there are.
type Now struct {
	// Share is the share over the window; Judged is false in the warm-up.
	Share  float64
	Judged bool
	// Tiers are the stays that go on, by tier; Enter is 0 where there is none.
	Tiers []Spell
	// Occupied says which tiers are.
	Occupied []bool
}

// Peek returns the state at an instant without changing the meter, which waits
// with its own judgement for parts that come late.
func (m *Meter[T]) Peek(at int64) Now {
	if !m.running {
		return Now{Tiers: make([]Spell, len(m.stays)), Occupied: make([]bool, len(m.stays))}
	}
	c := m.Fork(nobody[T]{})
	c.advance(max(at, c.front))
	var p piece
	c.win.next(&p, c.front, c.front+1, 0, int64(c.cfg.Warm))
	n := Now{Share: p.share(0), Judged: p.judged, Tiers: make([]Spell, len(c.stays)), Occupied: make([]bool, len(c.stays))}
	for k, s := range c.stays {
		if s.in {
			n.Tiers[k], n.Occupied[k] = s.spell, true
			n.Tiers[k].Leave, n.Tiers[k].End, n.Tiers[k].Busy = c.front, Open, c.busy.since(s.busy)
		}
	}
	return n
}

// Fork returns a copy of the meter that goes its own way and reports to another
// observer: a series that has been the same as another until now.
func (m *Meter[T]) Fork(out Observer[T]) *Meter[T] {
	c := *m
	c.out = out
	c.wait = pending[T]{m.wait.steps.clone(), m.wait.items.clone()}
	c.win.segs = slices.Clone(m.win.segs)
	c.stays = slices.Clone(m.stays)
	c.totals.Above, c.totals.Occupied = slices.Clone(m.totals.Above), slices.Clone(m.totals.Occupied)
	return &c
}

// nobody observes nothing.
type nobody[T any] struct{}

func (nobody[T]) Began(T, int64, int64)                {}
func (nobody[T]) Entered(int, int64)                   {}
func (nobody[T]) Ended(Spell)                          {}
func (nobody[T]) Moved(int64, int64, float64, float64) {}
func (nobody[T]) Coarse() int64                        { return math.MaxInt64 }
