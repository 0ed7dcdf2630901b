package redact

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

var be = binary.BigEndian

// Records of a dump, and records within a heap dump. Source: the format's description
// in HotSpot's src/hotspot/share/services/heapDumper.cpp; Android's in
// art/runtime/hprof/hprof.cc.
const (
	recString    = 0x01
	recLoadClass = 0x02
	recFrame     = 0x04
	recHeapDump  = 0x0c
	recSettings  = 0x0e
	recSegment   = 0x1c
	recDumpEnd   = 0x2c

	subClass      = 0x20
	subInstance   = 0x21
	subObjects    = 0x22
	subPrimitives = 0x23
	subNoData     = 0xc3
	subHeapInfo   = 0xfe
)

// rootBytes are the root records by tag: identifiers and further bytes.
var rootBytes = map[byte][2]int{
	0xff: {1, 0}, 0x01: {2, 0}, 0x02: {1, 8}, 0x03: {1, 8}, 0x04: {1, 4}, 0x05: {1, 0}, 0x06: {1, 4}, 0x07: {1, 0}, 0x08: {1, 8},
	0x89: {1, 0}, 0x8a: {1, 0}, 0x8b: {1, 0}, 0x8c: {1, 0}, 0x8d: {1, 0}, 0x8e: {1, 8}, 0x90: {1, 0},
}

// Limits of what is held in memory of a dump at once.
const (
	window = 1 << 20 // records up to this are handed on as a whole
	// maxSmall bounds a record that is no heap dump, as a name.
	maxSmall = window
	maxHead  = 4096 // the name of the format
)

// visitor is told what is in a dump, in the order of the file.
type visitor interface {
	head(b []byte, ids int) error
	// record is one that is no heap dump.
	record(tag byte, time uint32, body []byte) error
	// object is a record of a heap dump that is in memory as a whole.
	object(rec []byte) error
	// array is one that is not: its head, and n bytes that follow.
	array(head []byte, body io.Reader, n int64) error
	// ended is the end of a heap dump; whole is false for a segment of one.
	ended(whole bool) error
}

// walker reads a dump.
type walker struct {
	ctx      context.Context
	src      *bufio.Reader
	v        visitor
	ids      int
	at       int64
	size     int64 // of the dump, 0 where it is not known yet
	lost     int64
	why      string
	progress func(int64)
	tick     int
}

// errCut is a dump that ends within something.
var errCut = errors.New("the dump ends too early")

// walk goes through a dump. complete is false where it ends too early.
func (w *walker) walk() (complete bool, err error) {
	if err := w.start(); err != nil {
		return false, err
	}
	for {
		more, err := w.next()
		switch {
		case errors.Is(err, errCut):
			w.note("the dump ends too early")
			return false, nil
		case err != nil:
			return false, err
		case !more:
			return true, nil
		}
	}
}

// note keeps the first reason.
func (w *walker) note(why string) {
	if w.why == "" {
		w.why = fmt.Sprintf("%s at offset %d", why, w.at)
	}
}

// start reads the head of the file.
func (w *walker) start() error {
	b, err := w.src.Peek(maxHead)
	if err != nil && err != io.EOF {
		return err
	}
	n := 0
	for n < len(b) && b[n] != 0 {
		n++
	}
	if n+13 > len(b) || string(b[:min(n, 13)]) != "JAVA PROFILE " {
		return fmt.Errorf("offset 0: expected the head of a Java heap dump, found %q", b[:min(len(b), 20)])
	}
	w.ids = int(be.Uint32(b[n+1:]))
	if w.ids != 4 && w.ids != 8 {
		return fmt.Errorf("offset %d: expected identifiers of 4 or 8 bytes, found %d", n+1, w.ids)
	}
	if err := w.v.head(b[:n+13], w.ids); err != nil {
		return err
	}
	return w.skip(int64(n + 13))
}

// next reads one record; more is false at the end.
func (w *walker) next() (more bool, err error) {
	h, err := w.peek(9)
	if len(h) == 0 && err == errCut {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	tag, time, length := h[0], be.Uint32(h[1:]), int64(be.Uint32(h[5:]))
	switch {
	case tag == recHeapDump || tag == recSegment:
		if err := w.skip(9); err != nil {
			return false, err
		}
		return true, w.heap(tag, length)
	case tag == recDumpEnd:
		if err := w.skip(9); err != nil {
			return false, err
		}
		return true, w.v.ended(true)
	case tag > recSettings || tag == 0 || length > maxSmall:
		w.note("a record of an unknown kind")
		w.lost += length
		return true, w.skip(9 + length)
	}
	b, err := w.peek(9 + int(length))
	if err != nil {
		return false, err
	}
	if err := w.v.record(tag, time, b[9:]); err != nil {
		return false, err
	}
	return true, w.skip(9 + length)
}

// heap reads a heap dump or a segment. A length of 0, or one that has not room for
// what follows since it was too long for 32 bits, is of no use: then the record ends
// where the next one begins.
func (w *walker) heap(tag byte, length int64) error {
	end := w.at + length
	open := length == 0 && tag != recSegment
	for {
		if !open && w.at >= end {
			if tag != recHeapDump || !w.goesOn() {
				break
			}
			open = true
		}
		h, err := w.peek(1)
		if len(h) == 0 && err == errCut && open {
			break
		}
		if err != nil {
			return err
		}
		if open && (h[0] == recSegment || h[0] == recDumpEnd || h[0] == recHeapDump) {
			break
		}
		if err := w.inner(); err != nil {
			if !errors.Is(err, errGarbage) {
				return err
			}
			w.note("bytes that are no record of a heap dump")
			if open {
				w.lost++
				return errCut
			}
			w.lost += end - w.at
			if err := w.skip(end - w.at); err != nil {
				return err
			}
		}
	}
	return w.v.ended(tag == recHeapDump)
}

// goesOn says that what follows a heap dump is none of the records that may.
func (w *walker) goesOn() bool {
	h, err := w.peek(9)
	if err != nil {
		return len(h) > 0 && (h[0] >= 0x20 && h[0] <= 0x23)
	}
	switch {
	case h[0] == recDumpEnd || h[0] == recHeapDump || h[0] == recSegment:
		return false
	case h[0] > 0 && h[0] <= recSettings:
		return be.Uint32(h[5:]) > maxSmall
	}
	return true
}

// errGarbage is bytes that are no record.
var errGarbage = errors.New("expected a record of a heap dump")

// inner reads one record of a heap dump.
func (w *walker) inner() error {
	if w.tick++; w.tick&0xfff == 0 {
		if err := context.Cause(w.ctx); err != nil {
			return err
		}
		if w.progress != nil {
			w.progress(w.at)
		}
	}
	h, err := w.peek(10 + 2*w.ids)
	if err != nil && err != errCut {
		return err
	}
	head, body, err := extent(h, w.ids)
	if err != nil {
		return err
	}
	if h[0] == subClass {
		if head, err = w.classSize(); err != nil {
			return err
		}
	}
	if w.size > 0 && w.at+head+body > w.size {
		return errCut // what ends within it is no whole record
	}
	if head+body <= window {
		b, err := w.peek(int(head + body))
		if err != nil {
			return err
		}
		if err := w.v.object(b); err != nil {
			return err
		}
		return w.skip(head + body)
	}
	b, err := w.peek(int(head))
	if err != nil {
		return err
	}
	b = append([]byte(nil), b...)
	if err := w.skip(head); err != nil {
		return err
	}
	r := &io.LimitedReader{R: w.src, N: body}
	err = w.v.array(b, r, body)
	w.at += body - r.N
	if err != nil {
		return err
	}
	if r.N > 0 {
		return w.skip(r.N)
	}
	return nil
}

// extent is the length of a record: its head and what follows. That of a class is not
// known by it.
func extent(h []byte, ids int) (head, body int64, err error) {
	if len(h) == 0 {
		return 0, 0, errCut
	}
	need := func(n int) bool { return len(h) >= n }
	switch tag := h[0]; tag {
	case subClass:
		return 0, 0, nil
	case subInstance:
		if n := 9 + 2*ids; need(n) {
			return int64(n), int64(be.Uint32(h[n-4:])), nil
		}
	case subObjects:
		if n := 9 + 2*ids; need(n) {
			return int64(n), int64(be.Uint32(h[5+ids:])) * int64(ids), nil
		}
	case subPrimitives:
		if n := 10 + ids; need(n) {
			size := width(h[n-1], 0)
			if size == 0 {
				return 0, 0, errGarbage
			}
			return int64(n), int64(be.Uint32(h[5+ids:])) * int64(size), nil
		}
	case subNoData:
		return int64(10 + ids), 0, nil
	case subHeapInfo:
		return int64(5 + ids), 0, nil
	default:
		r, ok := rootBytes[tag]
		if !ok {
			return 0, 0, errGarbage
		}
		return int64(1 + r[0]*ids + r[1]), 0, nil
	}
	return 0, 0, errCut
}

// width is the size of a value of a type in the file; 0 for what is no type. objects
// is the size of a reference.
func width(t byte, objects int) int {
	switch t {
	case 2:
		return objects
	case 4, 8:
		return 1
	case 5, 9:
		return 2
	case 6, 10:
		return 4
	case 7, 11:
		return 8
	}
	return 0
}

// peek is the next n bytes; fewer with errCut at the end of the dump.
func (w *walker) peek(n int) ([]byte, error) {
	b, err := w.src.Peek(n)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCut
	}
	return b, err
}

func (w *walker) skip(n int64) error {
	for n > 0 {
		d, err := w.src.Discard(int(min(n, 1<<30)))
		w.at += int64(d)
		n -= int64(d)
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			return errCut
		}
		if err != nil {
			return err
		}
	}
	return nil
}
