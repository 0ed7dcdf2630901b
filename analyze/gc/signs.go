package gc

import (
	"strings"

	"example.com/kneeline/gcparse"
)

// sign is something that an expert looks for, by what events show it.
type sign uint8

const (
	signConcurrentMode sign = iota
	signPromotionFailed
	signEvacuation
	signHumongous
	signMetaspace
	signLastResort
	signExplicit
	signRemark
	signDegenerated
	signTimeLimit
	signPercolated
	signStarved
	signWait
	signStall

	numSigns = iota
)

// signs are all that were seen.
type signs [numSigns]sighting

// sighting is how often a sign was seen, how long its events took, and where.
type sighting struct {
	sum
	first, last, worst spot
}

// spot is an event's place in time and in the log.
type spot struct {
	run    *run
	at     int64
	dur    int64
	source int32
	line   int64
}

func (s *signs) see(x sign, p spot) {
	g := &s[x]
	g.add(p.dur)
	if g.count == 1 {
		g.first, g.worst = p, p
	}
	g.last = p
	if p.dur > g.worst.dur {
		g.worst = p
	}
}

// flagSigns are the signs that flags of pauses show.
var flagSigns = []struct {
	flags gcparse.Flags
	not   gcparse.Flags
	sign  sign
}{
	{gcparse.ConcurrentModeFailure, 0, signConcurrentMode},
	{gcparse.PromotionFailed, 0, signPromotionFailed},
	// Pinned regions cannot be evacuated, however much memory there is.
	{gcparse.EvacuationFailure | gcparse.ToSpaceExhausted, gcparse.Pinned, signEvacuation},
	{gcparse.Humongous, 0, signHumongous},
	{gcparse.LastResort, 0, signLastResort},
	{gcparse.Degenerated, 0, signDegenerated},
	{gcparse.Percolated, 0, signPercolated},
}

const (
	// startUp is how long class metadata may set off collections as the program
	// loads its classes.
	startUp = int64(300e9)
	// slowRemark is how long a remark may take: half of a client's patience of
	// 400 ms.
	slowRemark = int64(200e6)
	// slowWait is the same for the wait for a safepoint.
	slowWait = int64(200e6)
	// timed is how long a pause must be for its CPU times, which logs print in
	// hundredths of seconds, to be compared with its duration.
	timed = int64(100e6)
)

// look finds the signs of one event. The run is nil where its time is not known.
func (a *Analyzer) look(e *gcparse.Event, r *run, at int64) {
	p := spot{r, at, e.Duration, e.Source, e.Line}
	if e.Flags.Any(gcparse.TimeLimit) {
		a.signs.see(signTimeLimit, p)
	}
	wait := e.HasTimeToSafepoint && e.TimeToSafepoint >= slowWait
	if wait && (e.Kind == gcparse.Pause || e.Kind == gcparse.Safepoint) {
		w := p
		w.dur = e.TimeToSafepoint
		a.signs.see(signWait, w)
	}
	switch e.Kind {
	case gcparse.Stall:
		if e.HasDuration {
			a.signs.see(signStall, p)
		}
	case gcparse.Pause:
		if e.HasDuration {
			a.lookPause(e, r, p)
		}
	}
}

func (a *Analyzer) lookPause(e *gcparse.Event, r *run, p spot) {
	for _, f := range flagSigns {
		if e.Flags.Any(f.flags) && !e.Flags.Any(f.not) {
			a.signs.see(f.sign, p)
		}
	}
	if e.Flags.Any(gcparse.Explicit) {
		a.lookExplicit(e, p)
	}
	if e.Flags.Any(gcparse.MetadataThreshold) && r != nil && p.at-r.from > startUp {
		a.signs.see(signMetaspace, p)
	}
	if e.Duration >= slowRemark && isRemark(e.Title) && !e.Flags.Any(gcparse.Full) {
		a.signs.see(signRemark, p)
	}
	if starved(e) {
		a.signs.see(signStarved, p)
	}
	if r != nil && e.Flags.Any(gcparse.Full) && !e.Flags.Any(gcparse.Explicit|gcparse.Nested) {
		a.storm.full(p)
	}
}

// isRemark tells the pause that ends concurrent marking, in which references are
// processed and classes unloaded.
func isRemark(title string) bool {
	return strings.Contains(title, "emark") || strings.Contains(title, "Mark End") || strings.Contains(title, "Final Mark")
}

// starved tells a pause in which the threads of the collector did not run: even
// one that ran all the time would have used as much CPU time as the pause was
// long.
func starved(e *gcparse.Event) bool {
	return e.HasCPU && e.Real >= timed && 2*(e.User+e.Sys) < e.Real
}

// storm finds full collections that follow each other closely.
type storm struct {
	last    [stormOf]spot
	n       int
	current stormSpell
	worst   stormSpell
	spells  int64
}

// stormSpell is one storm.
type stormSpell struct {
	first, last spot
	fulls, ns   int64
}

const (
	// stormOf full collections within stormWindow are a storm.
	stormOf     = 3
	stormWindow = int64(30e9)
)

func (s *storm) full(p spot) {
	copy(s.last[:], s.last[1:])
	s.last[stormOf-1] = p
	s.n = min(s.n+1, stormOf)
	c := &s.current
	if c.fulls > 0 && c.last.run == p.run && p.at-c.last.at <= stormWindow {
		c.last, c.fulls, c.ns = p, c.fulls+1, c.ns+p.dur
	} else if first := s.last[0]; s.n == stormOf && first.run == p.run && p.at-first.at <= stormWindow {
		*c = stormSpell{first: first, last: p}
		for _, x := range s.last {
			c.fulls, c.ns = c.fulls+1, c.ns+x.dur
		}
		s.spells++
	} else {
		return
	}
	if c.ns > s.worst.ns {
		s.worst = *c
	}
}

// share is the part of the storm's time that its collections took.
func (s stormSpell) share() float64 {
	whole := s.last.at + s.last.dur - s.first.at
	if whole <= 0 {
		return 0
	}
	return min(float64(s.ns)/float64(whole), 1)
}
