package goproc

import (
	"cmp"
	"slices"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/goroutines"
)

// count seats all goroutines and counts what they are.
func (a *analysis) count() {
	a.seats = a.m.seats(a.set)
	g := a.g
	g.Processes, g.Goroutines = int64(a.set.Processes), a.set.Total()
	states := map[string]int64{}
	var work, delegated int64
	for _, s := range a.seats {
		n := s.count()
		states[s.stack.State] += n
		if s.wait != nil && s.wait.Role == roleAccept {
			g.Connections.AcceptBlocked = true
		}
		a.countConnection(s)
		switch s.role() {
		case roleStream:
			g.Requests.LongLived += n
		case roleRequest, roleWork:
			if s.how == howDelegated {
				delegated += n
				continue
			}
			if s.role() == roleWork {
				work += n
			}
			a.requests = append(a.requests, s)
			a.byProtocol[s.serve.Protocol] += n
			countRequest(&g.Requests, s)
		}
	}
	g.Requests.Abandoned = max(0, work-delegated)
	g.Requests.Protocols = append(g.Requests.Protocols, protocols(a.byProtocol)...)
	for state, n := range states {
		g.States = append(g.States, pending.GoState{State: stateName(state), Count: n})
	}
	slices.SortFunc(g.States, func(x, y pending.GoState) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.State, y.State))
	})
}

func countRequest(r *pending.GoRequests, s *seat) {
	n := s.count()
	r.Total += n
	switch {
	case s.waiting():
		r.Waiting += n
	case s.how == howUnclear:
		r.Unclear += n
	default:
		r.Served += n
		if s.how == howDownstream || s.how == howService && s.stack.State == goroutines.StateIO {
			r.Downstream += n
		}
		if s.how == howClient {
			r.Client += n
		}
	}
}

// countConnection counts the connection that a goroutine stands for. One of
// HTTP/1.1 is served by one goroutine, whatever it does.
func (a *analysis) countConnection(s *seat) {
	n := s.count()
	c := &a.g.Connections
	switch s.role() {
	case roleIdle:
		c.Idle += n
	case roleReading:
		c.Reading += n
	case roleConnection:
		if s.serve.Protocol != "HTTP/1.1" {
			c.Multiplexed += n
		}
		if s.waiting() {
			c.Blocked += n
		}
	case roleRequest, roleStream:
		// a request of HTTP/1.1 occupies a connection
		if s.role() == roleRequest && s.serve.Protocol != "HTTP/1.1" || s.role() == roleStream && !hasProtocol(s, "HTTP/1.1") {
			return
		}
		a.connections["HTTP/1.1"] += n
		return
	default:
		return
	}
	a.connections[s.serve.Protocol] += n
}

func hasProtocol(s *seat, protocol string) bool {
	for _, h := range s.full {
		if h.row.Protocol == protocol {
			return true
		}
	}
	return false
}

func protocols(counts map[string]int64) []pending.GoProtocol {
	out := []pending.GoProtocol{}
	for p, n := range counts {
		out = append(out, pending.GoProtocol{Protocol: p, Count: n})
	}
	slices.SortFunc(out, func(x, y pending.GoProtocol) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Protocol, y.Protocol))
	})
	return out
}

// stateName is a state for people.
func stateName(state string) string {
	if state == goroutines.StateUnknown {
		return "unknown"
	}
	return state
}

// findPlaces finds where requests and others wait, and who is past.
func (a *analysis) findPlaces() {
	a.waits = places(a.seats, func(s *seat) bool { return s.request() && (s.waiting() || s.how == howUnclear) })
	a.busy = places(a.seats, func(s *seat) bool { return s.request() && !s.waiting() && s.how != howUnclear })
	a.stuck = places(a.seats, func(s *seat) bool {
		return s.serve == nil && (s.waiting() || s.how == howUnclear)
	})
	a.pools = a.m.pools(a.seats)
	a.sumUp()
	in := callsOf(a.requests)
	for i, p := range a.waits {
		if i == maxPlaces || p.count < a.o.MinEntries {
			break
		}
		if p.scattered > 0 {
			continue // each has its own limit, if any
		}
		p.findPast(a.requests, in)
	}
	a.pastPerProcess()
	for _, p := range a.waits {
		a.decide(p)
	}
}

// sumUp puts before all places the sum of those at which requests wait for their
// turn, where none has enough alone: a program with a wait in each of its handlers.
func (a *analysis) sumUp() {
	if len(a.waits) == 0 || a.waits[0].count >= a.o.MinEntries || a.g.Requests.Waiting < a.o.MinEntries {
		return
	}
	sum := &place{requests: true}
	for _, p := range a.waits {
		if p.how == howUnclear {
			continue
		}
		if sum.scattered == 0 {
			sum.frame, sum.state, sum.how, sum.wait = p.frame, p.state, p.how, p.wait
		}
		sum.scattered++
		sum.seats = append(sum.seats, p.seats...)
		sum.count += p.count
	}
	a.waits = append([]*place{sum}, a.waits...)
}

// pastPerProcess finds the least and the most that are past each place in one
// process.
func (a *analysis) pastPerProcess() {
	if len(a.sets) < 2 {
		return
	}
	for _, set := range a.sets {
		seats := a.m.seats(set)
		var requests []*seat
		for _, s := range seats {
			if s.request() {
				requests = append(requests, s)
			}
		}
		in := callsOf(requests)
		byKey := map[placeKey]*place{}
		for _, p := range places(seats, func(s *seat) bool { return s.request() }) {
			byKey[keyOf(p.seats[0])] = p
		}
		for _, p := range a.waits[:min(len(a.waits), maxPlaces)] {
			one := byKey[keyOf(p.seats[0])]
			if one == nil || p.past == 0 {
				continue
			}
			one.findPast(requests, in)
			if one.past == 0 {
				continue
			}
			if p.pastHigh == 0 || one.past < p.pastLow {
				p.pastLow = one.past
			}
			p.pastHigh = max(p.pastHigh, one.past)
			p.pastIn++
		}
	}
}

// clearly is how many times as many must wait as are past, for a wait of unclear
// kind to be one for a turn.
const clearly = 10

// decide tells of a wait of unclear kind whether it is one for a turn. A handler
// that asks another service by code of its own, and does something else after,
// looks the same as an admission: some wait in a select, and fewer are past. So
// there must be many, and many times as many as are past or work for them, or the
// same number past in each of several processes.
func (a *analysis) decide(p *place) {
	if p.how != howUnclear {
		return
	}
	crowded := p.count >= manyFactor*a.o.MinEntries
	same := p.pastHigh > 0 && p.pastHigh == p.pastLow && p.pastIn > 1 && p.past < p.count
	if p.past > 0 && !p.answeringOnly() && (crowded && p.count >= clearly*p.past || same) {
		p.admits = true
		return
	}
	if crowded {
		if w := servedBy(p, a.m, a.pools); w != nil && p.count >= clearly*w.total {
			p.pool = w
		}
	}
}

// pilesUp is true where requests wait for a turn, certainly or by what is past.
func (p *place) pilesUp() bool {
	return p.requests && (p.how != howUnclear || p.admits || p.pool != nil)
}

// limit is how many are served at once past this point; 0 where that is not known.
func (p *place) limit() int64 {
	switch {
	case p.pool != nil:
		return p.pool.total
	case p.how == howLimit || p.how == howPool || p.how == howUnclear && p.admits:
		return p.past
	}
	return 0
}
