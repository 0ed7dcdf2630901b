package haproxy

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

// Limits of one file.
const (
	maxLines    = 500_000
	maxWords    = 2_000
	maxProblems = 20
)

// word is one word of a line without its quotes.
type word struct {
	text string
	// fixed marks a word in single quotes, in which $ stands for itself.
	fixed bool
	at    model.Position
}

// line is one line with at least one word.
type line struct {
	words []word
}

// at returns the place of a line's first word.
func (l *line) at() model.Position { return l.words[0].at }

// word returns a word of a line, an empty one at the line's place past the last.
func (l *line) word(i int) word {
	if i < len(l.words) {
		return l.words[i]
	}
	return word{at: l.at()}
}

// is reports whether a line begins with these words.
func (l *line) is(words ...string) bool {
	if len(l.words) < len(words) {
		return false
	}
	for i, w := range words {
		if l.words[i].text != w {
			return false
		}
	}
	return true
}

// lex splits a file into lines of words. Directives of the preprocessor (.if, .else)
// are left out: all branches are read.
func lex(file string, data []byte) ([]*line, []model.Problem) {
	var out []*line
	var problems []model.Problem
	at := 0
	if strings.HasPrefix(string(data[:min(3, len(data))]), "\ufeff") {
		at = 3
	}
	for n := 1; at < len(data); n++ {
		end := at
		for end < len(data) && data[end] != '\n' {
			end++
		}
		if len(out) >= maxLines {
			return out, append(problems, model.Problem{At: model.Position{File: file, Line: n, Column: 1}, Err: fmt.Sprintf("more than %d lines: the rest is not read", maxLines)})
		}
		l, err := splitLine(file, data, at, end, n)
		if err != nil && len(problems) < maxProblems {
			problems = append(problems, *err)
		}
		if l != nil && !strings.HasPrefix(l.words[0].text, ".") {
			out = append(out, l)
		}
		at = end + 1
	}
	return out, problems
}

// splitLine splits the bytes [from, to) into words, nil for none.
func splitLine(file string, data []byte, from, to, number int) (*line, *model.Problem) {
	l := &line{}
	place := func(at int) model.Position {
		return model.Position{File: file, Line: number, Column: at - from + 1, Offset: at, End: at}
	}
	var err *model.Problem
	for i := from; i < to && len(l.words) < maxWords; {
		switch data[i] {
		case ' ', '\t', '\r':
			i++
			continue
		case '#':
			i = to
			continue
		}
		w := word{at: place(i)}
		var open int
		w.text, w.fixed, i, open = readWord(data, i, to)
		if open >= 0 {
			err = &model.Problem{At: place(open), Err: fmt.Sprintf("expected a closing %c, found the end of the line", data[open])}
		}
		w.at.End = i
		l.words = append(l.words, w)
	}
	if len(l.words) == 0 {
		return nil, err
	}
	return l, err
}

// readWord reads one word and returns where it ends, and where a quote opens that is
// not closed, -1 for none.
func readWord(data []byte, i, to int) (text string, fixed bool, end, open int) {
	var b strings.Builder
	quote := byte(0)
	open = -1
	for ; i < to; i++ {
		c := data[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t' || c == '\r' || c == '#'):
			return b.String(), fixed, i, -1
		case c == '\\' && quote != '\'' && i+1 < to:
			i++
			b.WriteByte(unescaped(data[i]))
		case quote == 0 && (c == '"' || c == '\''):
			quote, open = c, i
			fixed = fixed || c == '\''
		case quote != 0 && c == quote:
			quote, open = 0, -1
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), fixed, i, open
}

func unescaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}
