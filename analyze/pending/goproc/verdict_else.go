package goproc

import (
	"fmt"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/goroutines"
	"example.com/kneeline/internal/units"
)

// beyondUse is true when more requests are inside than can be served within the
// timeout.
func (a *analysis) beyondUse() bool {
	return a.o.Capacity != nil && a.o.Timeout != nil && float64(a.g.Requests.Total) > *a.o.Capacity**a.o.Timeout
}

// saySlow is for requests that wait for no turn but are more than the service can
// answer in time.
func (a *analysis) saySlow() {
	v := &a.res.Verdict
	useful := *a.o.Capacity * *a.o.Timeout
	v.Answer = pending.PileUp
	v.Sentence = fmt.Sprintf("%s are in service at once, of which %s can be answered within %s", counted(a.g.Requests.Total, "request", "requests"), units.Count(int64(useful)), units.Seconds(*a.o.Timeout))
	v.Change = fmt.Sprintf("admit at most %s requests at once, and answer 503 to the rest", units.Count(int64(useful)))
	a.whyServed()
}

func (a *analysis) whyServed() {
	all := places(a.requests, func(*seat) bool { return true })
	for _, p := range all[:min(len(all), 3)] {
		words := p.seats[0].seatWords()
		if words != "" {
			words = ", waiting for " + words
		}
		a.why("%s in %s (%s)%s", isAre(p.count), p.name(), stateName(p.state), words)
	}
	if n := a.g.Requests.Client; n > 0 {
		a.why("%s waiting for their clients to send or to take bytes", isAre(n))
	}
}

// sayUnclear is for requests that wait for something, which may be a turn or an
// event.
func (a *analysis) sayUnclear(p *place) {
	v := &a.res.Verdict
	v.Answer = pending.Unknown
	v.Sentence = fmt.Sprintf("%s wait at %s (%s), and the profile cannot tell whether for their turn or for an event, as long polls and event streams do",
		counted(p.count, "request", "requests"), p.name(), stateName(p.state))
	switch {
	case p.past == 0:
		a.why("no request is past that point, as would be where some are served and others wait")
	case p.answeringOnly():
		a.why("%s past that point and all of these send answers, as event streams do", isAre(p.past))
	default:
		a.why("%s past that point, as in an admission, and as in a handler that asks another service and then does something else; from %s on that wait, %d times as many as are past, it is taken for an admission",
			isAre(p.past), units.Count(manyFactor*a.o.MinEntries), clearly)
	}
	if age := a.ageOf(p); age != nil {
		a.why("the first of them has been waiting for %s", units.Seconds(age.Head))
	}
}

// sayServed is for many requests of which none waits for a turn.
func (a *analysis) sayServed() {
	v := &a.res.Verdict
	v.Answer = pending.Unknown
	v.Sentence = fmt.Sprintf("no requests wait for their turn, but %s are in service at once; whether these are too many follows from --capacity and --timeout", counted(a.g.Requests.Total, "request", "requests"))
	if a.o.Capacity != nil && a.o.Timeout != nil { // and they are not beyond use
		v.Answer = pending.Nothing
		v.Sentence = fmt.Sprintf("no requests pile up: %s are in service at once, and all of them can be answered in time", counted(a.g.Requests.Total, "request", "requests"))
	}
	a.whyServed()
}

// stuckPlace is where most goroutines pile up that are no requests; nil for none.
// Goroutines that wait for an event alone may be workers, timers or subscribers.
func (a *analysis) stuckPlace() *place {
	many := manyFactor * a.o.MinEntries
	for _, p := range a.stuck {
		if p.count < many {
			break
		}
		grown := p.growth != nil && *p.growth >= a.o.MinEntries && float64(*p.growth) >= 0.1*float64(p.count)
		if p.how != howUnclear || p.state == goroutines.StateForever || grown || a.manyCreators(p) {
			return p
		}
	}
	return nil
}

// manyCreators is true when the goroutines at a place were started by many others,
// as those of requests are; the workers of a pool are started by one.
func (a *analysis) manyCreators(p *place) bool {
	for _, s := range a.creatorsOf(p) {
		if s.Creators >= goroutines.MaxCreators/2 {
			return true
		}
	}
	return false
}

// creatorsOf are the stacks in the text of all goroutines that stand at a place.
func (a *analysis) creatorsOf(p *place) []*goroutines.Stack {
	if a.texts == nil {
		return nil
	}
	var out []*goroutines.Stack
	for _, s := range a.m.seats(a.texts) {
		if s.placeFrame() == p.frame && (s.stack.State == p.state || a.hidden) {
			out = append(out, s.stack)
		}
	}
	return out
}

func (a *analysis) sayStuck(p *place) {
	v := &a.res.Verdict
	v.Answer = pending.FullOfElse
	v.Sentence = fmt.Sprintf("no requests pile up; %s pile up at %s, waiting for %s, and serve no request",
		counted(p.count, "goroutine", "goroutines"), p.name(), waitsFor(p.wait, p.how, p.state))
	if p.growth != nil {
		a.why("%+d there since the base", *p.growth)
	}
	if a.manyCreators(p) {
		a.why("they were started by many different goroutines, not by one as the workers of a pool")
	}
	a.why("%s of %s goroutines are there; each keeps its stack of 2 KiB or more and what it refers to", units.Count(p.count), units.Count(a.g.Goroutines))
	a.requestsWhy()
}

// fullOf is the place of allocation that most of the heap is from; nil for none.
func (a *analysis) fullOf() *pending.ClassRow {
	if len(a.res.Histogram) == 0 {
		return nil
	}
	r := &a.res.Histogram[0]
	if r.HeapShare == nil || *r.HeapShare < fullShare || r.Bytes < fullBytes {
		return nil
	}
	return r
}

func (a *analysis) sayFull() {
	v, r := &a.res.Verdict, a.fullOf()
	v.Answer = pending.FullOfElse
	v.Sentence = fmt.Sprintf("no requests pile up; the heap of %s is full of something else: %s allocated at %s (%s)",
		units.Size(a.res.Heap.Bytes), units.Size(r.Bytes), r.Class, units.Share(*r.HeapShare))
	a.requestsWhy()
}

func (a *analysis) sayNothing() {
	v := &a.res.Verdict
	v.Answer = pending.Nothing
	v.Sentence = fmt.Sprintf("no requests pile up among %s", counted(a.g.Goroutines, "goroutine", "goroutines"))
	if len(a.stuck) > 0 && a.stuck[0].count >= manyFactor*a.o.MinEntries {
		p := a.stuck[0]
		v.Sentence += fmt.Sprintf("; %s wait at %s (%s), idle workers if they do not grow", units.Count(p.count), p.name(), stateName(p.state))
		a.why("goroutines that wait to receive may be workers without work, subscribers, or leaked; a second profile compared with --base tells")
	}
	a.requestsWhy()
}

// requestsWhy counts requests and connections.
func (a *analysis) requestsWhy() {
	r, c := a.g.Requests, a.g.Connections
	a.why("%s in handlers, %s waiting for their turn", counted(r.Total, "request", "requests"), units.Count(r.Waiting))
	if c.Idle+c.Reading > 0 {
		a.why("%s without a request: %s kept alive, %s that have sent none yet", counted(c.Idle+c.Reading, "connection", "connections"), units.Count(c.Idle), units.Count(c.Reading))
	}
	a.connectionsWhy()
	if r.LongLived > 0 {
		a.why("%s such as websockets, which last as long as their clients like", counted(r.LongLived, "request", "requests"))
	}
}

// connectionsWhy says that a server takes no more.
func (a *analysis) connectionsWhy() {
	c := a.g.Connections
	if c.Blocked > 0 {
		a.why("%s no further requests, as the handlers they may have run already; how many wait behind them is not in the profile",
			counted(c.Blocked, "connection takes", "connections take"))
	}
	if c.AcceptBlocked {
		a.why("a limited listener takes no more connections; further ones wait in the kernel")
	}
}

// judgeHeapAlone is for a heap profile without goroutines.
func (a *analysis) judgeHeapAlone() {
	v := &a.res.Verdict
	v.Answer = pending.Unknown
	v.Sentence = fmt.Sprintf("a heap profile of %s alone does not tell whether requests wait; the goroutine profile does", units.Size(a.res.Heap.Bytes))
	if r := a.fullOf(); r != nil {
		v.Answer = pending.FullOfElse
		v.Sentence = fmt.Sprintf("the heap of %s is full of what %s allocated: %s (%s)", units.Size(a.res.Heap.Bytes), r.Class, units.Size(r.Bytes), units.Share(*r.HeapShare))
	}
	if m := a.g.Memory; m != nil && m.Connections+m.Requests > 0 {
		a.why("%s of it were allocated by servers for connections and requests", units.Size(m.Connections+m.Requests))
	}
}
