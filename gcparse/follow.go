package gcparse

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"example.com/kneeline/internal/input"
)

// FollowOptions say how to follow a log that is being written.
type FollowOptions struct {
	Options
	// Wait waits for a time or until the context ends: the clock.
	Wait func(ctx context.Context, d time.Duration)
	// Every is how long to wait at the end of the file before looking again; a
	// quarter of a second if 0.
	Every time.Duration
	// Idle is called whenever there was nothing new, if not nil: time goes on,
	// although the log is silent.
	Idle func()
}

const (
	followEvery = 250 * time.Millisecond
	// quiet is how many looks without anything new make events appear that wait
	// for a line which may never come: 2 s.
	quiet = 8
)

// Follow reads a stream as [Read] does, and then goes on reading its last file
// while it is written, until ctx ends, which is no error. It notices when the file
// is renamed and made anew, or cut to begin again. Both become a further source
// of the stream. Standard input and packed files are read to their ends.
func Follow(ctx context.Context, stream Stream, opts FollowOptions, handle func(*Event)) (*Result, error) {
	if opts.Every <= 0 {
		opts.Every = followEvery
	}
	r := newReader(stream, handle)
	f := &follower{reader: r, opts: opts, buf: make([]byte, blockSize)}
	for i, s := range stream.Sources {
		if i < len(stream.Sources)-1 || s.Path == input.Stdin || packed(s) {
			r.open(ctx, i, opts.Options)
			continue
		}
		f.source(ctx, int32(i), s)
	}
	res := r.finish()
	res.Complete = true
	return res, nil
}

// packed reports whether a file is compressed; such a file is not being written
// by a process that logs.
func packed(s input.Source) bool {
	src, err := s.Open(nil)
	if err != nil {
		return false
	}
	defer src.Close()
	return src.Compression != input.None
}

// follower reads a file while it is written.
type follower struct {
	reader *reader
	opts   FollowOptions
	buf    []byte
	silent int // looks without anything new
}

// source follows a path from the beginning of its file on.
func (f *follower) source(ctx context.Context, i int32, s input.Source) {
	for ctx.Err() == nil {
		file, err := os.Open(s.Path)
		switch {
		case errors.Is(err, os.ErrNotExist):
			f.wait(ctx) // between two names
			continue
		case err != nil:
			f.reader.problem(err)
			return
		}
		f.file(ctx, file, i, s)
		file.Close()
		if ctx.Err() == nil {
			res := f.reader.sink.result
			res.Stream.Sources = append(res.Stream.Sources[:len(res.Stream.Sources):len(res.Stream.Sources)], s)
			i = int32(len(res.Stream.Sources) - 1)
		}
	}
}

// file follows one file until another has its name, it was cut, or ctx ends.
func (f *follower) file(ctx context.Context, file *os.File, i int32, s input.Source) {
	counted := &counter{src: file}
	c := newCutter(decode(counted), 0)
	no, moved := int64(1), false
	had := int64(0)
	for {
		data, offset, err := c.next(f.buf)
		switch {
		case err == nil:
			f.silent = 0
			f.reader.sink.result.Bytes += int64(len(data))
			no = f.reader.block(data, i, no, offset)
			if ctx.Err() == nil {
				continue
			}
		case !errors.Is(err, io.EOF):
			f.reader.problem(err)
		case ctx.Err() == nil && !moved:
			if counted.n > had {
				f.silent = 0 // the beginning of a line
			}
			had = counted.n
			// What was written before the file got another name is still read.
			if moved = replaced(file, s.Path, counted.n); !moved {
				f.wait(ctx)
			}
			continue
		}
		data, offset = c.rest()
		f.reader.sink.result.Bytes += int64(len(data))
		f.reader.block(data, i, no, offset)
		return
	}
}

// wait lets time go by.
func (f *follower) wait(ctx context.Context) {
	if f.silent++; f.silent == quiet {
		f.reader.rest(atIdle)
	}
	if f.opts.Idle != nil {
		f.opts.Idle()
	}
	f.opts.Wait(ctx, f.opts.Every)
}

// replaced reports whether a path leads to another file than the one that is
// open, or to one that is shorter than what was read of it.
func replaced(file *os.File, path string, read int64) bool {
	now, err := os.Stat(path)
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	open, err := file.Stat()
	return err != nil || !os.SameFile(open, now) || now.Size() < read
}

// counter counts the bytes read from a file.
type counter struct {
	src io.Reader
	n   int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	c.n += int64(n)
	return n, err
}
