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
	h := held{from, to, m}
	c.recent = append(c.recent, h)
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
	for _, h := range c.recent[c.head:] {
		if h.to > low {
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
	events, full  int64
	longest       int64
	causes        map[string]*sum
	first, last   held
	heap, heapEnd held // the first and the last event that tells the heap
	line          regression
}

// clone returns a copy that shares nothing with e.
func (e *evidence) clone() *evidence {
	c := *e
	c.causes = make(map[string]*sum, len(e.causes))
	for name, s := range e.causes {
		x := *s
		c.causes[name] = &x
	}
	return &c
}

func (e *evidence) add(h held) {
	if e.events == 0 {
		e.first = h
	}
	if h.to >= e.last.to || e.events == 0 {
		e.last = h
	}
	e.events++
	if h.full {
		e.full++
	}
	e.longest = max(e.longest, h.to-h.from)
	why := h.why
	s, ok := e.causes[why]
	if !ok && len(e.causes) >= maxCauses {
		why = others
		s, ok = e.causes[why]
	}
	if !ok {
		s = &sum{}
		e.causes[why] = s
	}
	s.add(h.to - h.from)
	if h.after < 0 {
		return
	}
	if e.line.n == 0 {
		e.heap = h
	}
	e.heapEnd = h
	e.line.add(float64(h.to-e.heap.to)/1e9, float64(h.after))
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
