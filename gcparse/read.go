package gcparse

import (
	"context"
	"errors"
	"io"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
)

// Options say how to read. The zero value reads with one thread.
type Options struct {
	// Stdin is what the source "-" stands for.
	Stdin io.Reader
	// Workers is how many threads may read; 0 and 1 are one. The events are the
	// same for any number.
	Workers int
}

// Read reads a stream and calls handle for every event, in the order in which
// the log completes them, from one goroutine. The event is valid during the call
// only; a copy of it for as long as you like.
//
// Sources that cannot be read are in the result's Problems; the rest is still
// read. The error is the cause of ctx if that ended first; the result then holds
// what was read.
func Read(ctx context.Context, stream Stream, opts Options, handle func(*Event)) (*Result, error) {
	r := newReader(stream, handle)
	for i := range stream.Sources {
		r.open(ctx, i, opts)
		if ctx.Err() != nil {
			return r.finish(), context.Cause(ctx)
		}
	}
	res := r.finish()
	res.Complete = true
	return res, nil
}

// open reads the source with index i of the stream.
func (r *reader) open(ctx context.Context, i int, opts Options) {
	s := r.sink.result.Stream.Sources[i]
	src, err := s.Open(opts.Stdin)
	if err != nil {
		r.problem(err)
		return
	}
	open := &guard{src: src}
	defer open.Close()
	text := decode(open)
	if workers := opts.Workers; workers > 1 || s.Path == input.Stdin {
		err = r.parallel(ctx, text, int32(i), max(1, workers))
	} else {
		err = r.serial(ctx, text, int32(i))
	}
	switch {
	case err == nil, errors.Is(err, io.EOF):
	case errors.Is(err, io.ErrNoProgress):
		r.problem(fault.NoAnswerf("%s: the input gives neither data nor an end", s.Name))
	default:
		r.problem(err)
	}
}

func (r *reader) problem(err error) {
	r.sink.result.Problems = append(r.sink.result.Problems, err)
}

// serial reads one source to its end.
func (r *reader) serial(ctx context.Context, src io.Reader, source int32) error {
	c := newCutter(src, 0)
	buf := make([]byte, blockSize)
	no := int64(1)
	for ctx.Err() == nil {
		data, offset, err := c.next(buf)
		if err != nil {
			data, offset = c.rest()
			r.sink.result.Bytes += int64(len(data))
			r.block(data, source, no, offset)
			return err
		}
		r.sink.result.Bytes += int64(len(data))
		no = r.block(data, source, no, offset)
	}
	return nil
}
