package gc

import (
	"math"

	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/hist"
)

// maxRuns is how many runs are held open at once, to be ended by what the log says
// of them at its end. Of more, the oldest are ended by their last event.
const maxRuns = 64

// Analyzer takes the events of one log and judges them. Use it from one goroutine.
type Analyzer struct {
	cfg  Config
	runs map[int32]*run
	// order are the runs that are held, by the time of their last event.
	order []*run
	axis  axis

	lanes      [numSeries]lane
	totals     [numSeries]totals
	late       totals
	observed   int64
	violations violations
	unfinished *Violation // the worst stay that its run ended before it was a violation

	pauses   durations
	stalls   durations
	waits    durations // time to safepoint
	tally    tally
	signs    signs
	storm    storm
	cpu      cpuUse
	goHeap   goHeap
	heapLane heapLane
	rates    rates
	leak     *leak
	live     *leak // the trend of the longest run, whatever it is
	small    *small
	// fullest is the most that lived after a full collection, in a heap of what
	// capacity.
	fullest   struct{ after, capacity int64 }
	promotion *promotion
	capacity  int64 // the largest heap seen

	kinds     [int(gcparse.Hole) + 1]int64
	nested    int64
	unstamped int64
	// implausible counts events whose times cannot be.
	implausible int64
	untimed     int64
	hasCPU      bool  // some run has a CPU series
	assumed     int64 // concurrent phases whose CPU share is not known
	nRuns       int
	goEvents    int64
	first       gcparse.Collector
	newest      int32 // the highest index of a run
	forced      forced
}

// durations are those of one kind of event.
type durations struct {
	hist hist.Hist
}

// New returns an analyzer, or a usage error when cfg makes no sense.
func New(cfg Config) (*Analyzer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Analyzer{cfg: cfg.withDefaults(), runs: map[int32]*run{}}, nil
}

// Event takes the next event, in the order in which the log completes them. It
// keeps nothing of e.
func (a *Analyzer) Event(e *gcparse.Event) {
	if int(e.Kind) < len(a.kinds) {
		a.kinds[e.Kind]++
	}
	if e.Collector == gcparse.Go {
		a.goEvents++
	}
	if implausible(e) {
		a.implausible++
		return
	}
	if e.Start.Zero() {
		a.timeless(e)
		return
	}
	r := a.run(e)
	at, ok := r.at(e.Start)
	if !ok {
		a.timeless(e)
		return
	}
	if at-r.newest > maxUptime || r.from-at > maxUptime {
		a.implausible++
		return
	}
	r.seen(at)
	a.count(e)
	a.look(e, r, at)
	a.place(r, e, at)
}

// timeless takes an event into what does not need its time.
func (a *Analyzer) timeless(e *gcparse.Event) {
	a.unstamped++
	a.count(e)
	a.look(e, nil, 0)
}

// run returns the run of an event. One that was ended already goes on as another.
func (a *Analyzer) run(e *gcparse.Event) *run {
	n := len(a.order)
	if n > 0 && a.order[n-1].index == e.Run {
		return a.order[n-1]
	}
	r, ok := a.runs[e.Run]
	if !ok {
		r = newRun(a, e)
		if e.Run >= a.newest {
			a.newest = e.Run
			a.nRuns++
		}
		a.runs[e.Run] = r
		if n == maxRuns {
			a.order[0].stop(0, tier.Cut)
			delete(a.runs, a.order[0].index)
			a.order = a.order[:copy(a.order, a.order[1:])]
		}
		// What waits for events that come late is no longer needed, unless runs
		// take turns.
		if n := len(a.order); n > 2 {
			a.order[n-3].flush()
		}
		a.order = append(a.order, r)
		return r
	}
	for i, x := range a.order {
		if x == r {
			copy(a.order[i:], a.order[i+1:])
			a.order[len(a.order)-1] = r
		}
	}
	return r
}

// flush gives up waiting for events that come late.
func (r *run) flush() {
	for _, c := range r.courses {
		if c != nil {
			c.meter.Flush()
		}
	}
	if r.deadline != nil {
		r.deadline.Flush()
	}
}

// place adds the event to the series that it belongs to.
func (a *Analyzer) place(r *run, e *gcparse.Event, at int64) {
	if e.Collector != gcparse.AnyCollector {
		if a.first == gcparse.AnyCollector {
			a.first = e.Collector
		}
		r.collector = e.Collector
	}
	end := at
	if e.HasDuration && e.Kind != gcparse.Assist {
		end = at + max(e.Duration, 0)
	}
	switch e.Kind {
	case gcparse.Hole:
		r.cut(max(at, r.newest))
		return
	case gcparse.Pause:
		a.placePause(r, e, at, end)
	case gcparse.Concurrent:
		a.placeConcurrent(r, e, at, end)
	case gcparse.Stall:
		if e.HasDuration {
			r.add(Stalls, at, end, tier.Whole, markOf(e))
		}
	case gcparse.Assist:
		a.placeAssist(r, e)
	case gcparse.Safepoint:
		if e.HasDuration {
			r.add(Stopped, at, end, tier.Whole, markOf(e))
			if e.HasTimeToSafepoint {
				r.add(ToSafepoint, at, at+min(e.TimeToSafepoint, e.Duration), tier.Whole, markOf(e))
			}
		}
	}
	r.seen(end)
	r.heap.event(r, e, at, end)
}

// placePause adds a pause. One inside another has been counted with it.
func (a *Analyzer) placePause(r *run, e *gcparse.Event, at, end int64) {
	r.maxWorkers = max(r.maxWorkers, e.Workers)
	if !e.Stops() {
		return
	}
	m := markOf(e)
	if e.Incremental > 0 {
		// Steps before the pause: the log says how long they were together, and not
		// when. They are spread over the time since the last pause.
		from := min(r.lastStop, at-e.Incremental)
		share := e.Incremental * tier.Whole / (at - from)
		r.add(Pauses, from, at, share, m)
		r.deadlineAdd(from, at, share, m)
	}
	r.add(Pauses, at, end, tier.Whole, m)
	if r.courses[CPU] != nil {
		r.add(CPU, at, end, tier.Whole, m)
	}
	if r.courses[Stopped] != nil {
		// A log with safepoints has the pause in its safepoint. This is for those
		// that leave some out.
		r.add(Stopped, at, end, tier.Whole, m)
	}
	r.deadlineAdd(at, end, tier.Whole, m)
	if e.HasTimeToSafepoint && e.TimeToSafepoint > 0 {
		r.add(Stopped, at-e.TimeToSafepoint, at, tier.Whole, m)
		r.add(ToSafepoint, at-e.TimeToSafepoint, at, tier.Whole, m)
	}
	r.lastStop = max(r.lastStop, end)
}

// deadlineAdd adds stopped time to the meter of the clients' timeout.
func (r *run) deadlineAdd(from, to, share int64, m mark) {
	if r.a.cfg.Timeout == 0 {
		return
	}
	if r.deadline == nil {
		d, err := tier.New(r.a.cfg.deadline(), tier.Observer[mark](quiet{}))
		if err != nil {
			panic("gc: a timeout that was validated is not valid: " + err.Error())
		}
		r.deadline = d
		d.Start(r.from)
	}
	r.deadline.Add(from, to, share, m)
}

// quiet observes nothing.
type quiet struct{}

func (quiet) Began(mark, int64, int64)             {}
func (quiet) Entered(int, int64)                   {}
func (quiet) Ended(tier.Spell)                     {}
func (quiet) Moved(int64, int64, float64, float64) {}
func (quiet) Coarse() int64                        { return math.MaxInt64 }

// plus adds times that are not negative, and stops at the most there is.
func plus(a, b int64) int64 {
	if s := a + b; s >= a {
		return s
	}
	return a
}

// totals adds up those of several runs.
type totals struct {
	tier.Totals
}

func (t *totals) add(o tier.Totals) {
	t.Observed = plus(t.Observed, o.Observed)
	t.Judged = plus(t.Judged, o.Judged)
	t.Busy += o.Busy
	t.Clipped += o.Clipped
	t.Runs += o.Runs
	if t.Above == nil {
		t.Above, t.Occupied = make([]int64, len(o.Above)), make([]int64, len(o.Above))
	}
	for k := range o.Above {
		t.Above[k] += o.Above[k]
		t.Occupied[k] += o.Occupied[k]
	}
	t.Peak = max(t.Peak, o.Peak)
}
