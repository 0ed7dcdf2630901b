package gcparse

import (
	"context"
	"errors"
	"io"

	"example.com/kneeline/internal/fault"
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
	for i, s := range stream.Sources {
		src, err := s.Open(opts.Stdin)
		if err != nil {
			r.problem(err)
			continue
		}
		err = r.source(ctx, &lineEnds{src: decode(src)}, int32(i), opts.Workers)
		if e := src.Close(); err == nil {
			err = e
		}
		if ctx.Err() != nil {
			return r.finish(), context.Cause(ctx)
		}
		if err != nil {
			r.problem(err)
		}
	}
	res := r.finish()
	res.Complete = true
	return res, nil
}

func (r *reader) problem(err error) {
	r.sink.result.Problems = append(r.sink.result.Problems, err)
}

// source reads one file to its end.
func (r *reader) source(ctx context.Context, src io.Reader, source int32, workers int) error {
	c := newCutter(src, 0)
	buf := make([]byte, blockSize)
	no := int64(1)
	var err error
	for ctx.Err() == nil {
		var data []byte
		var offset int64
		data, offset, err = c.next(buf)
		if err != nil {
			break
		}
		no = r.block(data, source, no, offset)
	}
	data, offset := c.rest()
	if ctx.Err() == nil && len(data) > 0 {
		r.block(data, source, no, offset)
	}
	r.sink.result.Bytes += c.offset
	switch {
	case err == nil, errors.Is(err, io.EOF):
		return nil
	case errors.Is(err, io.ErrNoProgress):
		return fault.NoAnswerf("%s: the input gives neither data nor an end", r.sink.result.Stream.Sources[source].Name)
	}
	return err
}
