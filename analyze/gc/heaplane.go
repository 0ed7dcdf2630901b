package gc

import "example.com/kneeline/gcparse"

// heapLane keeps the course of the heap after collections in a bounded number of
// points.
type heapLane struct {
	started       bool
	origin, width int64
	points        []heapPoint
	events        int64
}

type heapPoint struct {
	n                     int64
	least, most, capacity int64
}

func (p *heapPoint) merge(o heapPoint) {
	if o.n == 0 {
		return
	}
	if p.n == 0 {
		*p = o
		return
	}
	p.n += o.n
	p.least, p.most, p.capacity = min(p.least, o.least), max(p.most, o.most), max(p.capacity, o.capacity)
}

func (l *heapLane) add(at int64, s gcparse.Space) {
	if !l.started {
		l.started, l.origin, l.width = true, at, firstWidth
	}
	if at < l.origin {
		return
	}
	for (at-l.origin)/l.width >= points {
		for i, p := range l.points {
			if i%2 == 0 {
				l.points[i/2] = p
			} else {
				l.points[i/2].merge(p)
			}
		}
		l.points = l.points[:(len(l.points)+1)/2]
		l.width *= 2
	}
	i := (at - l.origin) / l.width
	for int64(len(l.points)) <= i {
		l.points = append(l.points, heapPoint{})
	}
	l.events++
	p := heapPoint{n: 1, least: s.After, most: s.After}
	if s.HasCapacity {
		p.capacity = s.Capacity
	}
	l.points[i].merge(p)
}
