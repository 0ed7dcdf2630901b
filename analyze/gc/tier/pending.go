package tier

import "sort"

// pending holds parts until time has gone on so far that nothing earlier can
// come. It keeps where the rate changes, and the parts, both by time.
type pending[T any] struct {
	steps []step
	items []part[T]
}

// step is a change of the rate.
type step struct {
	at    int64
	delta int64
	// ends says that a part ends here.
	ends bool
}

type part[T any] struct {
	from, to int64
	item     T
}

// add inserts a part. Most parts come nearly in order, so the search from the end
// is short and little is moved.
func (p *pending[T]) add(from, to, share int64, item T) {
	p.change(from, share, false)
	p.change(to, -share, true)
	i := len(p.items)
	for i > 0 && p.items[i-1].from > from {
		i--
	}
	p.items = insert(p.items, i, part[T]{from, to, item})
}

func (p *pending[T]) change(at, delta int64, ends bool) {
	n := len(p.steps)
	i := n
	if n > 0 && p.steps[n-1].at >= at {
		i = sort.Search(n, func(i int) bool { return p.steps[i].at >= at })
	}
	if i < n && p.steps[i].at == at {
		p.steps[i].delta += delta
		p.steps[i].ends = p.steps[i].ends || ends
		return
	}
	p.steps = insert(p.steps, i, step{at, delta, ends})
}

func insert[E any](s []E, i int, v E) []E {
	s = append(s, v)
	copy(s[i+1:], s[i:])
	s[i] = v
	return s
}

// drop removes the first n steps and m parts. The slices are moved down in place,
// so that the memory is that of the most that ever waited.
func (p *pending[T]) drop(n, m int) {
	p.steps = p.steps[:copy(p.steps, p.steps[n:])]
	kept := copy(p.items, p.items[m:])
	clear(p.items[kept:])
	p.items = p.items[:kept]
}
