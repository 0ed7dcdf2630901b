package nginx

import (
	"bytes"
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

// Limits of one file.
const (
	maxWords    = 500_000
	maxDepth    = 100
	maxProblems = 20
)

// word is one argument, without its quotes.
type word struct {
	text   string
	quoted bool
	at     model.Position
}

// directive is one statement with its block, if it has one.
type directive struct {
	name  string
	at    model.Position
	args  []word
	block []*directive
	// hasBlock tells an empty block from none.
	hasBlock bool
}

// arg returns an argument, empty past the last.
func (d *directive) arg(i int) string {
	if d == nil || i >= len(d.args) {
		return ""
	}
	return d.args[i].text
}

type lexer struct {
	file     string
	data     []byte
	at       int
	line     int
	start    int // of the line
	count    int
	problems []model.Problem
}

// parse reads statements. What it cannot read it says, and goes on after it.
func parse(file string, data []byte) ([]*directive, []model.Problem) {
	l := &lexer{file: file, data: bytes.TrimPrefix(data, []byte("\ufeff")), line: 1}
	if skipped := len(data) - len(l.data); skipped > 0 {
		l.data, l.at = data, skipped
	}
	var out []*directive
	for {
		block, closed := l.block(0)
		out = append(out, block...)
		if !closed {
			return out, l.problems
		}
		l.problem(l.place(l.at-1, l.at), "expected a directive, found a } that closes nothing")
	}
}

func (l *lexer) place(from, to int) model.Position {
	return model.Position{File: l.file, Line: l.line, Column: from - l.start + 1, Offset: from, End: to}
}

func (l *lexer) problem(at model.Position, format string, args ...any) {
	if len(l.problems) < maxProblems {
		l.problems = append(l.problems, model.Problem{At: at, Err: fmt.Sprintf(format, args...)})
	}
}

// block reads statements up to a closing brace, and reports whether there was one.
func (l *lexer) block(depth int) (out []*directive, closed bool) {
	var cur *directive
	for {
		l.blank()
		if l.at >= len(l.data) {
			if cur != nil {
				l.problem(cur.at, "expected ; or { after %s, found the end of the file", cur.name)
			}
			return out, false
		}
		switch c := l.data[l.at]; {
		case c == ';':
			if cur == nil {
				l.problem(l.place(l.at, l.at+1), "expected a directive, found ;")
			}
			l.at++
			out, cur = keep(out, cur), nil
		case c == '{':
			l.at++
			if cur == nil {
				l.problem(l.place(l.at-1, l.at), "expected a directive, found {")
				cur = &directive{at: l.place(l.at-1, l.at)}
			}
			l.body(cur, depth)
			out, cur = keep(out, cur), nil
		case c == '}':
			if cur != nil {
				l.problem(cur.at, "expected ; after %s, found }", cur.name)
				out = append(out, cur)
			}
			l.at++
			return out, true
		default:
			cur = l.next(cur)
		}
		if l.count > maxWords {
			l.problem(l.place(l.at, l.at), "more than %d words: the rest is not read", maxWords)
			l.at = len(l.data)
			return keep(out, cur), false
		}
	}
}

func keep(out []*directive, cur *directive) []*directive {
	if cur == nil {
		return out
	}
	return append(out, cur)
}

// next reads a word: the name of a statement, or an argument of cur.
func (l *lexer) next(cur *directive) *directive {
	w := l.word()
	l.count++
	if cur == nil {
		return &directive{name: w.text, at: w.at}
	}
	cur.args = append(cur.args, w)
	return cur
}

// body reads the block of a statement.
func (l *lexer) body(d *directive, depth int) {
	d.hasBlock = true
	if strings.HasSuffix(d.name, "_by_lua_block") {
		if !l.skipCode() {
			l.problem(d.at, "expected } at the end of %s, found the end of the file", d.name)
		}
		return
	}
	if depth >= maxDepth {
		l.problem(d.at, "blocks nest more than %d deep: the rest is not read", maxDepth)
		l.at = len(l.data)
		return
	}
	closed := false
	if d.block, closed = l.block(depth + 1); !closed {
		l.problem(d.at, "expected } at the end of %s, found the end of the file", d.name)
	}
}

// blank skips space and comments.
func (l *lexer) blank() {
	for l.at < len(l.data) {
		switch l.data[l.at] {
		case '\n':
			l.newline()
		case ' ', '\t', '\r':
			l.at++
		case '#':
			i := bytes.IndexByte(l.data[l.at:], '\n')
			if i < 0 {
				i = len(l.data) - l.at
			}
			l.at += i
		default:
			return
		}
	}
}

func (l *lexer) newline() {
	l.at++
	l.line++
	l.start = l.at
}

// word reads one word. A quote opens a quoted one only at its beginning; $ before {
// makes a variable of what follows.
func (l *lexer) word() word {
	from := l.at
	if q := l.data[from]; q == '"' || q == '\'' {
		return l.quoted(q)
	}
	w := word{at: l.place(from, from)}
	escaped := false
	for ; l.at < len(l.data); l.at++ {
		c := l.data[l.at]
		if c == '\\' && l.at+1 < len(l.data) && l.data[l.at+1] != '\n' {
			escaped = true
			l.at++
			continue
		}
		if c == '$' && l.at+1 < len(l.data) && l.data[l.at+1] == '{' {
			l.variable()
			continue
		}
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ';' || c == '{' {
			break
		}
	}
	w.text = string(l.data[from:l.at])
	if escaped {
		w.text = unescape(w.text)
	}
	w.at.End = l.at
	return w
}

// variable moves to the closing brace of a ${name}, which may hold a default of an
// environment template.
func (l *lexer) variable() {
	for i := l.at + 2; i < len(l.data); i++ {
		switch l.data[i] {
		case '}':
			l.at = i
			return
		case '\n', ';':
			l.at++
			return
		}
	}
	l.at++
}

func (l *lexer) quoted(q byte) word {
	w := word{quoted: true, at: l.place(l.at, l.at)}
	l.at++
	from := l.at
	for l.at < len(l.data) && l.data[l.at] != q {
		switch {
		case l.data[l.at] == '\n':
			l.newline()
		case l.data[l.at] == '\\' && l.at+1 < len(l.data) && l.data[l.at+1] != '\n':
			l.at += 2
		default:
			l.at++
		}
	}
	l.at = min(l.at, len(l.data))
	w.text = unescape(string(l.data[from:l.at]))
	if l.at == len(l.data) {
		l.problem(w.at, "expected a closing %c, found the end of the file", q)
	} else {
		l.at++
	}
	w.at.End = l.at
	return w
}

// unescape resolves the escapes that nginx knows; others are kept as they are.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\\`, `\`, `\t`, "\t", `\r`, "\r", `\n`, "\n").Replace(s)
}
