package stacks

import (
	"bufio"
	"io"

	"example.com/kneeline/heapdump/lines"
	"example.com/kneeline/internal/fault"
)

// peeked is how far the first character of a text may stand for the text to be
// taken for JSON.
const peeked = 512

// Read reads all dumps of a text. What cannot be read is counted; it is an error
// when reading fails or when there is no thread, and what was read until then is
// returned with it.
func Read(in io.Reader) (*File, error) {
	buffered := bufio.NewReaderSize(in, 64<<10)
	if isJSON(buffered) {
		return readJSON(buffered)
	}
	r := textReader{in: lines.New(buffered), keep: newKeeper()}
	for r.in.Next() {
		r.line(string(r.in.Line()))
	}
	r.closeDump()
	f := &r.file
	f.Lines, f.Cut = r.in.Number(), r.in.Cut()
	if err := r.in.Err(); err != nil {
		return f, fault.NoAnswerf("line %d: cannot read further: %w", f.Lines+1, err)
	}
	return f, f.empty()
}

// empty is the error of a file without threads.
func (f *File) empty() error {
	for _, d := range f.Dumps {
		if len(d.Threads) > 0 {
			return nil
		}
	}
	if f.Dropped > 0 {
		return nil
	}
	return fault.NoAnswerf("expected a dump of Java threads, a line \"Full thread dump\" and lines such as \"\"main\" #1 prio=5 …\", found no thread in %d lines", f.Lines)
}

// isJSON says whether the first character that is no space opens an object.
func isJSON(in *bufio.Reader) bool {
	head, _ := in.Peek(peeked)
	for _, c := range head {
		switch c {
		case ' ', '\t', '\r', '\n', 0xef, 0xbb, 0xbf:
		default:
			return c == '{'
		}
	}
	return false
}

func (f *File) problem(p Problem) {
	f.Unreadable++
	if len(f.Problems) < MaxProblems {
		f.Problems = append(f.Problems, p)
	}
}
