package target

import "time"

// Sim is the service in virtual time. It is not safe for concurrent use. Its
// memory is bounded by the most requests that were pending at once, and by the
// answers not yet collected with Advance.
type Sim struct {
	st *station
	// open holds the pending requests, and whether their client has left; only
	// kept when that makes a difference.
	open map[uint64]bool
}

// NewSim returns the idle service at instant 0. The same valid config, seed and
// calls give the same answers.
func NewSim(cfg Config, seed uint64) *Sim {
	s := &Sim{st: newStation(cfg, seed)}
	if !cfg.ServeDead {
		s.open = make(map[uint64]bool)
		s.st.left = func(id uint64) bool { return s.open[id] }
	}
	return s
}

// Arrive takes in request id at an instant. Instants must not decrease, nor lie
// before the last Advance; one that does counts as the latest instant told.
func (s *Sim) Arrive(at time.Duration, id uint64) {
	if s.open != nil {
		s.open[id] = false
	}
	s.st.arrive(int64(at), id)
}

// Leave says that the client of request id no longer waits. Where dead requests
// are served, the default, it changes nothing.
func (s *Sim) Leave(id uint64) {
	if _, pending := s.open[id]; pending {
		s.open[id] = true
	}
}

// Advance moves the clock to an instant and calls done for each answer up to it
// and not delivered before, in time order. A refusal is answered at the instant
// of its arrival. done may call Arrive for the instant it is told, and Leave.
func (s *Sim) Advance(to time.Duration, done func(id uint64, at time.Duration, a Answer)) {
	tell := done
	if s.open != nil {
		tell = func(id uint64, at time.Duration, a Answer) {
			delete(s.open, id)
			done(id, at, a)
		}
	}
	for {
		s.st.deliver(tell)
		end, ok := s.st.next()
		if !ok || end > int64(to) {
			break
		}
		// One completion at a time, so that an arrival from within done finds
		// the service as it is at that instant.
		s.st.advance(end)
	}
	s.st.advance(int64(to))
}

// Next returns the earliest planned completion, false when nothing is pending.
// Answers not yet collected may be earlier.
func (s *Sim) Next() (time.Duration, bool) {
	end, ok := s.st.next()
	return time.Duration(end), ok
}

// Pending returns how many requests wait or are being served.
func (s *Sim) Pending() int { return s.st.pending() }

// Waiting returns how many requests hold a queue position.
func (s *Sim) Waiting() int { return s.st.waiting.n }

// Now returns the latest instant that the service was told.
func (s *Sim) Now() time.Duration { return time.Duration(s.st.now) }
