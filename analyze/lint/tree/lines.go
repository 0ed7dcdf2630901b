package tree

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"example.com/kneeline/analyze/lint/model"
)

// lines finds places in a text by line and column, and lines by offset.
type lines struct {
	file   string
	data   []byte
	starts []int
}

func newLines(file string, data []byte) *lines {
	l := &lines{file: file, data: data, starts: []int{0}}
	for at := 0; ; {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 {
			return l
		}
		at += i + 1
		l.starts = append(l.starts, at)
	}
}

// place returns the position of the bytes [from, to).
func (l *lines) place(from, to int) model.Position {
	i := sort.SearchInts(l.starts, from+1) - 1
	return model.Position{File: l.file, Line: i + 1, Column: from - l.starts[i] + 1, Offset: from, End: to}
}

// offset returns the byte at a line and a column that counts characters, both from 1.
func (l *lines) offset(line, column int) int {
	if line < 1 || line > len(l.starts) {
		return len(l.data)
	}
	at := l.starts[line-1]
	for ; column > 1 && at < len(l.data); column-- {
		_, n := utf8.DecodeRune(l.data[at:])
		at += n
	}
	return min(at, len(l.data))
}
