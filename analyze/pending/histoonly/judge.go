package histoonly

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/analyze/pending/workers"
	"example.com/kneeline/heapdump/classhisto"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Judge tells what waits in a process by its histograms and threads. Of the options
// it makes use of the table, what the service sustains, how long clients wait, the
// fewest entries and the rows.
func Judge(in Input, o pending.Options) *pending.Result {
	j := newJudge(in, o)
	j.readWorkers()
	if j.now != nil {
		j.findWaiting()
		j.findTasks()
	}
	j.findCallers()
	j.describe()
	j.verdict()
	return j.res
}

// judge is one process being judged.
type judge struct {
	in  Input
	o   pending.Options
	res *pending.Result
	// first and now are the earliest and the latest histogram; first is nil where
	// there is one alone, both where there is none.
	first, now *classhisto.Histogram
	counts     map[string]classhisto.Count
	threads    *workers.Overview
	rows       []evidence
}

// evidence is one thing that waits.
type evidence struct {
	pending.Queue
	why []string
	// class is what is counted; empty where threads are.
	class string
}

func newJudge(in Input, o pending.Options) *judge {
	if o.Table == nil {
		o.Table = pattern.Builtin()
	}
	if o.MinEntries <= 0 {
		o.MinEntries = pending.DefaultMinEntries
	}
	if o.Rows <= 0 {
		o.Rows = pending.DefaultRows
	}
	j := &judge{in: in, o: o, counts: map[string]classhisto.Count{}}
	j.res = &pending.Result{
		Schema: pending.Schema, Complete: true,
		Settings: pending.Settings{Capacity: o.Capacity, Timeout: o.Timeout, ServiceTime: o.ServiceTime, MinEntries: o.MinEntries, ShowValues: o.ShowValues, Patterns: o.Patterns},
		Inputs:   in.rows(), Queues: []pending.Queue{}, Clusters: []pending.Cluster{}, Workers: []pending.Pool{}, Groups: []pending.Group{},
		Limits: []pending.Limit{}, Histogram: []pending.ClassRow{}, Arrays: []pending.ArrayRow{}, CollectionFill: []pending.FillRow{},
		Findings: []finding.Finding{}, CouldNotSay: []string{}, Warnings: []string{},
	}
	if hs := in.histograms(); len(hs) > 0 {
		j.now = hs[len(hs)-1]
		if len(hs) > 1 {
			j.first = hs[0]
		}
		j.readHistogram()
	}
	return j
}

// readHistogram puts the latest histogram into the result.
func (j *judge) readHistogram() {
	j.counts = j.now.ByName()
	total := j.now.Total()
	j.res.Heap = &pending.HeapSummary{Objects: total.Instances, Bytes: total.Bytes, Classes: int64(len(j.now.Rows))}
	rows := make([]pending.ClassRow, 0, len(j.counts))
	for name, c := range j.counts {
		rows = append(rows, pending.ClassRow{Class: name, Count: c.Instances, Bytes: c.Bytes, HeapShare: ratio(c.Bytes, total.Bytes)})
	}
	slices.SortFunc(rows, func(a, b pending.ClassRow) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Class, b.Class))
	})
	j.res.Clusters = pending.TextClusters(rows, j.o.Table, connectionClass)
	j.res.Histogram = rows[:min(len(rows), j.o.Rows)]
	if !j.now.Agrees() {
		j.warn("the rows of the histogram sum up to %s objects and %s, its total says %s and %s", units.Count(j.now.Sum.Instances), units.Size(j.now.Sum.Bytes),
			units.Count(total.Instances), units.Size(total.Bytes))
	}
	if j.now.Stated == nil && j.now.Form != classhisto.OpenJ9 {
		j.warn("the histogram has no total: it was cut off, and classes behind its last row are missing")
	}
}

func (j *judge) readWorkers() {
	in, ok := j.in.threads()
	if !ok {
		return
	}
	j.threads = workers.Of(in)
	j.res.Workers, j.res.Groups = pending.PoolsOf(j.threads)
	if j.res.Heap != nil {
		j.res.Heap.Threads = &j.threads.Threads
	}
	for _, d := range j.threads.Deadlocks {
		names := ""
		for i, w := range d.Waits {
			if i > 0 {
				names += ", "
			}
			names += w.Thread
		}
		j.warn("a deadlock: %s wait for each other's locks and will for ever", names)
	}
}

func (j *judge) warn(format string, args ...any) {
	j.res.Warnings = append(j.res.Warnings, fmt.Sprintf(format, args...))
}

func ratio(part, whole int64) *float64 {
	if whole <= 0 {
		return nil
	}
	r := float64(part) / float64(whole)
	return &r
}
