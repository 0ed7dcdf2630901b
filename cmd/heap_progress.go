package cmd

import (
	"context"
	"fmt"
	"time"

	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/internal/progress"
	"example.com/kneeline/internal/units"
)

// heapProgress shows how far the reading of heaps is: bytes, and the time that is
// left at the speed so far.
type heapProgress struct {
	app         *app
	live        *progress.Live
	total, done int64 // packed bytes of all inputs, and of those that were read
	of          int   // inputs
	ended       int
	begin, last time.Time
	takes       time.Duration // what the display was told that it takes in all
	phase       string        // of the graph
	phaseBegin  time.Time
}

const (
	// settling is how long the speed is watched before a time is told.
	settling = time.Second
	// redraw is how often the display is told how far it is.
	redraw = 100 * time.Millisecond
)

func newHeapProgress(ctx context.Context, a *app, inputs []*heapInput) *heapProgress {
	p := &heapProgress{app: a, of: len(inputs)}
	unknown := false
	for _, in := range inputs {
		p.total += in.size
		unknown = unknown || in.size == 0
	}
	if p.total < bigInput && !(unknown && a.progressOn()) {
		return p
	}
	if unknown {
		p.total = 0
	}
	p.begin = a.Now()
	p.live = a.display(ctx)
	p.live.Phase(p.name(), 0)
	return p
}

// name is what the phase is called: where each phase is one line it says how much
// there is.
func (p *heapProgress) name() string {
	if p.app.progressOn() || p.total == 0 {
		return "reading"
	}
	return "reading " + units.Size(p.total)
}

// at tells that so many packed bytes of the present input were read.
func (p *heapProgress) at(packed int64) {
	if p.live == nil || !p.app.progressOn() {
		return
	}
	now := p.app.Now()
	if now.Sub(p.last) < redraw {
		return
	}
	p.last = now
	read, elapsed := p.done+packed, now.Sub(p.begin)
	p.settle(read, elapsed)
	status := units.Size(read)
	if p.total > 0 {
		status += " of " + units.Size(p.total)
	}
	if s := elapsed.Seconds(); s > 0 {
		status += fmt.Sprintf(", %s/s", units.Size(int64(float64(read)/s)))
	}
	if p.of > 1 {
		status += fmt.Sprintf(", %s of %s inputs", units.Count(p.ended), units.Count(p.of))
	}
	shown := elapsed
	if p.takes > 0 {
		shown = time.Duration(float64(p.takes) * float64(read) / float64(p.total))
	}
	p.live.Update(shown, status)
}

// settle tells the display how long it takes, once the speed is known, and again
// when that has changed.
func (p *heapProgress) settle(read int64, elapsed time.Duration) {
	if p.total == 0 || read == 0 || elapsed < settling {
		return
	}
	takes := time.Duration(float64(elapsed) * float64(p.total) / float64(read))
	if d := takes - p.takes; p.takes > 0 && d.Abs() < p.takes/5 {
		return
	}
	p.takes = takes
	p.live.Phase(p.name(), takes)
}

// end tells that an input was read.
func (p *heapProgress) end(in *heapInput) {
	p.done += in.size
	p.ended++
}

func (p *heapProgress) close() { p.live.Close() }

// graph tells how far the making of a graph is.
func (p *heapProgress) graph(g graph.Progress) {
	if p.live == nil || !p.app.progressOn() {
		return
	}
	now := p.app.Now()
	if name := g.Phase.String(); name != p.phase {
		p.phase, p.phaseBegin, p.takes = name, now, 0
		p.live.Phase(name, 0)
	} else if now.Sub(p.last) < redraw {
		return
	}
	p.last = now
	elapsed := now.Sub(p.phaseBegin)
	if g.Total <= 0 {
		p.live.Update(elapsed, "")
		return
	}
	part := float64(g.Done) / float64(g.Total)
	if elapsed >= settling && part > 0 {
		takes := time.Duration(float64(elapsed) / part)
		if d := takes - p.takes; p.takes == 0 || d.Abs() >= p.takes/5 {
			p.takes = takes
			p.live.Phase(p.phase, takes)
		}
	}
	shown := elapsed
	if p.takes > 0 {
		shown = time.Duration(float64(p.takes) * part)
	}
	p.live.Update(shown, units.Share(part))
}
