package tree

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// JSON reads a JSON file as people write it: comments (// # /* */), trailing and
// missing commas, single quotes, words without quotes and equals signs for colons are
// taken, as the programs take them that read such files. It returns what was read up
// to an error, and the error.
func JSON(file string, data []byte) (*Node, *Error) {
	j := &jsonReader{lines: newLines(file, data)}
	j.space()
	root := j.value(nil, 0)
	if j.err == nil {
		if j.space(); j.at < len(j.data) {
			j.fail("expected the end of the file, found %s", j.found())
		}
	}
	return root, j.err
}

type jsonReader struct {
	*lines
	at    int
	nodes int
	err   *Error
}

func (j *jsonReader) fail(format string, args ...any) {
	if j.err == nil {
		p := j.place(j.at, j.at)
		j.err = errorAt(p.Line, p.Column, format, args...)
	}
	j.at = len(j.data)
}

// found names what stands at the reader's place.
func (j *jsonReader) found() string {
	if j.at >= len(j.data) {
		return "the end of the file"
	}
	r, _ := utf8.DecodeRune(j.data[j.at:])
	return strconv.QuoteRune(r)
}

func (j *jsonReader) peek() byte {
	if j.at < len(j.data) {
		return j.data[j.at]
	}
	return 0
}

// space skips blanks, comments and a byte order mark.
func (j *jsonReader) space() {
	for j.at < len(j.data) {
		switch c := j.data[j.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			j.at++
		case strings.HasPrefix(string(j.data[j.at:min(j.at+3, len(j.data))]), "\ufeff"):
			j.at += 3
		case c == '#', c == '/' && j.next() == '/':
			for j.at < len(j.data) && j.data[j.at] != '\n' {
				j.at++
			}
		case c == '/' && j.next() == '*':
			end := bytes.Index(j.data[j.at+2:], []byte("*/"))
			if end < 0 {
				j.fail("expected the end of the comment, found the end of the file")
				return
			}
			j.at += 2 + end + 2
		default:
			return
		}
	}
}

func (j *jsonReader) next() byte {
	if j.at+1 < len(j.data) {
		return j.data[j.at+1]
	}
	return 0
}

func (j *jsonReader) value(parent *Node, depth int) *Node {
	n := &Node{Parent: parent, At: j.place(j.at, j.at)}
	j.nodes++
	if j.nodes > MaxNodes {
		j.fail("more than %d values: the rest is not read", MaxNodes)
		return n
	}
	if depth > MaxDepth {
		j.fail("values nest deeper than %d: the rest is not read", MaxDepth)
		return n
	}
	from := j.at
	switch c := j.peek(); {
	case c == '{':
		n.Kind = Map
		j.object(n, depth)
	case c == '[':
		n.Kind = List
		j.array(n, depth)
	case c == '"' || c == '\'':
		n.Kind, n.Quoted = Scalar, true
		n.Text = j.quoted()
	default:
		n.Text = j.word()
		if n.Text == "" {
			j.fail("expected a value, found %s", j.found())
			break
		}
		if n.Text == "null" {
			n.Text = ""
			break
		}
		n.Kind = Scalar
	}
	n.At.End = min(max(from, j.at), len(j.data))
	return n
}

func (j *jsonReader) object(n *Node, depth int) {
	j.at++
	for {
		j.separators()
		switch j.peek() {
		case '}':
			j.at++
			return
		case 0:
			if j.at >= len(j.data) {
				j.fail("expected }, found the end of the file")
				return
			}
		}
		keyFrom := j.at
		key := ""
		if c := j.peek(); c == '"' || c == '\'' {
			key = j.quoted()
		} else {
			key = j.word()
		}
		if j.err == nil && j.at == keyFrom {
			j.fail("expected a name, found %s", j.found())
		}
		keyTo := j.at
		j.space()
		if c := j.peek(); c == ':' || c == '=' {
			j.at++
			j.space()
		} else if c != '{' && c != '[' {
			j.fail("expected : after %q, found %s", key, j.found())
		}
		if j.err != nil {
			return
		}
		c := j.value(n, depth+1)
		c.Key, c.KeyAt = key, j.place(keyFrom, keyTo)
		n.Children = append(n.Children, c)
		if j.err != nil {
			return
		}
	}
}

func (j *jsonReader) array(n *Node, depth int) {
	j.at++
	for {
		j.separators()
		if j.peek() == ']' {
			j.at++
			return
		}
		if j.at >= len(j.data) {
			j.fail("expected ], found the end of the file")
			return
		}
		n.Children = append(n.Children, j.value(n, depth+1))
		if j.err != nil {
			return
		}
	}
}

// separators skips blanks, comments and commas, however many.
func (j *jsonReader) separators() {
	for j.space(); j.peek() == ','; j.space() {
		j.at++
	}
}

// word reads a number, a literal or a name without quotes.
func (j *jsonReader) word() string {
	from := j.at
	for j.at < len(j.data) && !strings.ContainsRune(" \t\r\n,:={}[]\"'", rune(j.data[j.at])) && !(j.data[j.at] == '/' && (j.next() == '/' || j.next() == '*')) {
		j.at++
	}
	return string(j.data[from:j.at])
}

// quoted reads a text in quotes. An escape that is none stays as it is.
func (j *jsonReader) quoted() string {
	quote := j.data[j.at]
	from := j.at
	var b strings.Builder
	for i := j.at + 1; i < len(j.data); i++ {
		switch c := j.data[i]; c {
		case quote:
			j.at = i + 1
			return b.String()
		case '\\':
			n := j.escape(&b, i)
			i += n
		default:
			b.WriteByte(c)
		}
	}
	p := j.place(from, from)
	j.fail("expected %c, found the end of the file: the text begins at line %d", quote, p.Line)
	return b.String()
}

// escape writes what an escape at i stands for and returns how many bytes follow the
// backslash.
func (j *jsonReader) escape(b *strings.Builder, i int) int {
	if i+1 >= len(j.data) {
		return 0
	}
	switch c := j.data[i+1]; c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'b', 'f':
		b.WriteByte(' ')
	case 'u':
		if i+6 <= len(j.data) {
			if r, err := strconv.ParseUint(string(j.data[i+2:i+6]), 16, 32); err == nil {
				b.WriteRune(rune(r))
				return 5
			}
		}
		b.WriteString(`\u`)
	default:
		b.WriteByte(c)
	}
	return 1
}
