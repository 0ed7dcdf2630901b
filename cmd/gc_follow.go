package cmd

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"example.com/kneeline/analyze/gc"
	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/progress"
	"example.com/kneeline/internal/units"
)

// follow reads a log while it is written, until it is interrupted, and ends with
// the report.
func (r *gcRun) follow(ctx context.Context, args []string) error {
	x := input.Expand(args)
	streams := gcparse.Streams(ctx, x.Sources)
	if len(streams) > 1 {
		return fault.WithHint(
			fault.Usagef("--follow: expected one log, found %d", len(streams)),
			"the files of a rotated set are one log; start one follower for each process")
	}
	return r.stream(x, func() (*gc.Result, error) {
		all, err := r.assemble()
		if err != nil {
			return nil, err
		}
		l, err := r.followLog(ctx, streams[0])
		all.add(0, l, err)
		return all.result(ctx, 1)
	})
}

// followLog reads one log until the context ends.
func (r *gcRun) followLog(ctx context.Context, stream gcparse.Stream) (*gc.Log, error) {
	a, err := gc.New(r.cfg)
	if err != nil {
		return nil, err
	}
	cut := newCutter(r.cut)
	w := newWatch(ctx, r.app, a, r.cfg)
	defer w.live.Close()
	idle, stop := w.idle, func() {}
	if last := stream.Sources[len(stream.Sources)-1]; last.Path == input.Stdin {
		// Whoever waits for a pipe cannot tell that time goes by.
		idle, stop = nil, w.tick(ctx)
	}
	res, err := gcparse.Follow(ctx, stream, gcparse.FollowOptions{
		Options: gcparse.Options{Stdin: r.Stdin},
		Wait:    waitFor,
		Idle:    idle,
	}, func(e *gcparse.Event) {
		w.mu.Lock()
		defer w.mu.Unlock()
		r.take(a, cut, e, &stream)
		w.event(e)
	})
	stop()
	w.live.Close()
	if ctx.Err() != nil {
		res.Complete = false
		err = context.Cause(ctx)
	}
	return r.finish(a, cut, res), err
}

// waitFor waits for a time or until the context ends.
func waitFor(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// watch says what happens in a log while it is followed.
type watch struct {
	mu sync.Mutex // guards what follows, and the judge

	app    *app
	judge  *gc.Analyzer
	window time.Duration
	tiers  tier.List
	live   *progress.Live
	// current is true once the log was read to its present end: what it tells from
	// then on has just happened.
	current bool
	// began is when following did, heard when the last event was read, looked when
	// the state was.
	began, heard, looked time.Time
	// last is the last pause, heap the last that the log told.
	last gcparse.Event
	heap gcparse.Space
	// open are the violations that go on, by series.
	open map[gc.Series]*openViolation
}

// openViolation is one that was announced.
type openViolation struct {
	tier  int
	begin gc.Moment
	peak  float64
}

// lookEvery is how often the state is looked at.
const lookEvery = 500 * time.Millisecond

func newWatch(ctx context.Context, a *app, judge *gc.Analyzer, cfg gc.Config) *watch {
	w := &watch{app: a, judge: judge, window: cfg.Window, tiers: cfg.Tiers, open: map[gc.Series]*openViolation{}, live: a.display(ctx)}
	w.live.Phase("following, Ctrl-C for the report", 0)
	w.began, w.heard, w.looked = a.Now(), a.Now(), a.Now()
	return w
}

// event takes note of an event that the judge has taken.
func (w *watch) event(e *gcparse.Event) {
	w.heard = w.app.Now()
	if e.Stops() {
		w.last = *e
	}
	if e.Heap.HasAfter {
		w.heap = e.Heap
	}
	if w.current && w.heard.Sub(w.looked) >= lookEvery {
		w.look()
	}
}

// tick calls idle from time to time, until the function that it returns is called.
func (w *watch) tick(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var ticking sync.WaitGroup
	ticking.Go(func() {
		for waitFor(ctx, lookEvery); ctx.Err() == nil; waitFor(ctx, lookEvery) {
			w.idle()
		}
	})
	return func() {
		cancel()
		ticking.Wait()
	}
}

// idle is called while the log is silent.
func (w *watch) idle() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.current {
		w.current = true
		w.caughtUp()
		return
	}
	if w.app.Now().Sub(w.looked) >= lookEvery {
		w.look()
	}
}

// caughtUp says how things stand once all that was there is read.
func (w *watch) caughtUp() {
	states, at := w.states()
	if len(states) == 0 {
		w.live.Note("no events so far; waiting")
		return
	}
	var parts []string
	for _, s := range states {
		if s.Judged && s.Counts {
			parts = append(parts, fmt.Sprintf("%s of %s", units.Share(s.Share), s.Series.Words()))
		}
	}
	if len(parts) == 0 {
		parts = []string{"too early to judge"}
	}
	w.live.Note(fmt.Sprintf("%s  now over %s: %s", at, units.Duration(w.window), strings.Join(parts, ", ")))
	w.look()
}

// states returns the state of all series, and the time of the log at which it is.
func (w *watch) states() ([]gc.Live, string) {
	w.looked = w.app.Now()
	now := w.judge.Newest(w.looked.Sub(w.heard))
	at := "now"
	switch {
	case now.HasWall:
		at = time.Unix(0, now.Wall).UTC().Format("15:04:05Z")
	case now.HasUptime:
		at = units.Duration(time.Duration(now.Uptime))
	}
	return w.judge.Live(now), at
}

// look announces what has changed, and draws the state.
func (w *watch) look() {
	states, at := w.states()
	var shares []string
	for _, s := range states {
		if !s.Counts {
			continue
		}
		w.announce(s, at)
		if s.Judged {
			shares = append(shares, fmt.Sprintf("%s %s", s.Series, units.Share(s.Share)))
		}
	}
	status := strings.Join(shares, "  ")
	if w.heap.HasCapacity {
		status += fmt.Sprintf("  heap %s of %s", units.Size(w.heap.After), units.Size(w.heap.Capacity))
	}
	if w.last.HasDuration {
		status += fmt.Sprintf("  last pause %s, %s", units.Duration(time.Duration(w.last.Duration)), w.last.Title)
	}
	w.live.Update(w.looked.Sub(w.began), at+"  "+status)
}

// announce says that a violation began, rose to a higher tier, or ended.
func (w *watch) announce(s gc.Live, at string) {
	highest := -1
	for k, in := range s.Occupied {
		if in && s.Tiers[k].Violated {
			highest = k
		}
	}
	open := w.open[s.Series]
	switch {
	case highest < 0 && open != nil:
		w.live.Note(fmt.Sprintf("%s  violation ends: %s, begun at %s, peak %s", at, s.Series.Words(), shortMoment(open.begin), units.Share(open.peak)))
		delete(w.open, s.Series)
		return
	case highest < 0:
		return
	}
	if open == nil {
		open = &openViolation{tier: -1}
		w.open[s.Series] = open
	}
	if highest > open.tier {
		what := "violation begins"
		if open.tier >= 0 {
			what = "violation rises"
		} else if s.Begin[highest] != nil {
			open.begin = *s.Begin[highest]
		}
		open.tier = highest
		w.live.Note(fmt.Sprintf("%s  %s: %s at or over %s since %s, now %s", at, what, s.Series.Words(), units.ExactShare(w.tiers[highest].Ratio()),
			shortMoment(*s.Begin[highest]), units.Share(s.Share)))
	}
	for k, in := range s.Occupied {
		if in {
			open.peak = max(open.peak, s.Tiers[k].Peak)
		}
	}
}
