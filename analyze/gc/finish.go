package gc

import (
	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/hist"
)

// Finish ends all runs and returns the judgement. Res is what reading the log gave
// beside its events; nil where there is nothing but events. The analyzer takes no
// more events.
func (a *Analyzer) Finish(res *gcparse.Result) *Log {
	if res == nil {
		res = &gcparse.Result{Complete: true}
	}
	for _, r := range a.order {
		end, last := r.newest, tier.Cut
		if int(r.index) < len(res.Runs) {
			known := res.Runs[r.index]
			if at, ok := r.at(known.Last); ok && !beyond(known.Last) && at-r.newest <= maxUptime {
				end = max(end, at)
			}
			r.heap.capacity = max(r.heap.capacity, known.HeapMax)
		}
		if a.lasts(res, r) {
			last = tier.Open
		}
		r.stop(end, last)
	}
	l := &Log{
		Name: res.Stream.Name, Complete: res.Complete, Observed: seconds(a.observed), RunCount: max(len(res.Runs), a.nRuns),
		Violations: a.violations.inOrder(), Violated: a.violations.count, Events: map[string]int64{}, Warnings: []string{}, Runs: []Run{},
	}
	if len(res.Stream.Sources) > 1 {
		for _, s := range res.Stream.Sources {
			l.Files = append(l.Files, s.Name)
		}
	}
	l.Incidents = incidents(l.Violations)
	for k, n := range a.kinds {
		if n > 0 {
			l.Events[gcparse.Kind(k).String()] = n
		}
	}
	a.describe(l, res)
	a.figures(l)
	l.Input = inputOf(res)
	a.warn(l, res)
	f := finder{a: a, log: l, res: res}
	l.Findings = f.all()
	l.Verdict = f.verdict()
	return l
}

// lasts says whether a run went on to the end of the log: it is the newest, or
// another process wrote to the log with it.
func (a *Analyzer) lasts(res *gcparse.Result, r *run) bool {
	for i := int(r.index) + 1; i < len(res.Runs); i++ {
		if w := res.Runs[i].Why; w != gcparse.OtherProcess && w != gcparse.OtherFamily {
			return false
		}
	}
	return len(res.Runs) > 0 || r == a.order[len(a.order)-1]
}

// maxRunsListed is how many runs are described.
const maxRunsListed = 100

// describe says which processes the log is of.
func (a *Analyzer) describe(l *Log, res *gcparse.Result) {
	held := map[int32]*run{}
	for _, r := range a.order {
		held[r.index] = r
	}
	for i, x := range res.Runs {
		if x.Family != "" {
			l.Family, l.Version = x.Family, x.Version
		}
		if c := x.Collector.String(); c != "" {
			l.Collector = c
		}
		if i >= maxRunsListed {
			continue
		}
		d := Run{Collector: x.Collector.String(), Version: x.Version, PID: x.PID, Why: x.Why.String(),
			HeapMax: positive(x.HeapMax), Memory: positive(x.Memory), CPUs: positive(x.CPUs)}
		if r, ok := held[int32(i)]; ok {
			b, e := r.moment(r.from), r.moment(r.newest)
			d.Begin, d.End = &b, &e
		}
		l.Runs = append(l.Runs, d)
	}
	if n := len(a.order); n > 0 {
		r := a.order[n-1]
		if l.Collector == "" {
			l.Collector = r.collector.String()
		}
		l.Origin, l.End = a.order[0].moment(a.axis.origin-a.order[0].shift), r.moment(a.axis.end-r.shift)
	}
}

func positive[T int32 | int64](v T) *T {
	if v <= 0 {
		return nil
	}
	return &v
}

// figures fills in the numbers.
func (a *Analyzer) figures(l *Log) {
	h := &a.pauses.hist
	p := &l.Pauses
	l.hist = h
	p.Stops = int64(h.Count())
	p.Count = p.Stops + a.nested
	p.Full, p.FullTotal = a.tally.full.count, seconds(a.tally.full.ns)
	p.Total = h.Sum() / 1e9
	p.Longest = seconds(h.Max())
	p.ByTitle, p.ByCause = shares(a.tally.titles.all), shares(a.tally.causes.all)
	if p.Stops > 0 {
		p.Quantiles = quantiles(h)
	}
	if a.observed > 0 && (p.Stops > 0 || !a.blind()) {
		t := 1 - float64(a.totals[Pauses].Busy)/float64(a.observed)
		p.Throughput = &t
	}
	l.Stalls, l.Waits = lengths(&a.stalls.hist), lengths(&a.waits.hist)
	if a.cfg.Timeout > 0 && a.late.Judged > 0 {
		l.Deadline = &Deadline{Timeout: a.cfg.Timeout.Seconds(), Service: a.cfg.Service.Seconds(),
			Late: float64(a.late.Above[0]) / float64(a.late.Judged), LateSeconds: seconds(a.late.Above[0])}
	}
	for s := range Series(numSeries) {
		if a.reports(s) {
			l.Overhead = append(l.Overhead, a.seriesFigures(s, l))
		}
	}
	a.rateFigures(l)
	a.heapFigures(l)
}

// reports says whether a series is more than another under a new name.
func (a *Analyzer) reports(s Series) bool {
	switch s {
	case CPU:
		return a.hasCPU
	case Stalls:
		return a.kinds[gcparse.Stall] > 0
	case Assists:
		return a.kinds[gcparse.Assist] > 0
	case Stopped:
		return a.kinds[gcparse.Safepoint] > 0
	case ToSafepoint:
		return a.waits.hist.Count() > 0
	}
	return true
}

// counts says whether a violation of a series is an overload by GC.
func (a *Analyzer) counts(s Series) bool {
	switch s {
	case Pauses, Stalls, Assists:
		return true
	case CPU:
		return a.cfg.CountConcurrent || a.goEvents > 0
	}
	return false
}

// blind says that the log has collections and shows no pauses of them.
func (a *Analyzer) blind() bool {
	return a.pauses.hist.Count() == 0 && a.kinds[gcparse.Cycle]+a.kinds[gcparse.Concurrent] > 0
}

func (a *Analyzer) seriesFigures(s Series, l *Log) SeriesFigures {
	t := a.totals[s]
	f := SeriesFigures{Name: s.String(), Counts: a.counts(s), Busy: seconds(t.Busy), Judged: seconds(t.Judged), Tiers: []TierTime{},
		Violations: make([]int64, len(a.cfg.Tiers))}
	if a.observed > 0 {
		f.Overall = float64(t.Busy) / float64(a.observed)
	}
	if t.Judged > 0 {
		f.Peak = &t.Peak
	}
	for k, x := range a.cfg.Tiers {
		tt := TierTime{Threshold: x.Ratio()}
		if t.Above != nil {
			tt.Above, tt.Occupied = seconds(t.Above[k]), seconds(t.Occupied[k])
		}
		f.Tiers = append(f.Tiers, tt)
	}
	for _, v := range l.Violations {
		if v.Series == f.Name {
			f.Violations[v.Tier-1]++
		}
	}
	if n := &a.lanes[s]; n.started {
		c := &Curve{Start: seconds(n.origin - a.axis.origin), Step: seconds(n.width)}
		c.Max, c.Mean = n.curve()
		f.Curve = c
	}
	return f
}

func quantiles(h *hist.Hist) *Quantiles {
	q := func(x float64) float64 { return seconds(h.Quantile(x)) }
	return &Quantiles{P50: q(0.5), P90: q(0.9), P99: q(0.99), P999: q(0.999), Max: seconds(h.Max())}
}

func lengths(h *hist.Hist) *Durations {
	if h.Count() == 0 {
		return nil
	}
	return &Durations{Count: h.Count(), Total: h.Sum() / 1e9, Quantiles: *quantiles(h)}
}

func (a *Analyzer) rateFigures(l *Log) {
	if a.rates.over > 0 {
		v := float64(a.rates.allocated) / seconds(a.rates.over)
		l.Rates.Allocation, l.Rates.Allocated = &v, &a.rates.allocated
		if a.rates.hasPeak {
			// All of the log is ten seconds or more as well.
			peak := max(a.rates.peak, v)
			l.Rates.AllocationPeak = &peak
		}
	}
	if a.observed <= 0 {
		return
	}
	if a.rates.hasPromoted {
		v := float64(a.rates.promoted) / seconds(a.observed)
		l.Rates.Promotion, l.Rates.Promoted = &v, &a.rates.promoted
	}
	v := float64(l.Pauses.Stops) / seconds(a.observed)
	l.Rates.PausesPerSecond = &v
}

func (a *Analyzer) heapFigures(l *Log) {
	n := &a.heapLane
	if !n.started {
		return
	}
	h := &HeapFigures{Start: seconds(n.origin - a.axis.origin), Step: seconds(n.width)}
	for i, p := range n.points {
		if p.n > 0 {
			h.Points = append(h.Points, HeapPoint{Log: seconds(n.origin - a.axis.origin + int64(i)*n.width),
				Least: p.least, Most: p.most, Capacity: positive(p.capacity)})
		}
	}
	if a.live != nil {
		h.Live = a.live.figures()
	}
	l.Heap = h
}
