package gc

import "math"

// leak is a live set that grows towards the capacity.
type leak struct {
	run      *run
	trend    trend
	capacity int64
	from, to int64
	// untilFull is in seconds at the slope, and at its ends.
	untilFull, soonest, latest float64
}

const (
	// leakSpan is how long a live set must have been watched.
	leakSpan = 600.0
	// leakGrowth is by how much of the capacity it must have grown meanwhile.
	leakGrowth = 0.05
	// leakBlind is the growth in itself that it needs without a known capacity.
	leakBlind = 0.5
	// leakReach is how far the line may be drawn on, in lengths of what was
	// watched.
	leakReach = 10.0
)

// considerLeak looks at how the live set of a run went. All of the run, and its
// later half, must have grown for certain: a heap that fills at the start and
// stays is no leak.
func (a *Analyzer) considerLeak(r *run, at int64) {
	when, live := r.heap.live.even()
	t, ok := theilSen(when, live)
	if !ok {
		return
	}
	l := leak{run: r, trend: t, capacity: r.heap.capacity, from: when[0], to: when[len(when)-1]}
	if a.live == nil || t.span >= a.live.trend.span {
		c := l
		a.live = &c
		a.live.extrapolate()
	}
	if t.low <= 0 || t.span < leakSpan {
		return
	}
	half := len(when) / 2
	late, ok := theilSen(when[half:], live[half:])
	if !ok || late.low <= 0 {
		return
	}
	l.extrapolate()
	grown := t.slope * t.span
	if l.capacity == 0 {
		// Nothing is known of where it ends: it must have grown by half.
		if grown < leakBlind*(t.level-grown) {
			return
		}
		l.untilFull = math.Inf(1)
	} else if grown < leakGrowth*float64(l.capacity) || l.untilFull > leakReach*t.span {
		return
	}
	if a.leak == nil || l.untilFull < a.leak.untilFull {
		a.leak = &l
	}
}

// reaches says whether the line may be drawn on to the capacity.
func (l *leak) reaches() bool { return l.capacity > 0 && l.trend.low > 0 && l.trend.span >= leakSpan }

// extrapolate says when the line meets the capacity.
func (l *leak) extrapolate() {
	if !l.reaches() {
		return
	}
	room := max(float64(l.capacity)-l.trend.level, 0)
	l.untilFull, l.soonest, l.latest = room/l.trend.slope, room/l.trend.high, room/l.trend.low
}

// figures are those of the result.
func (l *leak) figures() *LiveSet {
	t := l.trend
	s := &LiveSet{Run: int(l.run.index) + 1, Samples: t.n, Level: t.level, Slope: t.slope, SlopeLow: t.low, SlopeHigh: t.high,
		Span: t.span, Capacity: positive(l.capacity)}
	if l.reaches() {
		s.UntilFull, s.Soonest, s.Latest = &l.untilFull, &l.soonest, &l.latest
	}
	return s
}

// small is a heap that is nearly full of live objects.
type small struct {
	run             *run
	fulls           int
	worst           fullHeap
	first, last     spot
	capacity, after int64
}

const (
	// fullOfLive is the part of the capacity that lives after a full collection at
	// which the heap is too small.
	fullOfLive = 0.9
	// fullsOfLive is how many full collections must show it.
	fullsOfLive = 2
)

// considerSmall counts full collections that left the heap as full as it was. The
// capacity is the most that the run had: a heap that may still grow is not small.
func (a *Analyzer) considerSmall(r *run) {
	h := &r.heap
	if h.capacity == 0 {
		return
	}
	for _, f := range h.fullAfter {
		if f.after > a.fullest.after {
			a.fullest.after, a.fullest.capacity = f.after, h.capacity
		}
	}
	s := small{run: r, capacity: h.capacity}
	for _, f := range h.fullAfter {
		if float64(f.after) < fullOfLive*float64(h.capacity) {
			continue
		}
		if s.fulls == 0 || f.at < s.first.at {
			s.first = f.spot
		}
		if s.fulls == 0 || f.at > s.last.at {
			s.last = f.spot
		}
		if f.after > s.after {
			s.after, s.worst = f.after, f
		}
		s.fulls++
	}
	if s.fulls >= fullsOfLive && (a.small == nil || s.fulls > a.small.fulls) {
		a.small = &s
	}
}

// promotion is garbage that reaches the old generation.
type promotion struct {
	run            *run
	collections    int64
	every          float64 // seconds
	perSecond      float64
	freed          float64 // share of the heap that old collections freed
	firstAt, endAt int64
}

const (
	// promotionOften is how far apart collections of old objects should be at
	// least, in seconds.
	promotionOften = 60.0
	promotionRuns  = 5
	// promotionFreed is the share of the heap freed by them from which what they
	// free had been promoted for nothing.
	promotionFreed = 0.5
)

// considerPromotion looks for old collections that come often and free most of the
// heap: what they free died young and was promoted all the same.
func (a *Analyzer) considerPromotion(r *run) {
	h := &r.heap
	if !h.hasPromoted || h.oldCount < promotionRuns || h.oldHad == 0 {
		return
	}
	span := seconds(h.oldLast - h.oldFirst)
	p := &promotion{run: r, collections: h.oldCount, every: span / float64(h.oldCount-1), freed: float64(h.oldFreed) / float64(h.oldHad),
		firstAt: h.oldFirst, endAt: h.oldLast}
	if all := seconds(r.newest - r.from); all > 0 {
		p.perSecond = float64(h.promoted) / all
	}
	if p.every > promotionOften || p.freed < promotionFreed || span < promotionOften {
		return
	}
	if a.promotion == nil || p.every < a.promotion.every {
		a.promotion = p
	}
}
