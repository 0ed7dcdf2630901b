package cmd

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/workers"
	"example.com/kneeline/heapdump/stacks"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
)

// threadDump is a dump of threads that was read, and what is to be said of it.
type threadDump struct {
	threads workers.Input
	input   pending.Input
	notes   []string
}

// readStacks reads the dumps of threads of a file; nil where there is none.
func (r *heapRun) readStacks(in *heapInput) (*stacks.File, error) {
	src, err := in.open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	f, err := stacks.Read(src)
	if f == nil || len(f.Dumps) == 0 {
		if err == nil {
			err = fault.NoAnswerf("expected a dump of threads, found none")
		}
		return nil, named(in.Name, err)
	}
	return f, named(in.Name, err)
}

// readThreads reads a dump of threads that stands beside a heap dump. Of a file with
// several the last is taken: the process was asked several times, and the last is
// the nearest to the heap dump that is taken afterwards.
func (r *heapRun) readThreads(in *heapInput) (*threadDump, error) {
	f, err := r.readStacks(in)
	r.view.end(in)
	if f == nil {
		return nil, err
	}
	d := &f.Dumps[len(f.Dumps)-1]
	out := &threadDump{threads: workers.FromDump(d), input: pending.Input{
		Name: in.Name, Format: "thread dump", Version: strings.TrimSpace(d.VM), Complete: err == nil && !d.CutShort,
		Taken: takenAt(d.Stamp.Time), Losses: threadLosses(f),
	}}
	if d.Form != stacks.HotSpot {
		out.input.Format = "thread dump (" + d.Form + ")"
	}
	if n := len(f.Dumps); n > 1 {
		out.notes = append(out.notes, fmt.Sprintf("%s holds %s dumps of threads; the last one was judged", in.Name, units.Count(n)))
	}
	return out, err
}

// threadLosses are what of a dump of threads could not be read.
func threadLosses(f *stacks.File) []pending.Loss {
	losses := []pending.Loss{}
	for _, l := range []struct {
		what string
		n    int64
	}{
		{"lines that could not be understood", f.Unreadable},
		{"lines that are too long", f.Cut},
		{"threads beyond what is kept", f.Dropped},
		{"stacks of threads beyond what is kept", f.DroppedStacks},
	} {
		if l.n > 0 {
			losses = append(losses, pending.Loss{What: l.what, Count: ptrTo(l.n)})
		}
	}
	return losses
}
