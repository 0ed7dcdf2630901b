package javasource

import (
	"sort"

	"example.com/kneeline/analyze/lint/model"
)

// blank returns a source whose comments and texts are blanks, every byte at its place.
func blank(data []byte) []byte {
	out := make([]byte, len(data))
	copy(out, data)
	for i := 0; i < len(out); {
		switch end := 0; {
		case has(data, i, "//"):
			for end = i; end < len(out) && data[end] != '\n'; end++ {
			}
			i = wipe(out, i, end)
		case has(data, i, "/*"):
			i = wipe(out, i, after(data, i+2, "*/"))
		case has(data, i, `"""`):
			i = wipe(out, i, after(data, i+3, `"""`))
		case data[i] == '"' || data[i] == '\'':
			for end = i + 1; end < len(out) && data[end] != data[i] && data[end] != '\n'; end++ {
				if data[end] == '\\' {
					end++
				}
			}
			i = wipe(out, i, min(end+1, len(out)))
		default:
			i++
		}
	}
	return out
}

func has(data []byte, at int, text string) bool {
	return at+len(text) <= len(data) && string(data[at:at+len(text)]) == text
}

// after is where a text ends that is looked for from a place on, the end where it is not.
func after(data []byte, from int, text string) int {
	for i := from; i < len(data); i++ {
		if has(data, i, text) {
			return i + len(text)
		}
	}
	return len(data)
}

// wipe blanks all but the ends of lines, and returns where it ended.
func wipe(out []byte, from, to int) int {
	for i := from; i < min(to, len(out)); i++ {
		if out[i] != '\n' {
			out[i] = ' '
		}
	}
	return max(to, from+1)
}

// lines finds the line and column of a byte.
type lines struct {
	file   string
	starts []int
}

func newLines(file string, data []byte) *lines {
	l := &lines{file: file, starts: []int{0}}
	for i, b := range data {
		if b == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

func (l *lines) place(from, to int) model.Position {
	line := sort.SearchInts(l.starts, from+1)
	return model.Position{File: l.file, Line: line, Column: from - l.starts[line-1] + 1, Offset: from, End: to}
}
