package gc

import (
	"slices"

	"example.com/kneeline/analyze/gc/tier"
)

// course is one series of one run: the meter, and the evidence for the stays that
// it reports.
type course struct {
	a      *Analyzer
	run    *run
	series Series
	meter  *tier.Meter[mark]
	// recent are the events that reach into the window, by their start.
	recent []held
	head   int
	// open is the evidence by tier, nil where the tier is not occupied.
	open []*evidence
}

// held is an event with its time on the clock of the run.
type held struct {
	from, to int64
	mark
}

func newCourse(a *Analyzer, r *run, s Series) *course {
	c := &course{a: a, run: r, series: s, open: make([]*evidence, len(a.cfg.Tiers))}
	m, err := tier.New(a.cfg.overhead(), tier.Observer[mark](c))
	if err != nil {
		panic("gc: a configuration that was validated is not valid: " + err.Error())
	}
	c.meter = m
	m.Start(r.from)
	return c
}

// fork returns a course of another series that has been the same until now. What
// has been reported of it is not reported again.
func (c *course) fork(s Series) *course {
	f := &course{a: c.a, run: c.run, series: s, recent: slices.Clone(c.recent[c.head:]), open: make([]*evidence, len(c.open))}
	for k, e := range c.open {
		if e != nil {
			f.open[k] = e.clone()
		}
	}
	f.meter = c.meter.Fork(f)
	return f
}

// Began implements [tier.Observer].
func (c *course) Began(m mark, from, to int64) {
	low := from - int64(c.a.cfg.Window)
	for c.head < len(c.recent) && c.recent[c.head].to <= low {
		c.head++
	}
	if c.head > 64 && c.head > len(c.recent)/2 {
		c.recent = c.recent[:copy(c.recent, c.recent[c.head:])]
		c.head = 0
	}
	c.recent = append(c.recent, held{from, to, m})
	h := &c.recent[len(c.recent)-1]
	for _, e := range c.open {
		if e != nil {
			e.add(h)
		}
	}
}

// Entered implements [tier.Observer].
func (c *course) Entered(k int, at int64) {
	e := &evidence{causes: map[string]*sum{}}
	low := at - int64(c.a.cfg.Window)
	for i := c.head; i < len(c.recent); i++ {
		if h := &c.recent[i]; h.to > low {
			e.add(h)
		}
	}
	c.open[k] = e
}

// Ended implements [tier.Observer].
func (c *course) Ended(s tier.Spell) {
	e := c.open[s.Tier]
	c.open[s.Tier] = nil
	if s.Violated {
		c.a.violations.add(c.violation(s, e))
		return
	}
	if s.End != tier.Left {
		v := c.violation(s, e)
		if u := c.a.unfinished; u == nil || worse(v, *u) < 0 {
			c.a.unfinished = &v
		}
	}
}

// Moved implements [tier.Observer].
func (c *course) Moved(from, to int64, a, b float64) {
	c.a.lanes[c.series].add(from+c.run.shift, to+c.run.shift, a, b)
}

// Coarse implements [tier.Observer]: within one point of the curve the mean need not
// be exact.
func (c *course) Coarse() int64 { return c.a.lanes[c.series].until - c.run.shift }

// sum counts events and their time.
type sum struct {
	count   int64
	ns      int64
	longest int64
}

func (s *sum) add(ns int64) {
	s.count++
	s.ns += ns
	s.longest = max(s.longest, ns)
}

// maxCauses is how many causes of a violation are told apart.
const maxCauses = 32

// evidence is what the events of one stay in a tier add up to.
type evidence struct {
	events, full int64
	longest      int64
	causes       map[string]*sum
	// why is the cause of the last event, and sum that of its events.
	why string
	sum *sum
	// the first event, and the latest end of one.
	from, to int64
	source   int32
	number   int64 // the line of the first event
	heap     heapEvidence
}

// heapEvidence is what the events say of the heap that tell it.
type heapEvidence struct {
	from        int64 // the end of the first of them
	first, last int64 // the heap after the first and the last
	start, end  int64 // the capacity at them
	line        regression
}

// clone returns a copy that shares nothing with e.
func (e *evidence) clone() *evidence {
	c := *e
	c.causes = make(map[string]*sum, len(e.causes))
	for name, s := range e.causes {
		x := *s
		c.causes[name] = &x
	}
	c.sum = nil
	return &c
}

func (e *evidence) add(h *held) {
	if e.events == 0 {
		e.from, e.to, e.source, e.number = h.from, h.to, h.source, h.line
	}
	e.to = max(e.to, h.to)
	e.events++
	if h.full {
		e.full++
	}
	e.longest = max(e.longest, h.to-h.from)
	if e.sum == nil || e.why != h.why {
		e.why, e.sum = h.why, e.cause(h.why)
	}
	e.sum.add(h.to - h.from)
	if h.after >= 0 {
		e.heap.add(h)
	}
}

// cause returns the sum of a cause.
func (e *evidence) cause(why string) *sum {
	s, ok := e.causes[why]
	if !ok && len(e.causes) >= maxCauses {
		why = others
		s, ok = e.causes[why]
	}
	if !ok {
		s = &sum{}
		e.causes[why] = s
	}
	return s
}

func (e *heapEvidence) add(h *held) {
	if e.line.n == 0 {
		e.from, e.first, e.start = h.to, h.after, h.capacity
	}
	e.last, e.end = h.after, h.capacity
	e.line.add(float64(h.to-e.from)/1e9, float64(h.after))
}

// others is the name under which what comes after a bound is counted.
const others = "others"

// regression is a line by least squares.
type regression struct{ n, x, y, xx, xy float64 }

func (r *regression) add(x, y float64) {
	r.n, r.x, r.y, r.xx, r.xy = r.n+1, r.x+x, r.y+y, r.xx+x*x, r.xy+x*y
}

// slope returns the slope, and whether there is one.
func (r *regression) slope() (float64, bool) {
	d := r.n*r.xx - r.x*r.x
	if r.n < 3 || d <= 0 {
		return 0, false
	}
	return (r.n*r.xy - r.x*r.y) / d, true
}
