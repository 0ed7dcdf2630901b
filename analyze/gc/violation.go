package gc

import (
	"cmp"
	"slices"

	"example.com/kneeline/analyze/gc/tier"
)

// Violation is a share of time that stayed in a tier for longer than the tier's
// period.
type Violation struct {
	Series string `json:"series"`
	// Counts says whether a violation of the series is an overload by GC; stopped
	// time and the time to safepoint have other causes too.
	Counts bool `json:"counts"`
	// Tier counts from 1, the lowest.
	Tier      int     `json:"tier"`
	Threshold float64 `json:"threshold_ratio"`
	Period    float64 `json:"period_seconds"`
	// Run is the run of the process, from 1.
	Run int `json:"run"`
	// Begin is when the tier was entered, End when it was left.
	Begin Moment `json:"begin"`
	End   Moment `json:"end"`
	// State is "left", "open" when the log ended first, or "cut" when the run did.
	State    string  `json:"state"`
	Duration float64 `json:"duration_seconds"`
	// Violated is Begin and the period; Knowable is when an observer could have
	// said so: the end of the pause that was under way.
	Violated Moment  `json:"violated"`
	Knowable Moment  `json:"knowable"`
	Peak     float64 `json:"peak_ratio"`
	PeakAt   Moment  `json:"peak_at"`
	// Busy is the time that was lost, from a window before Begin until End.
	Busy float64 `json:"busy_seconds"`
	// Events are those that reach into that time, First and Last the start of the
	// first and the end of the last.
	Events  int64   `json:"event_count"`
	Full    int64   `json:"full_count"`
	Longest float64 `json:"longest_seconds"`
	First   Moment  `json:"first_event"`
	Last    Moment  `json:"last_event"`
	Causes  []Share `json:"causes"`
	// Heap is how the heap after collections went.
	Heap *HeapCourse `json:"heap,omitempty"`
	// Source and Line are those of the first event.
	Source int   `json:"source"`
	Line   int64 `json:"line"`

	rank tier.Spell
	run  *run
}

// Share is a part of the pauses, or of other events.
type Share struct {
	Name    string  `json:"name"`
	Count   int64   `json:"count"`
	Seconds float64 `json:"total_seconds"`
	Longest float64 `json:"longest_seconds"`
}

// HeapCourse is how the heap after collections went over some time.
type HeapCourse struct {
	First    int64  `json:"first_after_bytes"`
	Last     int64  `json:"last_after_bytes"`
	Capacity *int64 `json:"capacity_bytes,omitempty"`
	// Slope is that of a line by least squares.
	Slope *float64 `json:"slope_bytes_per_second,omitempty"`
}

// violation writes down a stay with its evidence.
func (c *course) violation(s tier.Spell, e *evidence) Violation {
	t := c.a.cfg.Tiers[s.Tier]
	v := Violation{
		Series: c.series.String(), Counts: c.a.counts(c.series), Tier: s.Tier + 1, Threshold: t.Ratio(), Period: t.Period.Seconds(),
		Run: int(c.run.index) + 1, Begin: c.run.moment(s.Enter), End: c.run.moment(s.Leave), State: s.End.String(),
		Duration: seconds(s.Leave - s.Enter), Violated: c.run.moment(s.ViolatedAt), Knowable: c.run.moment(s.KnowableAt),
		Peak: s.Peak, PeakAt: c.run.moment(s.PeakAt), Busy: seconds(s.Busy), Causes: []Share{}, rank: s, run: c.run,
	}
	if e == nil || e.events == 0 {
		return v
	}
	v.Events, v.Full, v.Longest = e.events, e.full, seconds(e.longest)
	v.First, v.Last = c.run.moment(e.from), c.run.moment(e.to)
	v.Causes = shares(e.causes)
	v.Source, v.Line = int(e.source), e.number
	if e.heap.line.n > 0 {
		h := &HeapCourse{First: e.heap.first, Last: e.heap.last}
		if x := max(e.heap.start, e.heap.end); x >= 0 {
			h.Capacity = &x
		}
		if x, ok := e.heap.line.slope(); ok {
			h.Slope = &x
		}
		v.Heap = h
	}
	return v
}

// maxViolations is how many violations a log reports.
const maxViolations = 1000

// violations keeps the worst.
type violations struct {
	all   []Violation
	count int64
}

func (v *violations) add(x Violation) {
	v.count++
	v.all = append(v.all, x)
	if len(v.all) >= 2*maxViolations {
		v.cut()
	}
}

func (v *violations) cut() {
	slices.SortStableFunc(v.all, worse)
	v.all = v.all[:min(len(v.all), maxViolations)]
}

// worse orders violations: those that count first, then the highest tier, then
// the most time lost.
func worse(a, b Violation) int {
	counts := func(v Violation) int {
		if v.Counts {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(counts(b), counts(a)), cmp.Compare(b.Tier, a.Tier), cmp.Compare(b.Busy, a.Busy),
		cmp.Compare(a.Begin.Log, b.Begin.Log), cmp.Compare(a.Series, b.Series))
}

// inOrder returns them by time.
func (v *violations) inOrder() []Violation {
	v.cut()
	out := slices.Clone(v.all)
	slices.SortStableFunc(out, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Begin.Log, b.Begin.Log), cmp.Compare(a.Series, b.Series), cmp.Compare(a.Tier, b.Tier))
	})
	if out == nil {
		out = []Violation{}
	}
	return out
}

// Incident is a time of overload: violations that overlap, of whatever tier.
type Incident struct {
	Run   int    `json:"run"`
	Begin Moment `json:"begin"`
	End   Moment `json:"end"`
	// Open says that the log ended first.
	Open bool `json:"open"`
	// Knowable is when the first violation could have been known.
	Knowable Moment   `json:"knowable"`
	Series   []string `json:"series"`
	// Tier is the highest that was violated, with its threshold.
	Tier      int     `json:"tier"`
	Threshold float64 `json:"threshold_ratio"`
	Peak      float64 `json:"peak_ratio"`
	// Busy is the time lost in the worst violation.
	Busy       float64 `json:"busy_seconds"`
	Violations int     `json:"violation_count"`

	worst Violation
}

// incidents joins violations that overlap, among those that count.
func incidents(all []Violation) []Incident {
	out := []Incident{}
	open := map[int]int{} // by run
	for _, v := range all {
		if !v.Counts {
			continue
		}
		i, ok := open[v.Run]
		if !ok || v.Begin.Log > out[i].End.Log {
			open[v.Run] = len(out)
			out = append(out, Incident{Run: v.Run, Begin: v.Begin, End: v.End, Open: v.State == tier.Open.String(), Knowable: v.Knowable,
				Series: []string{v.Series}, Tier: v.Tier, Threshold: v.Threshold, Peak: v.Peak, Busy: v.Busy, Violations: 1, worst: v})
			continue
		}
		x := &out[i]
		x.Violations++
		if v.End.Log > x.End.Log {
			x.End = v.End
		}
		x.Open = x.Open || v.State == tier.Open.String()
		if v.Knowable.Log < x.Knowable.Log {
			x.Knowable = v.Knowable
		}
		if !slices.Contains(x.Series, v.Series) {
			x.Series = append(x.Series, v.Series)
		}
		if worse(v, x.worst) < 0 {
			x.worst, x.Tier, x.Threshold, x.Busy = v, v.Tier, v.Threshold, v.Busy
		}
		x.Peak = max(x.Peak, v.Peak)
	}
	return out
}
