package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
)

// javaDump is a heap dump that was read.
type javaDump struct {
	heap *heapdump.Heap
	// share is how much of the input was read, by its packed size; 0 where the size is
	// not known. It is told of interrupted runs alone: of a dump that ends too early
	// nothing tells how long it should be.
	share float64
	// graph is nil where it was not asked for or could not be made, which why tells.
	graph *graph.Graph
	why   error
}

func (d *javaDump) close() error {
	var err error
	if d.graph != nil {
		err = d.graph.Close()
	}
	return errors.Join(err, d.heap.Close())
}

// readDump reads a dump, unpacked on the way, and makes its graph where that was
// asked for, or takes it from an index. A graph that cannot be made does not keep the
// rest from being judged.
func (r *heapRun) readDump(ctx context.Context, in *heapInput) (*javaDump, error) {
	x, err := r.indexOf(in)
	if err != nil {
		return nil, err
	}
	if !x.has() {
		d, err := r.parseDump(ctx, in, r.opts.graph)
		if err == nil && d.graph != nil {
			r.keepGraph(x, d.graph)
		}
		return d, err
	}
	d, err := r.parseDump(ctx, in, false)
	if err != nil {
		return nil, err
	}
	d.graph, err = graph.Load(x.dir, x.id, x.options, d.heap)
	if err == nil {
		return d, nil
	}
	r.notes = append(r.notes, fmt.Sprintf("the graph was made anew: %v", err))
	if err := d.heap.Close(); err != nil {
		return nil, err
	}
	if d, err = r.parseDump(ctx, in, true); err == nil && d.graph != nil {
		r.keepGraph(x, d.graph)
	}
	return d, err
}

// heapIndex is where the graph of a dump is kept.
type heapIndex struct {
	dir     string
	id      graph.Identity
	options graph.Options
}

// has says that the graph is there.
func (x *heapIndex) has() bool { return x != nil && graph.Indexed(x.dir, x.id, x.options) }

// indexOf is the place of a dump's graph; nil without --index, or where the dump
// cannot be known again.
func (r *heapRun) indexOf(in *heapInput) (*heapIndex, error) {
	o := &r.opts.ofGraph
	if !r.opts.graph || o.index == "" {
		return nil, nil
	}
	if info, err := os.Stat(o.index); err != nil || !info.IsDir() {
		return nil, fault.Usagef("--index: expected a directory, found none at %s", o.index)
	}
	if in.stream != nil {
		r.notes = append(r.notes, in.Name+" has no index: it cannot be known again")
		return nil, nil
	}
	id, err := graph.Identify(in.Path)
	if err != nil {
		return nil, fault.NoAnswerf("cannot read %s: %w", in.Name, pathReason(err))
	}
	x := &heapIndex{dir: o.index, id: id}
	x.options, err = o.options(0)
	return x, err
}

// keepGraph writes the index. That it cannot be written does not change the answer.
func (r *heapRun) keepGraph(x *heapIndex, g *graph.Graph) {
	if x == nil {
		return
	}
	if err := g.Save(x.dir, x.id); err != nil {
		r.notes = append(r.notes, fmt.Sprintf("the graph could not be kept: %v", err))
		return
	}
	r.Notef("kept the graph in %s", x.dir)
}

// parseDump reads a dump, and its graph with it.
func (r *heapRun) parseDump(ctx context.Context, in *heapInput, withGraph bool) (*javaDump, error) {
	var collector *graph.Collector
	if withGraph {
		var err error
		if collector, err = r.collector(in); err != nil {
			return nil, err
		}
		defer collector.Close()
		defer holdMemory(collector.GoMemory())()
	}
	src, err := in.open()
	if err != nil {
		return nil, err
	}
	var d javaDump
	d.heap, err = hprof.Read(ctx, src, hprof.Options{
		Keep:     pending.Keeper(r.tables.java),
		Progress: func(int64) { r.view.at(src.PackedRead()) },
		Values:   r.opts.showValues,
		TempDir:  r.opts.ofGraph.tempDir,
		Graph:    collector,
	})
	r.view.end(in)
	if err != nil {
		return nil, errors.Join(named(in.Name, err), src.Close())
	}
	if in.size > 0 {
		d.share = min(float64(src.PackedRead())/float64(in.size), 1)
	}
	if collector != nil {
		d.graph, d.why = collector.Build(ctx, d.heap)
		if d.graph != nil && d.graph.DiskPeak > 0 {
			r.Notef("the graph took %s of temporary files", units.Size(d.graph.DiskPeak))
		}
	}
	return &d, src.Close()
}

// collector takes the references of a dump.
func (r *heapRun) collector(in *heapInput) (*graph.Collector, error) {
	o, err := r.opts.ofGraph.options(plainSize(in))
	if err != nil {
		return nil, err
	}
	o.Progress = r.view.graph
	return graph.NewCollector(o)
}

// plainSize is the size of a dump that is not packed; 0 where it is not known.
func plainSize(in *heapInput) int64 {
	if in.packed {
		return 0
	}
	return in.size
}
