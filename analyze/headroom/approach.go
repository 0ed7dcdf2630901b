package headroom

import (
	"math"
	"time"

	"example.com/kneeline/loadgen"
)

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
