package goproc

import (
	"slices"

	"example.com/kneeline/heapdump/goroutines"
)

// seat is what all goroutines of one stack are and wait for.
type seat struct {
	stack *goroutines.Stack
	// serve is the row that says what the goroutine is; nil for one that serves
	// nothing known.
	serve *Row
	// serveAt is the frame of serve.
	serveAt int
	// wait is the row that says what it waits for; nil where the state alone tells.
	wait *Row
	how  string
	// at is the frame outside of the runtime that waits, place the frame that
	// people know it by.
	at, place int
	// past is where the search for those past this point begins: at the frame that
	// waits, or at the caller of a known function.
	past int
	// answering is true when it sends an answer.
	answering bool
	// full are all rows that hold.
	full []hit
}

func (s *seat) count() int64 { return s.stack.Count }

func (s *seat) role() string {
	if s.serve == nil {
		return ""
	}
	return s.serve.Role
}

// request is true for a goroutine that a request stands or falls with.
func (s *seat) request() bool {
	r := s.role()
	return (r == roleRequest || r == roleWork) && s.how != howDelegated
}

// waiting is true for a request that waits for its turn, as far as one can tell.
func (s *seat) waiting() bool {
	switch s.how {
	case howLimit, howPool, howLock, howRate, howShared:
		return true
	}
	return false
}

func (s *seat) frame(i int) goroutines.Frame {
	if i < 0 || i >= len(s.stack.Frames) {
		return goroutines.Frame{Func: "unknown"}
	}
	return s.stack.Frames[i]
}

func (s *seat) placeFrame() goroutines.Frame { return s.frame(s.place) }

// seats places each stack of a set.
func (m *matcher) seats(set *goroutines.Set) []*seat {
	out := make([]*seat, len(set.Stacks))
	for i := range set.Stacks {
		out[i] = m.seat(&set.Stacks[i])
	}
	return out
}

func (m *matcher) seat(stack *goroutines.Stack) *seat {
	s := &seat{stack: stack, full: m.hits(stack.Frames)}
	for _, h := range s.full {
		if rank := slices.Index(servingRoles, h.row.Role); rank >= 0 {
			if s.serve == nil || rank < slices.Index(servingRoles, s.serve.Role) {
				s.serve, s.serveAt = h.row, h.frame
			}
		}
	}
	s.at = firstOutside(m, stack.Frames)
	waitAt := s.knownWait()
	s.place = m.placeOf(s, waitAt)
	s.past = s.at
	if waitAt >= 0 {
		s.past = waitAt + 1
	}
	s.how = m.howOf(s)
	return s
}

// firstOutside is the innermost frame that is no plumbing; 0 where all are.
func firstOutside(m *matcher, frames []goroutines.Frame) int {
	for i, f := range frames {
		if !isPlumbing(m.name(f.Func)) {
			return i
		}
	}
	return 0
}

// knownWait sets the row of the innermost known wait and returns its frame, -1 for
// none. A pool that is built on a semaphore or on another pool is the outer one.
func (s *seat) knownWait() int {
	at := -1
	for _, h := range s.full {
		if h.row.How == howClient && h.row.Role == roleWait {
			s.answering = s.answering || h.row.Name == "the client taking the answer"
		}
		if h.row.Role != roleWait && h.row.Role != roleAccept {
			continue
		}
		// what is outside of the function that serves a request is the server's own
		if s.serve != nil && h.frame > s.serveAt && slices.Contains([]string{roleRequest, roleWork, roleStream}, s.serve.Role) {
			continue
		}
		switch {
		case s.wait == nil:
		case (s.wait.How == howLimit || s.wait.How == howPool) && h.row.How == howPool && h.frame > at:
		default:
			continue
		}
		s.wait, at = h.row, h.frame
	}
	return at
}

// placeOf is the frame that people know a wait by: outside of the standard library
// and of the module of a known function, if there is such a frame before the
// server's own.
func (m *matcher) placeOf(s *seat, waitAt int) int {
	module := ""
	from := s.at
	if waitAt >= 0 {
		from = waitAt
		if name := m.name(s.frame(waitAt).Func); !isStandard(name) {
			module = moduleOf(name)
		}
	}
	end := len(s.stack.Frames)
	if s.serve != nil {
		end = min(end, s.serveAt)
	}
	for i := from; i < end; i++ {
		name := m.name(s.stack.Frames[i].Func)
		if !isStandard(name) && (module == "" || moduleOf(name) != module) {
			return i
		}
	}
	if s.serve != nil && !s.request() && s.wait == nil {
		return s.serveAt
	}
	return from
}

// howOf tells what the goroutine waits for by the table, or else by its state.
func (m *matcher) howOf(s *seat) string {
	state := s.stack.State
	if s.wait != nil {
		switch s.wait.How {
		case howDownstream, howJoin, howClient, howDelegated:
			return s.wait.How
		}
		switch state {
		case goroutines.StateIO, goroutines.StateRunning, goroutines.StateSyscall, goroutines.StateGCAssist:
			return howService // in the function, but not waiting: it dials a connection, say
		}
		return s.wait.How
	}
	own := !isStandard(m.name(s.frame(s.at).Func))
	switch state {
	case goroutines.StateMutex, goroutines.StateSemacquire:
		return howLock
	case goroutines.StateChanSend:
		if own {
			return howLimit
		}
	case goroutines.StateChanReceive, goroutines.StateSelect, goroutines.StateCond, goroutines.StateForever, goroutines.StateUnknown:
		if own {
			return howUnclear
		}
	case goroutines.StateWaitGroup:
		return howJoin
	}
	return howService
}
