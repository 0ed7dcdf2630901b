package gcparse

import (
	"bytes"
	"io"
)

const (
	// blockSize is how much of a source is read at once. It is larger than
	// maxLine, so that a line's text does not depend on where blocks end.
	blockSize = 256 << 10
	// maxLine bounds the text of one line; what is beyond it is dropped. The
	// longest lines of GC logs have some thousand bytes.
	maxLine = 64 << 10
)

// cutter cuts a source into blocks of whole lines.
type cutter struct {
	src    io.Reader
	carry  []byte // the beginning of a line whose end has not come yet
	offset int64  // of the next block
	skip   bool   // inside a line that did not fit into a block
}

// newCutter cuts from offset on, which is where src begins in its source.
func newCutter(src io.Reader, offset int64) *cutter { return &cutter{src: src, offset: offset} }

// next reads into buf, which has blockSize bytes, and gives the whole lines that
// are there, with their ends, and the offset of the first. It reads once if that
// gives a line, so that a pipe is not waited for. The error is that of the
// source, and comes without data; then rest has what is left.
func (c *cutter) next(buf []byte) (data []byte, offset int64, err error) {
	n := copy(buf, c.carry)
	c.carry = c.carry[:0]
	for idle := 0; ; {
		m, err := c.src.Read(buf[n:])
		fresh := buf[n : n+m]
		n += m
		if end := bytes.LastIndexByte(fresh, '\n'); end >= 0 {
			whole := n - m + end + 1
			c.carry = append(c.carry, buf[whole:n]...)
			if data, offset = c.take(buf[:whole]); len(data) > 0 {
				return data, offset, nil
			}
			n = copy(buf, c.carry)
			c.carry = c.carry[:0]
		} else if n == len(buf) {
			n = c.overflow(buf)
			if n == 0 {
				continue
			}
			data, offset = buf[:n], c.offset-int64(len(buf))
			return data, offset, nil
		}
		if err == nil && m == 0 {
			if idle++; idle > 100 {
				err = io.ErrNoProgress
			}
		}
		if err != nil {
			c.carry = append(c.carry, buf[:n]...)
			return nil, c.offset, err
		}
	}
}

// take accounts for a block of whole lines, without the end of a line that was
// too long.
func (c *cutter) take(block []byte) (data []byte, offset int64) {
	if c.skip {
		c.skip = false
		tail := bytes.IndexByte(block, '\n') + 1
		c.offset += int64(tail)
		block = block[tail:]
	}
	offset = c.offset
	c.offset += int64(len(block))
	return block, offset
}

// overflow handles a full block without a line end: its beginning stands for the
// line, what follows is skipped. It gives the number of bytes to hand on.
func (c *cutter) overflow(buf []byte) int {
	c.offset += int64(len(buf))
	if c.skip {
		return 0
	}
	c.skip = true
	buf[maxLine] = '\n'
	return maxLine + 1
}

// rest gives the last line if the source did not end it.
func (c *cutter) rest() (data []byte, offset int64) {
	data, offset = c.carry, c.offset
	if c.skip {
		data = nil
	}
	c.offset += int64(len(c.carry))
	c.carry, c.skip = nil, false
	return data, offset
}

// trimLine takes the end off a line, what is beyond maxLine, and the zeros that a
// file has before its text after it was truncated while the writer had it open.
func trimLine(text []byte) []byte {
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text = text[:n-1]
	}
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	if len(text) > maxLine {
		text = text[:maxLine]
	}
	if len(text) > 0 && text[0] == 0 {
		text = bytes.TrimLeft(text, "\x00")
	}
	return text
}
