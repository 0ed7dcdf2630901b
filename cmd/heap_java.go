package cmd

import (
	"context"
	"errors"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/internal/input"
)

// judgeDump judges a heap dump and what stands beside it.
func (r *heapRun) judgeDump(ctx context.Context, c *heapCase) (*pending.Result, error) {
	h, err := r.readDump(ctx, c.main)
	if err != nil {
		return nil, err
	}
	res := pending.Analyze(h, r.options(c.main.Name))
	return res, h.Close()
}

// options are by what a heap is judged.
func (r *heapRun) options(name string) pending.Options {
	return pending.Options{
		Name: name, Table: r.tables.java, Patterns: r.opts.patterns,
		Capacity: r.capacity, Timeout: r.timeout, ServiceTime: r.serviceTime,
		MinEntries: int64(r.opts.minEntries), Rows: r.wantedRows(), ShowValues: r.opts.showValues,
	}
}

// readDump reads a dump, unpacked on the way.
func (r *heapRun) readDump(ctx context.Context, in *heapInput) (*heapdump.Heap, error) {
	src, err := in.open()
	if err != nil {
		return nil, err
	}
	o := hprof.Options{
		Keep:     pending.Keeper(r.tables.java),
		Progress: func(int64) { r.view.at(src.PackedRead()) },
		Values:   r.opts.showValues,
	}
	if src.Compression == input.None {
		o.Total = in.size
	}
	h, err := hprof.Read(ctx, src, o)
	r.view.end(in)
	if err != nil {
		return nil, errors.Join(named(in.Name, err), src.Close())
	}
	return h, src.Close()
}
