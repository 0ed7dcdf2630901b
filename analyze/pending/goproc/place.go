package goproc

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/kneeline/heapdump/goroutines"
	"example.com/kneeline/internal/units"
)

// place is all goroutines that wait for the same at the same line.
type place struct {
	frame goroutines.Frame
	state string
	how   string
	// wait is the row of what they wait for, nil where the state alone tells.
	wait  *Row
	seats []*seat
	count int64
	// requests is true when they are requests, false when they serve nothing known.
	requests bool

	// past is how many requests are past this point, pastSeats what they do.
	past      int64
	pastSeats []*seat
	// pastLow and pastHigh are the least and the most of several processes, pastIn in
	// how many of them some are past.
	pastLow, pastHigh int64
	pastIn            int
	// inside is true when the wait's own function shows who is past, which is
	// surer than a function further out.
	inside bool
	// admits is true for a wait of unclear kind that is taken for one for a turn.
	admits bool
	// pool is what serves those that wait, where that is other goroutines.
	pool *pool
	// scattered is how many places are summed up here, none of which has many alone;
	// 0 for a place by itself.
	scattered int
	// growth is how many more there are than in the base; nil without one.
	growth *int64
}

// name is the place for people.
func (p *place) name() string {
	if p.scattered > 0 {
		return fmt.Sprintf("%s places, most at %s", units.Count(p.scattered), placeName(p.frame))
	}
	return placeName(p.frame)
}

// placeKey tells places apart.
type placeKey struct {
	fn, file   string
	line       int
	state, how string
	row        *Row
	requests   bool
}

func keyOf(s *seat) placeKey {
	f := s.placeFrame()
	return placeKey{f.Func, f.File, f.Line, s.stack.State, s.how, s.wait, s.request()}
}

// places groups seats, the largest first.
func places(seats []*seat, keep func(*seat) bool) []*place {
	index := map[placeKey]*place{}
	var out []*place
	for _, s := range seats {
		if !keep(s) {
			continue
		}
		k := keyOf(s)
		p := index[k]
		if p == nil {
			p = &place{frame: s.placeFrame(), state: s.stack.State, how: s.how, wait: s.wait, requests: s.request()}
			index[k] = p
			out = append(out, p)
		}
		p.seats = append(p.seats, s)
		p.count += s.count()
	}
	slices.SortFunc(out, func(a, b *place) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.frame.Func, b.frame.Func), cmp.Compare(a.frame.File, b.frame.File),
			cmp.Compare(a.frame.Line, b.frame.Line), cmp.Compare(a.state, b.state), cmp.Compare(a.how, b.how), cmp.Compare(waitName(a.wait), waitName(b.wait)))
	})
	return out
}

func waitName(r *Row) string {
	if r == nil {
		return ""
	}
	return r.Name
}

// maxProbes bounds how many stacks of a place are asked who is past them.
const maxProbes = 200

// function tells functions apart: their names may be equal in two files of a test.
type function struct{ name, file string }

// call is a function on the stack of a request.
type call struct {
	seat *seat
	line int
	// callee is what it calls; empty for the innermost.
	callee string
}

// calls finds the requests that are in a function.
type calls map[function][]call

// callsOf indexes the stacks of requests, each function by its outermost call.
func callsOf(requests []*seat) calls {
	out := calls{}
	for _, r := range requests {
		seen := map[function]bool{}
		for i := len(r.stack.Frames) - 1; i >= 0; i-- {
			f := r.stack.Frames[i]
			k := function{f.Func, f.File}
			if seen[k] {
				continue
			}
			seen[k] = true
			c := call{seat: r, line: f.Line}
			if i > 0 {
				c.callee = r.stack.Frames[i-1].Func
			}
			out[k] = append(out[k], c)
		}
	}
	return out
}

// findPast finds who is past a place among the requests: those that are further on
// in the function that waits or, if none is, in its nearest caller where some are.
// A function runs from its first line to its last but for loops and deferred calls,
// so a later line is past.
func (p *place) findPast(requests []*seat, in calls) {
	own := map[*seat]bool{}
	for _, s := range p.seats {
		own[s] = true
	}
	type gateKey struct {
		frame  goroutines.Frame
		callee string
	}
	seen := map[*seat]bool{}
	asked := map[gateKey]bool{} // whether some are past a gate
	p.inside = true
	for _, s := range p.seats[:min(len(p.seats), maxProbes)] {
		end := len(s.stack.Frames)
		if s.serve != nil {
			end = min(end, s.serveAt)
		}
		for level := s.past; level < end; level++ {
			gate := s.stack.Frames[level]
			k := gateKey{frame: gate}
			if level > 0 {
				k.callee = s.stack.Frames[level-1].Func
			}
			found, known := asked[k]
			for _, c := range in[function{gate.Func, gate.File}] {
				if known {
					break
				}
				if !own[c.seat] && isPast(c, gate, s, level) {
					seen[c.seat], found = true, true
				}
			}
			asked[k] = found
			if found {
				p.inside = p.inside && level == s.past
				break
			}
		}
	}
	p.past, p.pastSeats = 0, nil
	for _, r := range requests { // in their order
		if seen[r] {
			p.pastSeats = append(p.pastSeats, r)
			p.past += r.count()
		}
	}
}

// isPast reports whether a call is further on in its function than the gate is.
func isPast(c call, gate goroutines.Frame, waiting *seat, level int) bool {
	if gate.Line == 0 || c.line == 0 {
		// without lines: past if it called something else
		return level > 0 && c.callee != waiting.stack.Frames[level-1].Func
	}
	return c.line > gate.Line
}

// answeringOnly is true when all that are past do nothing but send answers: then
// the wait may be one for events, as of a stream of them.
func (p *place) answeringOnly() bool {
	for _, s := range p.pastSeats {
		if !s.answering {
			return false
		}
	}
	return true
}
