package gc

import (
	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/gcparse"
)

// assumedShare is the share of the processors that concurrent work is taken to use
// where the log does not say: a quarter, which is what HotSpot makes of its
// threads (ConcGCThreads = (ParallelGCThreads + 2) / 4) and what Go's collector
// aims at.
const assumedShare = tier.Whole / 4

// placeConcurrent adds work beside the program.
func (a *Analyzer) placeConcurrent(r *run, e *gcparse.Event, at, end int64) {
	if !e.HasDuration || end <= at {
		return
	}
	if a.watchesCPU(e.Collector) {
		share, known := concurrentShare(r, e)
		if !known {
			a.assumed++
		}
		r.busy().meter.Add(at, end, share, markOf(e))
	}
	r.cycle.id, r.cycle.known, r.cycle.from, r.cycle.to = e.ID, true, at, end
	if r.waits {
		r.flushAssist()
	}
}

// watchesCPU says whether the CPU share is worth its cost: where it was asked for,
// and for collectors whose pauses say nothing of their load.
func (a *Analyzer) watchesCPU(c gcparse.Collector) bool {
	return a.cfg.CountConcurrent || c.PauseFree()
}

// concurrentShare is the share of the processors that the work took.
func concurrentShare(r *run, e *gcparse.Event) (int64, bool) {
	cpus := e.Procs
	if cpus == 0 {
		// A parallel pause uses all processors up to eight, and then 5 of 8 more.
		cpus = r.maxWorkers
	}
	switch {
	case e.HasCPU && cpus > 0 && e.Duration > 0:
		return shareOf(e.User+e.Sys, e.Duration, cpus), true
	case e.Workers > 0 && cpus > 0:
		return min(tier.Whole*int64(e.Workers)/int64(cpus), tier.Whole), true
	}
	return assumedShare, false
}

// shareOf is CPU time over the time of all processors.
func shareOf(cpu, span int64, procs int32) int64 {
	v := float64(cpu) / (float64(span) * float64(max(procs, 1)))
	return int64(min(max(v, 0), 1)*tier.Whole + 0.5)
}

// placeAssist keeps work that the program did for the collector until the
// concurrent phase is known in which it was done.
func (a *Analyzer) placeAssist(r *run, e *gcparse.Event) {
	if !e.HasDuration || e.Duration <= 0 {
		return
	}
	r.flushAssist()
	r.assist, r.waits = *e, true
	if r.cycle.known && e.HasID && r.cycle.id == e.ID {
		r.flushAssist()
	}
}

// flushAssist spreads the waiting assists over the concurrent phase of the same
// collection, or where that is not known over the shortest time in which its
// threads could have done them.
func (r *run) flushAssist() {
	if !r.waits {
		return
	}
	r.waits = false
	e := &r.assist
	at, ok := r.at(e.Start)
	if !ok {
		return
	}
	threads := e.Procs
	if threads == 0 {
		threads = int32(max(e.Count, 1))
	}
	from, to := at, at+e.Duration/int64(threads)
	if r.cycle.known && (e.HasID && r.cycle.id == e.ID || !e.HasID && r.cycle.from <= at && at <= r.cycle.to) {
		from, to = r.cycle.from, r.cycle.to
	}
	if to <= from {
		to = from + 1
	}
	share := shareOf(e.Duration, to-from, threads)
	m := markOf(e)
	r.add(Assists, from, to, share, m)
	if e.Procs > 0 {
		r.busy().meter.Add(from, to, share, m)
	}
	r.seen(to)
}
