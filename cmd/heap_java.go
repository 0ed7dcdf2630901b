package cmd

import (
	"context"
	"errors"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/heapinput"
)

// judgeDump judges a heap dump and what stands beside it. What cannot be read of
// the latter is an error beside the judgement.
func (r *heapRun) judgeDump(ctx context.Context, c *heapCase) (*pending.Result, error) {
	o := r.options(c.main.Name)
	beside, errs := r.readBeside(c)
	if t := beside.threads; t != nil {
		o.Threads = &t.threads
	}
	d, err := r.readDump(ctx, c.main)
	if err != nil {
		return nil, errors.Join(append(errs, err)...)
	}
	h, share := d.heap, d.share
	o.Retain = r.asks(ctx, d)
	res := pending.Analyze(h, o)
	if ctx.Err() != nil && share > 0 {
		res.Inputs[0].Share = &share
	}
	if h.Redacted {
		res.Warnings = append(res.Warnings, c.main.Name+" is a redacted copy: contents and most numbers in it are zero")
	}
	beside.addTo(res)
	return res, errors.Join(append(errs, d.close())...)
}

// options are by what a heap is judged.
func (r *heapRun) options(name string) pending.Options {
	return pending.Options{
		Name: name, Table: r.tables.java, Patterns: r.opts.patterns,
		Capacity: r.capacity, Timeout: r.timeout, ServiceTime: r.serviceTime,
		MinEntries: int64(r.opts.minEntries), Rows: r.wantedRows(), ShowValues: r.opts.showValues,
	}
}

// companions are what stands beside a heap.
type companions struct {
	threads *threadDump
	inputs  []pending.Input
	notes   []string
}

// readBeside reads the thread dumps beside a heap; of several the last one is
// judged. A histogram beside a dump tells nothing that the dump does not.
func (r *heapRun) readBeside(c *heapCase) (beside companions, errs []error) {
	for _, in := range c.beside {
		if in.kind != heapinput.Threads {
			beside.notes = append(beside.notes, in.Name+": "+in.kind.Title()+" was not needed: the dump has all of it")
			r.view.end(in)
			continue
		}
		t, err := r.readThreads(in)
		if err != nil {
			errs = append(errs, err)
		}
		if t == nil {
			continue
		}
		if beside.threads != nil {
			beside.notes = append(beside.notes, "of several dumps of threads the last one was judged, "+in.Name)
		}
		beside.threads = t
		beside.inputs, beside.notes = append(beside.inputs, t.input), append(beside.notes, t.notes...)
	}
	return beside, errs
}

// addTo adds to a judgement what was read beside the heap.
func (b *companions) addTo(res *pending.Result) {
	res.Inputs = append(res.Inputs, b.inputs...)
	res.Warnings = append(res.Warnings, b.notes...)
}
