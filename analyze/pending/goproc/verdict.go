package goproc

import (
	"fmt"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/goroutines"
	"example.com/kneeline/internal/units"
)

// judge makes the verdict.
func (a *analysis) judge() {
	v := &a.res.Verdict
	v.Why = []string{}
	a.findings()
	switch {
	case a.set == nil && a.heap == nil:
		v.Answer, v.Sentence = pending.Unknown, "neither a goroutine profile nor a heap profile was given, so whether requests pile up cannot be told"
	case a.set == nil:
		a.judgeHeapAlone()
	default:
		a.judgeGoroutines()
	}
	for _, f := range a.res.Findings {
		if i := v.Queue; i != nil && f.Location.Object == a.res.Queues[*i].Name {
			v.Rules = append(v.Rules, f.Rule)
		}
	}
}

func (a *analysis) judgeGoroutines() {
	many := manyFactor * a.o.MinEntries
	best := a.bestPile()
	switch {
	case best >= 0:
		a.sayPile(best)
	case a.g.Requests.Total >= a.o.MinEntries && a.beyondUse():
		a.saySlow()
	case len(a.waits) > 0 && a.waits[0].count >= a.o.MinEntries:
		a.sayUnclear(a.waits[0])
	case a.stuckPlace() != nil:
		a.sayStuck(a.stuckPlace())
	case a.g.Requests.Served >= many:
		a.sayServed()
	case a.fullOf() != nil:
		a.sayFull()
	case a.g.Goroutines == 0:
		a.res.Verdict.Answer, a.res.Verdict.Sentence = pending.Unknown, "the profile has no goroutines"
	default:
		a.sayNothing()
	}
}

// bestPile is the index of the place where most requests wait for their turn, -1
// for none. The queues are the first of the waits, in the same order.
func (a *analysis) bestPile() int {
	for i, p := range a.waits[:min(len(a.waits), len(a.res.Queues))] {
		if p.pilesUp() {
			return i
		}
	}
	return -1
}

func (a *analysis) sayPile(i int) {
	v, p, q := &a.res.Verdict, a.waits[i], &a.res.Queues[i]
	v.Answer, v.Queue = pending.PileUp, &i
	v.Sentence = fmt.Sprintf("%s wait at %s %s", counted(p.count, "request", "requests"), placeName(p.frame), p.turn())
	if p.count == 1 {
		v.Sentence = "1 request waits at " + placeName(p.frame) + " " + p.turn()
	}
	if q.BytesEach != nil {
		v.Sentence += fmt.Sprintf(", %s each and %s together", bytesWords(*q.BytesEach), units.Size(*q.Bytes))
	}
	if q.Age != nil {
		v.Sentence += fmt.Sprintf(", the first for %s", units.Seconds(q.Age.Head))
	}
	if q.WaitOfNew != nil {
		v.Sentence += fmt.Sprintf("; a new one waits %s", units.Seconds(*q.WaitOfNew))
	}
	if q.UsefulPositions != nil {
		v.Sentence += fmt.Sprintf("; %s places are of use and there is no limit", units.Count(*q.UsefulPositions))
	}
	if q.Setting != nil {
		v.Change = q.Setting.Name
		if q.Setting.Value != "" {
			v.Change += ": " + q.Setting.Value
		}
	}
	a.whyPile(p, q)
}

func (a *analysis) whyPile(p *place, q *pending.Queue) {
	a.why("%s of %s requests stand at %s: %s", units.Count(p.count), units.Count(a.g.Requests.Total), placeName(p.frame), stateName(p.state))
	switch limit := p.limit(); {
	case p.pool != nil:
		a.why("none of the %s of %s is idle, so they are what those wait for", counted(p.pool.total, "goroutine", "goroutines"), p.pool.root)
	case p.past == 0:
		a.why("no request is past that point")
	case p.how == howLimit && limit > 0 && p.pastHigh == 0:
		a.why("%s past that point, and as others wait there no slot is free: the limit is %s", isAre(p.past), units.Count(p.past))
	case p.how == howLimit && p.pastHigh > 0:
		a.why("past that point are %s, which is their limit", p.perProcess("request", "requests"))
	default:
		a.why("%s past that point", isAre(p.past))
	}
	if len(p.pastSeats) > 0 {
		if g := places(p.pastSeats, func(*seat) bool { return true }); len(g) > 0 {
			words := g[0].seats[0].seatWords()
			if words != "" {
				words = ", waiting for " + words
			}
			a.why("most of those past are in %s (%s)%s", placeName(g[0].frame), stateName(g[0].state), words)
		}
	}
	if !p.inside && p.past > 0 {
		a.why("who is past was told by a caller of the function that waits, as in that function nobody is further on")
	}
	if m := a.g.Memory; m != nil && q.BytesEach != nil && m.Error != nil {
		a.why("the sizes are estimated from one allocation in %s, give or take %s", units.Size(m.Period), units.Share(*m.Error))
	}
	if q.Age != nil && a.o.Timeout != nil && q.Age.Head > *a.o.Timeout {
		a.why("the first has been waiting for %s, its client waits for %s", units.Seconds(q.Age.Head), units.Seconds(*a.o.Timeout))
	}
	if c := a.contentionAt(p); c != nil {
		a.why("the %s that ended there took %s on average", counted(c.Count, "wait", "waits"), units.Seconds(c.Mean))
	}
	if p.growth != nil {
		a.why("%+d there since the base", *p.growth)
	}
	a.connectionsWhy()
	if n := a.g.Requests.Abandoned; n >= a.o.MinEntries {
		a.why("%s on for requests that http.TimeoutHandler has answered", counted(n, "handler works", "handlers work"))
	}
}

func (a *analysis) why(format string, args ...any) {
	a.res.Verdict.Why = append(a.res.Verdict.Why, fmt.Sprintf(format, args...))
}

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
		a.why("%s in %s (%s)%s", isAre(p.count), placeName(p.frame), stateName(p.state), words)
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
		counted(p.count, "request", "requests"), placeName(p.frame), stateName(p.state))
	switch {
	case p.past == 0:
		a.why("no request is past that point, as would be where some are served and others wait")
	case p.answeringOnly():
		a.why("%s past that point and all of these send answers, as event streams do", isAre(p.past))
	default:
		a.why("%s past that point, more than wait", isAre(p.past))
	}
	if age := a.ageOf(p.frame, p.count, p.state); age != nil {
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
		counted(p.count, "goroutine", "goroutines"), placeName(p.frame), waitsFor(p.wait, p.how, p.state))
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
		v.Sentence += fmt.Sprintf("; %s wait at %s (%s), idle workers if they do not grow", units.Count(p.count), placeName(p.frame), stateName(p.state))
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
