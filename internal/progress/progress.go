// Package progress shows on stderr what a long command is doing: a live line
// with bar and status on a terminal, one plain line a phase elsewhere.
//
// It is the only package that imports mpb. It never writes to stdout, keeps no
// time of its own (the caller says how far a phase is) and knows nothing of
// what the phases do. What must be read afterwards belongs in the report.
package progress

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"example.com/kneeline/internal/term"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// Options say where and how to show progress. The zero value shows nothing.
type Options struct {
	// Out is the program's stderr.
	Out io.Writer
	// TTY says that Out is a terminal: then lines are drawn over, else each phase
	// is one line.
	TTY bool
	// Quiet shows nothing at all.
	Quiet bool
	// Width is the number of columns to use where Out does not tell its own; 0
	// means 80.
	Width int
}

// refresh is how often the live line is drawn: fast enough to look alive, slow
// enough to cost nothing beside a load generator.
const refresh = 200 * time.Millisecond

// Live is a display that a command updates. Its methods may be called from any
// goroutine, after Close, and on nil, where they do nothing.
type Live struct {
	mu     sync.Mutex // guards what follows; never held by the drawing side
	out    io.Writer  // nil when nothing is shown
	pool   *mpb.Progress
	bar    *mpb.Bar // one for all phases, so that the display does not jump
	closed bool
	detach func() bool // stops watching the context

	now atomic.Pointer[state] // what the drawing side shows
}

// state is one picture of a phase.
type state struct {
	name           string
	elapsed, total time.Duration // total is 0 when it is not known
	status         string
}

// fullBar is the length of the bar in steps.
const fullBar = 10_000

// current is how many steps of the bar are done. It is never all of them: mpb
// takes a full bar for completed and removes it.
func (s *state) current() int64 {
	if s.total <= 0 {
		return 0
	}
	return int64(min(float64(s.elapsed)/float64(s.total), 1) * (fullBar - 1))
}

// New starts a display that ends with ctx or with Close, whichever comes first.
func New(ctx context.Context, o Options) *Live {
	l := &Live{}
	l.now.Store(&state{})
	if o.Quiet || o.Out == nil {
		return l
	}
	l.out = o.Out
	if !o.TTY {
		return l
	}
	if o.Width <= 0 {
		o.Width = 80
	}
	// The pool does not get ctx itself: when that ends it would leave its last
	// picture on the screen, whereas Close removes it.
	l.pool = mpb.NewWithContext(context.WithoutCancel(ctx),
		mpb.WithOutput(o.Out), mpb.ForceTTY(), mpb.WithAutoRefresh(), mpb.WithWidth(o.Width), mpb.WithRefreshRate(refresh))
	l.mu.Lock()
	l.detach = context.AfterFunc(ctx, l.Close)
	l.mu.Unlock()
	return l
}

// Phase begins a phase, which ends the one before it. Total is how long it will
// take at most; 0 means that nobody knows.
func (l *Live) Phase(name string, total time.Duration) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.out == nil {
		return
	}
	s := &state{name: term.Clean(name), total: max(total, 0)}
	l.now.Store(s)
	switch {
	case l.pool == nil:
		l.plain(s)
	case l.bar == nil:
		l.addBar()
	default:
		l.bar.SetCurrent(0)
	}
}

// addBar begins to draw. Adding fails only after shutdown, which cannot be
// while the display is open; then there is no bar and updates do nothing.
func (l *Live) addBar() {
	l.bar, _ = l.pool.Add(fullBar, mpb.BarStyle().Build(),
		mpb.BarRemoveOnComplete(),
		mpb.BarFillerMiddleware(l.onlyIfKnown),
		mpb.PrependDecorators(decor.Any(l.head)),
		mpb.AppendDecorators(decor.Any(l.tail)),
		mpb.BarExtender(mpb.BarFillerFunc(l.statusLine), false))
}

func (l *Live) plain(s *state) {
	line := s.name
	if s.total > 0 {
		line += " (up to " + seconds(s.total) + ")"
	}
	fmt.Fprintln(l.out, line)
}

// Update says how far the phase is and how things stand, in one short line such
// as "1,150/s  p50 8 ms  p99 190 ms  2 late".
func (l *Live) Update(elapsed time.Duration, status string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.bar == nil {
		return
	}
	s := *l.now.Load()
	s.elapsed, s.status = max(elapsed, 0), term.Clean(status)
	l.now.Store(&s)
	l.bar.SetCurrent(s.current())
}

// Note writes a line that stays, above the live one.
func (l *Live) Note(line string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out == nil {
		return
	}
	line = term.Clean(line) + "\n"
	if l.pool != nil && !l.closed {
		if _, err := io.WriteString(l.pool, line); err == nil {
			return
		}
	}
	// What stderr does not take is lost; there is nowhere left to say so.
	_, _ = io.WriteString(l.out, line)
}

// Close removes the live line and ends the display. It may be called twice.
func (l *Live) Close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.closed = true
	if l.pool == nil {
		return
	}
	l.detach()
	if l.bar != nil {
		l.bar.Abort(true)
	}
	l.pool.Wait()
}
