package headroom

import (
	"math"
	"time"

	"example.com/kneeline/internal/outcome"
)

// ending is how the approach to a service ended.
type ending uint8

const (
	// endNone: the load was cut short before anything was known.
	endNone ending = iota
	// endSaturated: the service was held busy for the time planned.
	endSaturated
	// endRefusing: it refuses before anything has to wait long, so that it can
	// not be held busy within the SLO.
	endRefusing
	// endFailing: answers fail more and more as the rate grows.
	endFailing
	// endCap: the SLO held at the highest rate allowed.
	endCap
	// endSilent: it never answered.
	endSilent
	// endBroken: nearly every answer was a failure or a refusal from the start.
	endBroken
	// endFloor: answers break the SLO with next to no load.
	endFloor
)

// seek approaches a service and then holds it busy. It begins with a few
// requests, which give the floor of the response time; it doubles the rate until
// requests wait; then it steers the rate so that the wait stays at a level at
// which the service is busy all the time and next to nobody is late.
type seek struct {
	cfg   Config
	limit float64 // the tightest latency, seconds
	ramp  time.Duration
	hold  time.Duration // how long to hold the service busy

	state  seekState
	since  time.Duration // when state began
	rate   float64
	base   float64 // floor of the response time, seconds
	x      float64 // completions per second
	scale  float64 // by which the queue's level was lowered for the sake of the SLO
	judged uint64  // planned requests whose fate was known when the level was last judged
	spoilt uint64  // bad ones among them
	seg    time.Duration
	end    ending
	// failing is the rate at which failures were seen that are being looked into,
	// before the account until then.
	failing float64
	before  outcome.Counts
	// busyFrom is when the service was first held busy, depthFrom when the queue
	// began to be filled to look for its bound; 0 if never.
	busyFrom, depthFrom time.Duration
	// bound is the number of requests in flight at which it refused; 0 if unknown.
	bound float64
}

type seekState uint8

const (
	seekFloor seekState = iota
	seekProve
	seekRamp
	seekCap
	seekBusy
	seekDepth
)

func newSeek(cfg Config, ramp, hold time.Duration) *seek {
	return &seek{cfg: cfg, limit: cfg.limit().Seconds(), ramp: ramp, hold: hold, scale: 1}
}

// again returns a seek for a service that is known already: it starts busy.
func (s *seek) again(hold time.Duration) *seek {
	return &seek{
		cfg: s.cfg, limit: s.limit, hold: hold, scale: s.scale, bound: s.bound,
		state: seekBusy, base: s.base, x: s.x, rate: s.x,
	}
}

// segmentFor is how long a segment of a long phase lasts: short enough that a
// void one costs little.
const segmentFor = 4 * time.Second

func (s *seek) steer(m *meter) move {
	switch s.state {
	case seekFloor:
		return s.floor(m)
	case seekProve:
		return s.prove(m)
	case seekRamp:
		return s.climb(m)
	case seekCap:
		return s.top(m)
	case seekDepth:
		return s.deep(m)
	}
	return s.busy(m)
}

func (s *seek) stop(e ending) move {
	s.end = e
	return move{stop: true}
}

// gain is by how much, per second, the rate answers to the distance of the queue
// from its level. With a look every 0.1 s a gain of 4 corrects four tenths of the
// distance at each, which is fast and far from oscillating.
const gain = 4.0

// swing is the standard deviation of the queue around its level: a walk whose
// steps have the variance of arrivals and completions together, drawn back by the
// gain. The completions are taken to vary twice as much as a Poisson process.
func swing(x float64) float64 { return math.Sqrt(3 * x / (2 * gain)) }

// target is how many requests to keep waiting at a rate of completions: three
// swings, so that the queue hardly ever runs empty, but less than half of what
// could wait within the limit.
func (s *seek) target(x float64) float64 {
	room := 0.45 * x * (s.limit - s.base)
	t := min(3*swing(x)+1, room) * s.scale
	if s.bound > 0 {
		t = min(t, s.bound-x*s.base-3*swing(x))
	}
	return max(t, 1)
}

// enter begins to hold the service busy.
func (s *seek) enter(m *meter) move {
	s.state, s.since, s.seg = seekBusy, m.now(), m.now()
	w := m.last(200 * time.Millisecond)
	s.x = max(served(w)/0.2, s.x/2)
	return s.busy(m)
}

// follow updates the rate of completions: the mean over the last two seconds of
// holding, longer for a slow service.
func (s *seek) follow(m *meter) {
	over := max(2*time.Second, time.Duration(20/s.x*1e9))
	over = min(over, m.now()-s.since+200*time.Millisecond, m.now())
	if over < 100*time.Millisecond {
		return
	}
	w := m.last(over)
	s.x = max(served(w)/over.Seconds(), 0.5)
}

// steerTo sets the rate that brings the queue to a level of waiting requests.
func (s *seek) steerTo(m *meter, level float64) {
	off := s.x*s.base + level - m.inFlight()
	s.rate = max(0, min(s.x+gain*off, 2*s.x+10))
}

// busy holds the service busy.
func (s *seek) busy(m *meter) move {
	t := m.now()
	if s.busyFrom == 0 {
		s.busyFrom, s.since = max(t, 1), t
	}
	s.follow(m)
	s.judge(m)
	w := m.last(time.Second)
	if w.Refused >= 5 {
		if v := s.refused(m); v.stop {
			return v
		}
	}
	if float64(w.Broken) >= 20 && float64(w.Broken) > 10*s.cfg.budget()*endedEvents(w) {
		return s.stop(endFailing)
	}
	if t-s.since >= s.hold {
		return s.stop(endSaturated)
	}
	if s.bound == 0 && s.depthFrom == 0 && t-s.since >= s.hold-depthFor && s.mayDeepen(m) {
		s.state, s.depthFrom = seekDepth, t
		return s.deep(m)
	}
	s.steerTo(m, s.target(s.x))
	fresh := t-s.seg >= segmentFor
	if fresh {
		s.seg = t
	}
	return move{phase: PhaseSaturate, rate: s.rate, fresh: fresh}
}

// judge lowers the level when too many requests turn out bad, once a second.
func (s *seek) judge(m *meter) {
	const few = 200
	most := max(0.015, 1.5*s.cfg.budget())
	n := m.cohorts
	if n.Planned < s.judged+few {
		return
	}
	bad, _ := s.cfg.bad(n)
	if float64(bad-min(bad, s.spoilt)) > most*float64(n.Planned-s.judged) {
		s.scale = max(0.35, 0.85*s.scale)
	}
	s.judged, s.spoilt = n.Planned, bad
}

// depthFor is how long the queue is filled, nearly to what is still answered in
// time, to see whether the service refuses before.
const depthFor = 1500 * time.Millisecond

func (s *seek) mayDeepen(m *meter) bool {
	bad, _ := s.cfg.bad(m.cohorts)
	return float64(bad) < 0.01*float64(m.cohorts.Planned) && s.deepLevel() > 1.5*s.target(s.x)
}

func (s *seek) deepLevel() float64 {
	return 0.97*s.x*(s.limit-s.base) - 2*swing(s.x)
}

// deep fills the queue.
func (s *seek) deep(m *meter) move {
	w := m.last(m.now() - s.depthFrom)
	if w.Refused >= 10 {
		if v := s.refused(m); v.stop {
			return v
		}
	}
	if m.now()-s.depthFrom >= depthFor || s.bound > 0 {
		return s.stop(endSaturated)
	}
	s.steerTo(m, s.deepLevel())
	return move{phase: PhaseDepth, rate: s.rate}
}

// refused looks at the depth at which the service refuses. A bounded queue
// refuses at one depth, beyond what it serves at once: it can be held busy below
// that. Whatever else refuses cannot.
func (s *seek) refused(m *meter) move {
	n := float64(m.refused)
	depth := m.depthSum / n
	sd := math.Sqrt(max(0, m.depthSq/n-depth*depth))
	inService := s.x * s.base
	queue := sd <= 2+0.1*depth+math.Sqrt(s.x*0.002) && depth-inService > 3.5*swing(s.x)+2
	if !queue {
		return s.stop(endRefusing)
	}
	s.bound = depth
	if s.state != seekBusy && s.state != seekDepth {
		return s.enter(m)
	}
	s.steerTo(m, s.target(s.x))
	return move{phase: PhaseSaturate, rate: s.rate}
}

// since is what an account gained after an earlier state of it.
func since(n, before outcome.Counts) outcome.Counts {
	n.Planned -= before.Planned
	for i := range n.By {
		n.By[i] -= before.By[i]
	}
	for i := range n.LateFull {
		n.LateFull[i] -= before.LateFull[i]
		n.LateDegraded[i] -= before.LateDegraded[i]
	}
	return n
}
