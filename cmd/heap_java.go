package cmd

import (
	"context"
	"errors"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/hprof"
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
	h, share, err := r.readDump(ctx, c.main)
	if err != nil {
		return nil, errors.Join(append(errs, err)...)
	}
	res := pending.Analyze(h, o)
	if ctx.Err() != nil && share > 0 {
		res.Inputs[0].Share = &share
	}
	beside.addTo(res)
	return res, errors.Join(append(errs, h.Close())...)
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

// readDump reads a dump, unpacked on the way. share is how much of the input that
// was, by its packed size; 0 where the size is not known. It is told of interrupted
// runs alone: of a dump that ends too early nothing tells how long it should be.
func (r *heapRun) readDump(ctx context.Context, in *heapInput) (h *heapdump.Heap, share float64, err error) {
	src, err := in.open()
	if err != nil {
		return nil, 0, err
	}
	h, err = hprof.Read(ctx, src, hprof.Options{
		Keep:     pending.Keeper(r.tables.java),
		Progress: func(int64) { r.view.at(src.PackedRead()) },
		Values:   r.opts.showValues,
	})
	r.view.end(in)
	if err != nil {
		return nil, 0, errors.Join(named(in.Name, err), src.Close())
	}
	if in.size > 0 {
		share = min(float64(src.PackedRead())/float64(in.size), 1)
	}
	return h, share, src.Close()
}
