package loadgen

import (
	"math"
	"math/rand/v2"
)

// never is an instant that does not come.
const never = math.MaxInt64

// change is a step of the pilot as a schedule sees it.
type change struct {
	at      int64 // ns since the run's start
	rate    float64
	segment int32
	end     bool
}

// schedule is the absolute plan of one event loop: a sequence of planned
// instants in ns since the run's start, drawn one at a time. A schedule that is
// taken from too slowly lags behind; its backlog is the distance, not a queue.
//
// Between two changes the instants are a Poisson process or a metronome. A
// change of rate takes effect at its instant: the next exponential gap is drawn
// anew from there, since the process has no memory; a metronome keeps its phase,
// the part of the gap that has passed. A change may be posted while the schedule
// lags behind: it waits, and what was planned before it keeps its instants.
type schedule struct {
	law     Arrivals
	rng     *rand.Rand
	rate    float64
	segment int32
	// next is the next planned instant at the present rate, +Inf at rate 0.
	next float64
	// A metronome counts its gaps from the last change on, so that rounding does
	// not add up: next = from + gaps/rate.
	from, gaps float64
	// phase is the part of a metronome's gap that is still to pass while the
	// rate is 0, in gaps.
	phase   float64
	pending []change
	ended   bool
	// trace has the instants of a schedule that follows one.
	trace *traceQueue
}

// newSchedule starts a schedule at rate 0. phase in [0, 1) is the part of a
// metronome's gap that passes before its first instant, so that the loops of one
// run interleave.
func newSchedule(law Arrivals, rng *rand.Rand, phase float64) *schedule {
	return &schedule{law: law, rng: rng, next: math.Inf(1), phase: phase}
}

// followTrace makes the schedule one of given instants.
func (s *schedule) followTrace(q *traceQueue) *schedule {
	s.trace = q
	return s
}

// post adds a change. Changes must be posted in order of their instants, and
// none before an instant that was already taken.
func (s *schedule) post(c change) {
	s.pending = append(s.pending, c)
}

// peek returns the next planned instant and its segment, or never when nothing
// is planned at the present rate or the schedule has ended. Under [Closed] the
// next request is always due: at the instant now.
func (s *schedule) peek(now int64) (int64, int32) {
	for {
		s.look(now)
		if len(s.pending) == 0 {
			break
		}
		c := s.pending[0]
		if c.at > now || s.law != Closed && s.next < float64(c.at) {
			break
		}
		s.pending = s.pending[:copy(s.pending, s.pending[1:])]
		s.apply(c)
	}
	switch {
	case s.ended || math.IsInf(s.next, 1):
		return never, s.segment
	case s.law == Closed:
		return now, s.segment
	}
	return int64(s.next), s.segment
}

// look finds the next instant of a schedule that follows a trace.
func (s *schedule) look(now int64) {
	if s.trace == nil || s.ended {
		return
	}
	next := s.trace.peek(now)
	if s.next = float64(next); next == never {
		s.next = math.Inf(1)
		s.ended = s.trace.over && s.trace.begun
	}
}

// take moves past the instant that peek returned. It returns the kind of request
// that was planned, [AnyKind] where the law does not say.
func (s *schedule) take() int32 {
	switch s.law {
	case Replay:
		return s.trace.take()
	case Poisson:
		s.next += s.rng.ExpFloat64() * 1e9 / s.rate
	case Constant:
		s.gaps++
		s.next = s.from + s.gaps*1e9/s.rate
	}
	return AnyKind
}

// pace returns the rate at which the next instant is planned, NaN where the law
// knows of no rate.
func (s *schedule) pace() float64 {
	if s.law == Poisson || s.law == Constant {
		return s.rate
	}
	return math.NaN()
}

// nextChange returns the instant of the first change after now, or never. A
// change that is due and waits for a lagging schedule is none to wait for.
func (s *schedule) nextChange(now int64) int64 {
	for _, c := range s.pending {
		if c.at > now {
			return c.at
		}
	}
	return never
}

// done reports whether nothing more will ever be planned.
func (s *schedule) done() bool { return s.ended }

func (s *schedule) apply(c change) {
	at := float64(c.at)
	old := s.rate
	s.segment = c.segment
	if c.end {
		s.ended, s.rate, s.next = true, 0, math.Inf(1)
		return
	}
	if s.trace != nil {
		// The rate is the trace's own; the first step starts it.
		if s.rate = c.rate; c.rate > 0 {
			s.trace.begin(c.at)
		}
		return
	}
	if c.rate == old {
		return
	}
	if old > 0 {
		s.phase = (s.next - at) * old / 1e9
	}
	s.rate = c.rate
	if c.rate <= 0 {
		s.next = math.Inf(1)
		return
	}
	switch s.law {
	case Poisson:
		s.next = at + s.rng.ExpFloat64()*1e9/c.rate
	case Constant:
		s.next = at + s.phase*1e9/c.rate
		s.from, s.gaps = s.next, 0
	case Closed:
		s.next = at
	}
}
