package cmd

import (
	"context"
	"io"
)

// interruptible reads a stream that may never go on, such as a pipe whose writer
// hangs: when the context ends, reading ends with its cause, so that what was read
// until then can be told.
type interruptible struct {
	ctx  context.Context
	src  io.Reader // nil once it is being read
	full chan filled
	free chan []byte
	now  []byte // what is left of buf
	buf  []byte
	err  error
}

// filled is one reading of the stream.
type filled struct {
	buf []byte
	err error
}

// streamBuffer is how much is read of a stream at once.
const streamBuffer = 256 << 10

// newInterruptible reads src, from the first Read on. What is read ahead when the
// context ends is lost, and a read that hangs stays until the process ends.
func newInterruptible(ctx context.Context, src io.Reader) *interruptible {
	return &interruptible{ctx: ctx, src: src}
}

func (r *interruptible) start() {
	r.full, r.free = make(chan filled), make(chan []byte, 2)
	r.free <- make([]byte, streamBuffer)
	r.free <- make([]byte, streamBuffer)
	src := r.src
	r.src = nil
	go r.fill(src)
}

func (r *interruptible) fill(src io.Reader) {
	for {
		select {
		case <-r.ctx.Done():
			return
		case buf := <-r.free:
			n, err := src.Read(buf[:cap(buf)])
			select {
			case r.full <- filled{buf[:n], err}:
			case <-r.ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}
}

// Read reads what is there, or waits for it until the context ends.
func (r *interruptible) Read(p []byte) (int, error) {
	if r.src != nil {
		r.start()
	}
	for len(r.now) == 0 {
		if r.buf != nil {
			r.free <- r.buf
			r.buf = nil
		}
		if r.err != nil {
			return 0, r.err
		}
		select {
		case f := <-r.full:
			r.buf, r.now, r.err = f.buf, f.buf, f.err
		case <-r.ctx.Done():
			return 0, context.Cause(r.ctx)
		}
	}
	n := copy(p, r.now)
	r.now = r.now[n:]
	return n, nil
}
