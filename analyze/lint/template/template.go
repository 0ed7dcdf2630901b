package template

import (
	"bytes"
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

// Filler stands for each byte of an expression.
const Filler = 'Q'

// MaxHoles bounds how many expressions of a file are listed.
const MaxHoles = 100_000

// Stripped is a file without its template language.
type Stripped struct {
	// Data is as long as the file and has its line ends where the file has them.
	Data []byte
	// Holes are the expressions in the order of the file, their places as byte offsets
	// in Data; they have no line yet.
	Holes []model.Value
	// Language is helm, jinja or erb as far as could be told, empty for no template.
	Language string
}

type mark struct {
	open, close string
	language    string
}

// marks are the ways to write an expression or a statement. The first that matches at
// a place is taken.
var marks = []mark{
	{"{{", "}}", "helm"},
	{"{%", "%}", "jinja"},
	{"{#", "#}", "jinja"},
	{"<%", "%>", "erb"},
}

// Strip takes the template language out of data. A file without any is returned as it
// is, not copied.
func Strip(data []byte) Stripped {
	if !bytes.Contains(data, []byte("{{")) && !bytes.Contains(data, []byte("{%")) && !bytes.Contains(data, []byte("<%")) {
		return Stripped{Data: data}
	}
	s := Stripped{Data: bytes.Clone(data)}
	for at := 0; at < len(data); {
		i := next(data, at)
		if i < 0 {
			break
		}
		m, ok := markAt(data[i:])
		if !ok {
			at = i + 1
			continue
		}
		if isFold(data[i:]) {
			at = i + len("{{{")
			continue
		}
		n := bytes.Index(data[i+2:], []byte(m.close))
		if n < 0 {
			at = i + 2
			continue
		}
		end := i + 2 + n + 2
		s.put(data, i, end, m)
		at = end
	}
	return s
}

// next returns where the next mark may begin.
func next(data []byte, from int) int {
	i := bytes.IndexAny(data[from:], "{<")
	if i < 0 {
		return -1
	}
	return from + i
}

func markAt(b []byte) (mark, bool) {
	for _, m := range marks {
		if bytes.HasPrefix(b, []byte(m.open)) {
			return m, true
		}
	}
	return mark{}, false
}

// isFold reports whether three braces end a line, as editors mark parts of a file that
// can be folded away.
func isFold(b []byte) bool {
	rest, ok := bytes.CutPrefix(b, []byte("{{{"))
	if !ok {
		return false
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return len(bytes.Trim(line, " \t\r0123456789")) == 0
}

// put fills the place of one expression or statement.
func (s *Stripped) put(data []byte, from, to int, m mark) {
	inner := strings.TrimSpace(strings.Trim(string(data[from+2:to-2]), "-=~+ \t\r\n"))
	if s.Language == "" {
		s.Language = m.language
	}
	if m.language == "helm" && isJinja(inner) {
		s.Language = "jinja"
	}
	fill := byte(' ')
	if !statement(m, data[from:to], inner) && !aloneBetween(data, from, to, inner) {
		fill = Filler
		if len(s.Holes) < MaxHoles {
			s.Holes = append(s.Holes, model.Value{
				Key: inner, Raw: string(data[from:to]), Origin: model.Hole, Source: reference(inner),
				At: model.Position{Offset: from, End: to},
			})
		}
	}
	for i := from; i < to; i++ {
		switch {
		case data[i] == '\n' || data[i] == '\r':
			fill = ' ' // what is left of it stands on lines of its own
		default:
			s.Data[i] = fill
		}
	}
}

// isJinja tells Jinja's filters from Helm's pipes.
func isJinja(inner string) bool {
	return strings.Contains(inner, "| default(") || strings.Contains(inner, "|default(")
}

// statement reports whether a mark holds no value.
func statement(m mark, whole []byte, inner string) bool {
	switch {
	case m.open == "{%" || m.open == "{#":
		return true
	case m.language == "erb":
		return !bytes.HasPrefix(whole, []byte("<%="))
	}
	word, rest, _ := strings.Cut(inner, " ")
	switch word {
	case "if", "else", "end", "range", "with", "define", "template", "block", "break", "continue", "import":
		return true
	}
	if strings.HasPrefix(inner, "/*") || inner == "" {
		return true
	}
	// An assignment: $x := …
	rest = strings.TrimSpace(rest)
	return strings.HasPrefix(word, "$") && (strings.HasPrefix(rest, ":=") || strings.HasPrefix(rest, "= "))
}

// aloneBetween reports whether an expression has its lines to itself, and so stands
// for lines of its own: included blocks of text.
func aloneBetween(data []byte, from, to int, inner string) bool {
	for i := from - 1; i >= 0 && data[i] != '\n'; i-- {
		if data[i] != ' ' && data[i] != '\t' {
			return false
		}
	}
	for i := to; i < len(data) && data[i] != '\n'; i++ {
		if data[i] != ' ' && data[i] != '\t' && data[i] != '\r' {
			return false
		}
	}
	return true
}

// reference returns the name that an expression looks up, such as .Values.timeout, as
// far as it is a plain one.
func reference(inner string) string {
	word := strings.FieldsFunc(inner, func(r rune) bool { return r == ' ' || r == '|' || r == '(' || r == ')' })
	for _, w := range word {
		if strings.HasPrefix(w, ".") || strings.HasPrefix(w, "$.") {
			return strings.TrimPrefix(w, "$")
		}
	}
	if len(word) > 0 {
		return word[0]
	}
	return ""
}

// Fallback returns the value that an expression has where nothing else is set: the
// argument of default.
func Fallback(inner string) (string, bool) {
	i := strings.LastIndex(inner, "default")
	if i < 0 {
		return "", false
	}
	rest := strings.TrimLeft(inner[i+len("default"):], " (")
	if rest == "" {
		return "", false
	}
	if q := rest[0]; q == '"' || q == '\'' || q == '`' {
		text, _, ok := strings.Cut(rest[1:], string(q))
		return text, ok
	}
	text := rest
	if end := strings.IndexAny(rest, " )|,"); end >= 0 {
		text = rest[:end]
	}
	if text == "" || strings.HasPrefix(text, ".") || strings.HasPrefix(text, "$") {
		return "", false
	}
	return text, true
}
