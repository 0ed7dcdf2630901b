package goproc

import (
	"fmt"

	"example.com/kneeline/analyze/pending"
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
	v.Sentence = fmt.Sprintf("%s wait at %s %s", counted(p.count, "request", "requests"), p.name(), p.turn())
	if p.count == 1 {
		v.Sentence = "1 request waits at " + p.name() + " " + p.turn()
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
	a.why("%s of %s requests stand at %s: %s", units.Count(p.count), units.Count(a.g.Requests.Total), p.name(), stateName(p.state))
	switch limit := p.limit(); {
	case p.pool != nil:
		a.why("none of the %s of %s is idle, so they are what those wait for", counted(p.pool.total, "goroutine", "goroutines"), p.pool.root)
	case p.scattered > 0:
		a.why("no place has %s or more of them alone", units.Count(a.o.MinEntries))
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
		a.why("the sizes are estimated from a sample, one allocation for every %s, give or take %s", units.Size(m.Period), units.Share(*m.Error))
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
