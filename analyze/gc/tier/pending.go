package tier

import "sort"

// pending holds parts until time has gone on so far that nothing earlier can
// come. It keeps where the rate changes, and the parts, both by time.
type pending[T any] struct {
	steps queue[step]
	items queue[part[T]]
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

// usual is how many steps from the end a change mostly is at most: a collection lies
// in the safepoint that is told of after it.
const usual = 8

// add inserts a part. Most parts come nearly in order, so the search from the end
// is short and little is moved.
func (p *pending[T]) add(from, to, share int64, item T) {
	p.change(from, share, false)
	p.change(to, -share, true)
	items := p.items.all()
	i := len(items)
	for i > 0 && items[i-1].from > from {
		i--
	}
	p.items.insert(i, part[T]{from, to, item})
}

func (p *pending[T]) change(at, delta int64, ends bool) {
	steps := p.steps.all()
	n := len(steps)
	i := n
	for i > 0 && i > n-usual && steps[i-1].at >= at {
		i--
	}
	if i > 0 && steps[i-1].at >= at {
		i = sort.Search(i, func(i int) bool { return steps[i].at >= at })
	}
	if i < n && steps[i].at == at {
		steps[i].delta += delta
		steps[i].ends = steps[i].ends || ends
		return
	}
	p.steps.insert(i, step{at, delta, ends})
}

// drop removes the first n steps and m parts.
func (p *pending[T]) drop(n, m int) {
	p.steps.drop(n)
	p.items.drop(m)
}
