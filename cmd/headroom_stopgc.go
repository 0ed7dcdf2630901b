package cmd

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"example.com/kneeline/analyze/gc"
	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/units"
)

// gcStop is one --stop-on-gc: a log that is followed until a violation of GC
// overhead begins, by the tiers of the command gc. What it keeps of the log is what
// the analysis keeps, which does not grow with the log.
type gcStop struct {
	app    *app
	path   string
	stream gcparse.Stream
	judge  *gc.Analyzer
	tiers  tier.List

	// caughtUp is closed once the log was read to its present end, over when
	// following has ended.
	caughtUp, over chan struct{}
	end            context.CancelFunc

	mu            sync.Mutex // guards what follows, and the judge
	current       bool
	heard, looked time.Time
	// found is the violation that goes on, nil when there is none.
	found *headroom.StopSignal
	// tell is called when one begins.
	tell func(headroom.StopSignal)
	err  error
}

func newGCStop(a *app, path string) (*gcStop, error) {
	if path == input.Stdin {
		return nil, fault.Usagef("--stop-on-gc: expected a file, found -, which nobody can follow beside the load")
	}
	x := input.Expand([]string{path})
	if err := errors.Join(x.Problems...); err != nil {
		return nil, fmt.Errorf("--stop-on-gc: %w", err)
	}
	streams := gcparse.Streams(context.Background(), x.Sources)
	if len(streams) != 1 {
		return nil, fault.Usagef("--stop-on-gc: expected one log, found %d in %s", len(streams), path)
	}
	judge, err := gc.New(gc.Config{})
	if err != nil {
		return nil, err
	}
	return &gcStop{app: a, path: path, stream: streams[0], judge: judge, tiers: tier.Default(),
		caughtUp: make(chan struct{}), over: make(chan struct{})}, nil
}

// ready begins to follow and waits until what is there is read.
func (g *gcStop) ready(ctx context.Context) error {
	following, end := context.WithCancel(ctx)
	g.end = end
	g.heard = g.app.Now()
	go g.follow(following)
	select {
	case <-g.caughtUp:
	case <-g.over:
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if g.err != nil {
		return fmt.Errorf("--stop-on-gc: %w", g.err)
	}
	if g.found != nil {
		return fault.NoAnswerf("--stop-on-gc: before the first request, %s", g.found.Found)
	}
	return nil
}

// close ends following.
func (g *gcStop) close() {
	if g.end != nil {
		g.end()
		<-g.over
	}
}

// follow reads the log until ctx ends.
func (g *gcStop) follow(ctx context.Context) {
	defer close(g.over)
	_, err := gcparse.Follow(ctx, g.stream, gcparse.FollowOptions{Wait: waitFor, Idle: g.idle}, g.event)
	g.mu.Lock()
	g.err = err
	g.mu.Unlock()
}

func (g *gcStop) event(e *gcparse.Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.judge.Event(e)
	g.heard = g.app.Now()
	if g.current {
		g.look()
	}
}

// idle is called while the log is silent.
func (g *gcStop) idle() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.current {
		g.current = true
		g.look()
		close(g.caughtUp)
		return
	}
	g.look()
}

// look looks for a violation that goes on, twice a second at most.
func (g *gcStop) look() {
	now := g.app.Now()
	if !g.looked.IsZero() && now.Sub(g.looked) < lookEvery {
		return
	}
	g.looked = now
	before := g.found
	g.found = nil
	for _, s := range g.judge.Live(g.judge.Newest(now.Sub(g.heard))) {
		if !s.Counts {
			continue
		}
		for k, in := range s.Occupied {
			if in && s.Tiers[k].Violated {
				t := units.ExactShare(g.tiers[k].Ratio())
				g.found = &headroom.StopSignal{Signal: "gc", Source: g.path, Condition: fmt.Sprintf("%s at or over %s for %s", s.Series.Words(), t, units.Duration(g.tiers[k].Period)),
					Value: s.Share, Found: fmt.Sprintf("%s: %s at or over %s since %s, now %s", g.path, s.Series.Words(), t, shortMoment(*s.Begin[k]), units.Share(s.Share))}
			}
		}
	}
	if g.found != nil && before == nil && g.tell != nil {
		g.tell(*g.found)
	}
}

// watch waits for a violation to begin.
func (g *gcStop) watch(ctx context.Context, s *signals) {
	defer g.close()
	g.mu.Lock()
	g.tell = s.stop
	if g.found != nil { // it began after ready had looked
		s.stop(*g.found)
	}
	g.mu.Unlock()
	select {
	case <-ctx.Done():
	case <-g.over:
		g.mu.Lock()
		err := g.err
		g.mu.Unlock()
		if ctx.Err() == nil {
			s.note("--stop-on-gc: %s could not be followed to the end of the load: %v", g.path, err)
		}
	}
}
