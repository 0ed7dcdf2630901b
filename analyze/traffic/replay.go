package traffic

import (
	"context"
	"time"

	"example.com/kneeline/internal/accesslog"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// ReplayOptions say how a log is replayed.
type ReplayOptions struct {
	// Speed is how many seconds of the log go by in one of the run.
	Speed float64
	// For, over 0, replays only the busiest stretch of the log that takes so long.
	For time.Duration
	// Timeout is that of the clients; it tells how many requests may be under way.
	Timeout time.Duration
	// Seed is that of the instants within a second, where the log has whole seconds.
	Seed uint64
	Mix  MixOptions
}

// maxReplayKinds bounds the kinds of requests of a replay that are sent as they are;
// rarer ones are drawn from these.
const maxReplayKinds = 20_000

// Replay is a log ready to be replayed.
type Replay struct {
	// Mix has the kinds of requests, which arrivals name by index.
	Mix *Mix
	// Requests is how many are replayed, of which Drawn are of kinds that are drawn
	// from the others.
	Requests, Drawn uint64
	// From is the log's time of the first arrival, To that of the last.
	From, To time.Time
	// Length is how long the replay takes.
	Length time.Duration
	// PerSecond is the mean rate, PeakPerSecond the highest over a second, and
	// UnderWay that over the clients' timeout, which bounds the requests under way.
	PerSecond, PeakPerSecond, UnderWay float64

	opts  ReplayOptions
	logs  *Logs
	files []disorder
	start int64 // ns of the log
	end   int64
	kinds map[string]int32
	err   error
}

// PlanReplay reads the logs twice: once for their order and their mix, once for what
// the replay will be. They cannot be standard input.
func PlanReplay(ctx context.Context, logs *Logs, o ReplayOptions) (*Replay, error) {
	for _, in := range logs.Inputs {
		if in.Path == input.Stdin {
			return nil, fault.Usagef("a replay reads its log three times: expected files, found stdin")
		}
	}
	r := &Replay{opts: o, logs: logs, files: make([]disorder, len(logs.Inputs))}
	busiest, err := r.survey(ctx)
	if err != nil {
		return nil, err
	}
	r.bounds(busiest)
	return r, r.measure(ctx)
}

// survey reads the logs for the first time.
func (r *Replay) survey(ctx context.Context) (*counter, error) {
	o := r.opts
	g := newGather(o.Mix)
	stretch := max(time.Second, time.Duration(float64(o.For)*o.Speed).Round(time.Second))
	if stretch > MaxWindow {
		return nil, fault.Usagef("the stretch to replay: expected at most %s of the log, found %s", MaxWindow, stretch)
	}
	c := newCounter([]time.Duration{stretch})
	var s spread
	file := -1
	reading, err := r.logs.each(ctx, func(i int, rec *accesslog.Record) {
		if i != file {
			file, s = i, newSpread(o.Seed, i)
		}
		at := s.arrival(rec)
		if !g.add(rec) {
			return
		}
		c.zone(rec.Offset)
		c.add(at)
		r.files[i].see(at)
	})
	if err != nil {
		return nil, err
	}
	top := o.Mix.top()
	if o.Mix.Top == 0 {
		top = maxReplayKinds
	}
	r.Mix = g.mix(top)
	r.Mix.Reading = reading
	if err := r.Mix.check(o.Mix); err != nil {
		return nil, err
	}
	r.kinds = make(map[string]int32, len(r.Mix.Kinds))
	for i, k := range r.Mix.Kinds {
		r.kinds[k.Method+" "+k.Path] = int32(i)
	}
	return c, nil
}

// bounds decides which stretch of the log is replayed.
func (r *Replay) bounds(c *counter) {
	r.start, r.end = 1<<62, -1<<62
	for _, f := range r.files {
		if f.any {
			r.start, r.end = min(r.start, f.first), max(r.end, f.last+1)
		}
	}
	p := c.peaks()
	if r.opts.For > 0 && len(p.Windows) == 1 {
		w := p.Windows[0]
		r.start = w.Start.UnixNano()
		r.end = r.start + int64(w.Window)
	}
	r.From = c.time(floorDiv(r.start, 1e9))
}

// measure goes through the replay once, without sending anything.
func (r *Replay) measure(ctx context.Context) error {
	second, waiting := newSliding(time.Second), newSliding(r.opts.Timeout)
	for a := range r.Trace(ctx) {
		r.Requests++
		if a.Kind == loadgen.AnyKind {
			r.Drawn++
		}
		r.Length = a.At
		second.add(a.At)
		waiting.add(a.At)
	}
	if r.err != nil {
		return r.err
	}
	if r.Requests < 2 || r.Length <= 0 {
		return fault.NoAnswerf("replay: expected at least two requests, at different times, found %d in %s", r.Requests, units.Duration(r.Length))
	}
	r.To = r.From.Add(time.Duration(float64(r.Length) * r.opts.Speed)).Truncate(time.Second)
	r.PerSecond = float64(r.Requests) / r.Length.Seconds()
	// What is over in less than a second has no second that is busier.
	r.PeakPerSecond = max(float64(second.most), r.PerSecond)
	r.UnderWay = float64(waiting.most) / r.opts.Timeout.Seconds()
	return nil
}

// WholeSeconds says that instants within a second were drawn.
func (r *Replay) WholeSeconds() bool { return r.Mix.Reading.WholeSeconds }

// Err is why the last trace ended early; nil when it did not.
func (r *Replay) Err() error { return r.err }

// Trace returns the arrivals of the log from the start of the stretch on, in order,
// at the replay's speed. It can be read again, but not twice at once.
func (r *Replay) Trace(ctx context.Context) loadgen.Trace {
	return func(yield func(loadgen.Arrival) bool) {
		m := newMerge(r)
		defer m.close()
		g := newGather(r.opts.Mix)
		kind := func(rec *accesslog.Record) (int32, bool) {
			key, ok := g.keyOf(rec)
			if !ok {
				return 0, false
			}
			if k, known := r.kinds[string(key)]; known {
				return k, true
			}
			return loadgen.AnyKind, true
		}
		r.err = nil
		for n := 0; ; n++ {
			if n%watchLines == 0 && ctx.Err() != nil {
				r.err = context.Cause(ctx)
				return
			}
			a, ok := m.next(kind)
			if !ok || a.at >= r.end {
				r.err = m.err
				return
			}
			if a.at < r.start {
				continue
			}
			at := time.Duration(float64(a.at-r.start) / r.opts.Speed)
			if !yield(loadgen.Arrival{At: at, Kind: a.kind}) {
				return
			}
		}
	}
}

// slidingParts is into how many parts the window of a sliding count is cut; the
// count is over one part more, so that it is never too low.
const slidingParts = 50

// sliding finds the most arrivals in any window of one length.
type sliding struct {
	part  time.Duration
	parts [slidingParts + 1]uint64
	at    int64
	sum   uint64
	most  uint64
}

func newSliding(window time.Duration) *sliding {
	return &sliding{part: max(window/slidingParts, 1)}
}

func (s *sliding) add(at time.Duration) {
	for i := int64(at / s.part); s.at < i; {
		if i-s.at > slidingParts {
			s.parts, s.sum, s.at = [slidingParts + 1]uint64{}, 0, i
			break
		}
		s.at++
		p := &s.parts[s.at%(slidingParts+1)]
		s.sum -= *p
		*p = 0
	}
	s.parts[s.at%(slidingParts+1)]++
	s.sum++
	s.most = max(s.most, s.sum)
}
