package cmd

import (
	"context"
	"errors"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/nodeproc"
	"example.com/kneeline/heapdump/v8"
	"example.com/kneeline/heapdump/v8/v8graph"
)

// judgeNode judges a heap snapshot of V8.
func (r *heapRun) judgeNode(ctx context.Context, c *heapCase) (*pending.Result, error) {
	s, share, err := r.readSnapshot(ctx, c.main)
	if err != nil {
		return nil, err
	}
	res, err := nodeproc.JudgeWithGraph(s, r.options(c.main.Name), r.nodeGraph(ctx, s))
	if err != nil {
		return nil, errors.Join(named(c.main.Name, err), s.Close())
	}
	if ctx.Err() != nil && share > 0 {
		res.Inputs[0].Share = &share
	}
	for _, in := range c.beside {
		res.Warnings = append(res.Warnings, in.Name+": "+in.kind.Title()+" was not used: it belongs to no process of V8")
		r.view.end(in)
	}
	return res, s.Close()
}

// nodeGraph is how the graph of a snapshot is made; nil where none was asked for.
func (r *heapRun) nodeGraph(ctx context.Context, s *v8.Snapshot) func() (*v8graph.Graph, error) {
	if !r.opts.graph {
		return nil
	}
	return func() (*v8graph.Graph, error) {
		o := &r.opts.ofGraph
		if o.index != "" {
			r.notes = append(r.notes, "--index is of dumps of Java: the graph of a snapshot is made in little time and was not kept")
		}
		if o.sizes == matSizes || len(o.without) > 0 {
			r.notes = append(r.notes, "--sizes and --without-references are of dumps of Java: a snapshot has the sizes of V8, and its weak references hold nothing")
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return v8graph.New(ctx, s, int64(o.memory))
	}
}

// readSnapshot reads a snapshot, unpacked on the way; share is as for a dump.
func (r *heapRun) readSnapshot(ctx context.Context, in *heapInput) (s *v8.Snapshot, share float64, err error) {
	src, err := in.open()
	if err != nil {
		return nil, 0, err
	}
	s, err = v8.Read(ctx, src, v8.Options{Progress: func(int64) { r.view.at(src.PackedRead()) }})
	r.view.end(in)
	if err != nil {
		return nil, 0, errors.Join(named(in.Name, err), src.Close())
	}
	if in.size > 0 {
		share = min(float64(src.PackedRead())/float64(in.size), 1)
	}
	return s, share, src.Close()
}
