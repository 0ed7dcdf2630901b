package headroom

import (
	"math"
	"time"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
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
	level  float64 // requests to keep waiting
	scale  float64 // by which level was lowered for the sake of the SLO
	judged uint64  // planned requests whose fate was known when level was last judged
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

// floor sends a few requests, and then more of them for a second: so few that
// even a single worker would be idle for most of the time.
func (s *seek) floor(m *meter) move {
	const enough = 5
	t := m.now()
	if m.answered > 0 {
		_, w := m.tl.Sum(0, t)
		s.base = w.LatencySum / float64(w.Answered)
	}
	limit := max(floorLimit, s.cfg.Timeout+500*time.Millisecond)
	ended := m.answered + m.expired + m.broken
	switch {
	case s.since > 0 && t-s.since >= time.Second:
		return s.leaveFloor(m)
	case s.since > 0:
		return move{phase: PhaseFloor, rate: s.rate}
	case m.answered == 0 && t >= limit, m.answered == 0 && m.broken >= enough:
		return s.stop(endSilent)
	case ended >= 2*enough && m.refused+m.broken > ended*8/10:
		return s.stop(endBroken)
	case m.answered >= enough && m.answered > 2*(m.refused+m.broken), m.answered > 0 && t >= limit:
		s.since = t
		s.rate = min(0.2/s.base, 5*floorRate)
		return move{phase: PhaseFloor, rate: s.rate, fresh: true}
	}
	rate := floorRate
	if s.base > 0 {
		rate = min(rate, 0.5/s.base)
	}
	return move{phase: PhaseFloor, rate: rate}
}

// leaveFloor begins the ramp, unless the SLO seems to be broken already.
func (s *seek) leaveFloor(m *meter) move {
	s.since = m.now()
	if late, _ := s.cfg.bad(m.cohorts); s.base > 0.7*s.limit || late > 0 || m.bad() > 0 {
		s.state = seekProve
		return move{phase: PhaseFloor, rate: s.rate}
	}
	s.state = seekRamp
	s.rate = min(0.5/s.base, 5*floorRate)
	return move{phase: PhaseRamp, rate: s.rate}
}

// proveFor is how long a service that seems to break the SLO with next to no load
// is watched before that is believed.
const proveFor = 4 * time.Second

// prove keeps to a low rate until it is plain whether the SLO holds there. It does
// not when the bad requests are more than chance makes of the budget: three
// standard deviations.
func (s *seek) prove(m *meter) move {
	if m.now()-s.since >= proveFor+s.cfg.Timeout {
		n := since(m.cohorts, s.before)
		bad, used := s.cfg.bad(n)
		expected := float64(bad) / max(used, 1e-9)
		if used > 1 && float64(bad) > expected+3*math.Sqrt(expected)+2 {
			return s.stop(endFloor)
		}
		if s.failing > 0 {
			s.rate = s.failing
			return s.stop(endFailing)
		}
		s.state, s.since = seekRamp, m.now()
		return move{phase: PhaseRamp, rate: s.rate}
	}
	return move{phase: PhaseFloor, rate: s.rate}
}

// suspect asks whether the failures seen at a rate are there at a quarter of it
// too: then they are no matter of rate.
func (s *seek) suspect(m *meter) move {
	s.failing = s.rate
	s.state, s.since = seekProve, m.now()
	s.rate = max(s.rate/4, min(s.rate, floorRate))
	s.before = m.cohorts
	return move{phase: PhaseFloor, rate: s.rate, fresh: true}
}

// climb raises the rate until requests wait, or something else shows the end.
func (s *seek) climb(m *meter) move {
	t := m.now()
	recent := max(300*time.Millisecond, time.Duration(2*s.base*1e9))
	w := m.last(min(recent, t-s.since))
	over := min(recent, max(t-s.since, loadgen.ControlPeriod)).Seconds()
	s.x = max(served(w)/over, 1)
	wait := 0.0
	if w.Answered >= 10 {
		wait = w.LatencySum/float64(w.Answered) - s.base
	}
	waiting := m.inFlight() - s.rate*s.base
	switch {
	case float64(w.Refused) >= 5 && float64(w.Refused) > 0.03*float64(w.Answered):
		return s.refused(m)
	case float64(w.Broken) >= 10 && float64(w.Broken) > 3*s.cfg.budget()*endedEvents(w):
		return s.suspect(m)
	case waiting > s.target(s.x), wait > max(0.5*(s.limit-s.base), 0.2*s.limit), w.Expired > 5:
		return s.enter(m)
	}
	doubling := max(0.4, 2*s.base)
	s.rate *= math.Exp2(loadgen.ControlPeriod.Seconds() / doubling)
	if s.rate >= s.cfg.Caps.Rate {
		s.state, s.since = seekCap, t
		s.rate = s.cfg.Caps.Rate
		return move{phase: PhaseCap, rate: s.rate}
	}
	fresh := t-s.seg >= time.Duration(doubling*1e9)
	if fresh {
		s.seg = t
	}
	return move{phase: PhaseRamp, rate: s.rate, fresh: fresh}
}

// capFor is how long the highest allowed rate is held to see that it is borne.
const capFor = 10 * time.Second

// top holds the highest rate allowed.
func (s *seek) top(m *meter) move {
	w := m.last(time.Second)
	s.x = max(served(w), 1)
	waiting := m.inFlight() - s.rate*s.base
	switch {
	case m.now()-s.since < time.Second:
		w = m.last(m.now() - s.since)
		if waiting > 4*s.target(s.rate) {
			return s.enter(m)
		}
	case badEvents(w) > 20 && badEvents(w) > 3*s.cfg.budget()*endedEvents(w), waiting > s.target(s.x):
		if float64(w.Refused) > 0.5*badEvents(w) {
			return s.refused(m)
		}
		if float64(w.Broken) > 0.5*badEvents(w) {
			return s.stop(endFailing)
		}
		return s.enter(m)
	}
	if m.now()-s.since >= min(capFor, s.hold/2) {
		return s.stop(endCap)
	}
	return move{phase: PhaseCap, rate: s.rate}
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
