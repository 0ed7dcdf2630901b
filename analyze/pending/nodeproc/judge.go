package nodeproc

import (
	"fmt"
	"slices"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/v8"
	"example.com/kneeline/heapdump/v8/v8graph"
	"example.com/kneeline/internal/finding"
)

// Judge tells what piles up in a process by a snapshot of it. Of the options it
// makes use of what the service sustains, how long clients wait, the fewest entries
// and the rows. The error is of a temporary file that cannot be read any more; the
// judgement is then nil.
func Judge(s *v8.Snapshot, o pending.Options) (*pending.Result, error) {
	return JudgeWithGraph(s, o, nil)
}

// JudgeWithGraph is [Judge] with who holds what, from a graph that is asked for when the
// rest is judged; nil asks for none. That there is none does not keep the rest from
// being told.
func JudgeWithGraph(s *v8.Snapshot, o pending.Options, made func() (*v8graph.Graph, error)) (*pending.Result, error) {
	if o.MinEntries <= 0 {
		o.MinEntries = pending.DefaultMinEntries
	}
	if o.Rows <= 0 {
		o.Rows = pending.DefaultRows
	}
	j := &judge{s: s, o: o, census: newCensus(s, o.MinEntries)}
	j.res = &pending.Result{
		Schema: pending.Schema, Complete: true,
		Settings: pending.Settings{Capacity: o.Capacity, Timeout: o.Timeout, ServiceTime: o.ServiceTime, MinEntries: o.MinEntries, ShowValues: o.ShowValues, Patterns: o.Patterns},
		Inputs:   []pending.Input{inputOf(s, o.Name)}, Queues: []pending.Queue{}, Clusters: []pending.Cluster{}, Workers: []pending.Pool{}, Groups: []pending.Group{},
		Limits: []pending.Limit{}, Histogram: []pending.ClassRow{}, Arrays: []pending.ArrayRow{}, CollectionFill: []pending.FillRow{},
		Findings: []finding.Finding{}, CouldNotSay: []string{}, Warnings: []string{},
	}
	j.readClasses()
	if s.Named {
		if err := j.readEdges(); err != nil {
			return nil, err
		}
		j.findOpen()
		j.findOutgoing()
		j.findLoop()
		j.findArrays()
	}
	j.couldNot()
	j.verdict()
	if made != nil {
		j.links = nil // the graph takes as much again
		j.takeGraph(made())
	}
	return j.res, nil
}

// judge is one snapshot being judged.
type judge struct {
	s   *v8.Snapshot
	o   pending.Options
	res *pending.Result
	*census
	// holders are the arrays and maps with many entries, the longest first.
	holders []*container
	links   *links
	counts  map[string]int64
}

// readEdges finds what is open and who holds it.
func (j *judge) readEdges() error {
	if err := j.census.take(); err != nil {
		return err
	}
	v, err := j.census.survey()
	if err != nil {
		return err
	}
	j.holders = v.list()
	if j.open.n+j.streams.n < j.o.MinEntries {
		return nil
	}
	j.links, err = linksOf(j.s)
	return err
}

// inputOf is the snapshot as the result names it.
func inputOf(s *v8.Snapshot, name string) pending.Input {
	in := pending.Input{Name: name, Format: "V8 heap snapshot", Complete: s.Complete, Read: &s.Read, Losses: []pending.Loss{}}
	for _, l := range s.Losses {
		row := pending.Loss{What: l.What}
		if l.Count > 0 {
			count := l.Count
			row.Count = &count
		}
		in.Losses = append(in.Losses, row)
	}
	if !s.Complete && s.Meta.Nodes > 0 {
		share := min(float64(s.Nodes())/float64(s.Meta.Nodes), 1)
		if s.Meta.Edges > 0 {
			share = min(float64(int64(s.Nodes())+s.EdgeCount())/float64(s.Meta.Nodes+s.Meta.Edges), 1)
		}
		in.AtMost = &share
	}
	return in
}

// readClasses makes the histogram, by the constructors of objects and the types of
// all else.
func (j *judge) readClasses() {
	type sums struct{ count, bytes int64 }
	byClass := map[string]*sums{}
	byName := map[uint64]*sums{} // so that names are looked up once a class
	total := int64(0)
	for n := range j.s.Nodes() {
		key := uint64(j.s.Kind(n)) << 32
		if k := j.s.Kind(n); k == v8.Object || k == v8.Native {
			key |= uint64(j.s.NameIndex(n))
		}
		c := byName[key]
		if c == nil {
			class := j.s.Class(n)
			if c = byClass[class]; c == nil {
				c = &sums{}
				byClass[class] = c
			}
			byName[key] = c
		}
		c.count++
		c.bytes += j.s.Size(n)
		total += j.s.Size(n)
	}
	j.counts = make(map[string]int64, len(byClass))
	for class, c := range byClass {
		j.counts[class] = c.count
		j.res.Histogram = append(j.res.Histogram, pending.ClassRow{Class: class, Count: c.count, Bytes: c.bytes, HeapShare: ratio(c.bytes, total)})
	}
	slices.SortFunc(j.res.Histogram, byBytes)
	j.res.Heap = &pending.HeapSummary{Objects: int64(j.s.Nodes()), Classes: int64(len(byClass)), Bytes: total}
	j.res.Histogram = j.res.Histogram[:min(len(j.res.Histogram), j.o.Rows)]
}

func (j *judge) why(format string, args ...any) {
	j.res.Verdict.Why = append(j.res.Verdict.Why, fmt.Sprintf(format, args...))
}

func ratio(part, whole int64) *float64 {
	if whole <= 0 {
		return nil
	}
	r := float64(part) / float64(whole)
	return &r
}
