package gcparse

import (
	"bytes"
	"io"
)

// lineEnds turns the lone carriage returns that end the lines of some logs into
// newlines. With the first newline it steps aside. The number of bytes stays the
// same.
type lineEnds struct {
	src     io.Reader
	settled bool // a newline was seen: hand through
	held    bool // the byte before was a carriage return, which awaits the next
}

// Read hands on what there is, but for a carriage return at its end.
func (l *lineEnds) Read(p []byte) (n int, err error) {
	switch {
	case len(p) == 0, l.settled && !l.held:
		return l.src.Read(p)
	case l.settled:
		p[0], l.held = '\r', false
		return 1, nil
	}
	for n == 0 && err == nil {
		if l.held {
			p[0], n, l.held = '\r', 1, false
		}
		var m int
		m, err = l.src.Read(p[n:])
		n += m
		if m > 0 && err == nil && p[n-1] == '\r' {
			n--
			l.held = true
		} else if m == 0 {
			break
		}
	}
	l.turn(p[:n])
	return n, err
}

// turn translates a piece that does not end between the two bytes of a line end.
func (l *lineEnds) turn(piece []byte) {
	if end := bytes.IndexByte(piece, '\n'); end >= 0 {
		l.settled = true
		piece = piece[:end]
		if end > 0 && piece[end-1] == '\r' {
			piece = piece[:end-1]
		}
	}
	for i, c := range piece {
		if c == '\r' {
			piece[i] = '\n'
		}
	}
}
