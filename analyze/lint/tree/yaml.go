package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"example.com/kneeline/analyze/lint/model"
)

// YAML reads the documents of a YAML file, JSON included. Documents after one that
// cannot be read are read as well: the text is cut at the marks between documents.
// Comments go to the nodes on whose lines they stand.
func YAML(file string, data []byte) ([]*Node, []*Error) {
	return YAMLOf(file, data, func([]byte) bool { return true })
}

// YAMLOf is [YAML] for the documents whose texts are wanted.
func YAMLOf(file string, data []byte, wanted func(document []byte) bool) ([]*Node, []*Error) {
	y := &yamlReader{lines: newLines(file, data)}
	for _, part := range cutDocuments(data) {
		if len(y.roots) == MaxDocuments {
			p := y.place(part.from, part.from)
			y.errs = append(y.errs, errorAt(p.Line, 1, "more than %d documents: the rest is not read", MaxDocuments))
			break
		}
		if text := data[part.from:part.to]; wanted(text) {
			y.document(text, part.line)
		}
	}
	return y.roots, y.errs
}

// ErrTwice is what is wrong with a key that a map has twice, as the branches of a
// template may.
var ErrTwice = errors.New("stands once more")

type part struct{ from, to, line int }

// cutDocuments cuts a text at lines that begin with ---, where a block of text cannot
// go on.
func cutDocuments(data []byte) []part {
	var parts []part
	p := part{line: 0}
	line := 0
	for at := 0; at < len(data); line++ {
		end := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if at > p.from && isMark(data[at:end]) {
			p.to = at
			parts = append(parts, p)
			p = part{from: at, line: line}
		}
		at = end
	}
	p.to = len(data)
	return append(parts, p)
}

func isMark(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && (len(line) == 3 || line[3] == ' ' || line[3] == '\n' || line[3] == '\r' || line[3] == '\t')
}

type yamlReader struct {
	*lines
	roots []*Node
	errs  []*Error
	above int // lines before the document
	nodes int
	// aliased are the nodes that aliases have made.
	aliased int
	// expanding are the anchors on the way to the node, against cycles.
	expanding map[*yaml.Node]bool
}

var yamlLine = regexp.MustCompile(`line (\d+)`)

func (y *yamlReader) document(text []byte, above int) {
	if at := invalidUTF8(text); at >= 0 {
		line := above + 1 + bytes.Count(text[:at], []byte{'\n'})
		y.errs = append(y.errs, errorAt(line, 0, "expected YAML in UTF-8, found the byte 0x%02x", text[at]))
		return
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	y.above, y.nodes, y.aliased, y.expanding = above, 0, 0, map[*yaml.Node]bool{}
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return
	case err != nil:
		line := above + 1
		if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
			n, _ := strconv.Atoi(m[1])
			line = above + n
		}
		y.errs = append(y.errs, errorAt(line, 0, "expected YAML: %s", yamlProblem(err)))
		return
	}
	if len(doc.Content) == 0 {
		return
	}
	root := y.node(doc.Content[0], nil, 0)
	if root.Kind != Null {
		y.roots = append(y.roots, root)
	}
}

// invalidUTF8 is where a text stops being UTF-8, -1 if it is UTF-8.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return -1
}

// yamlProblem is the parser's message without its own prefix and line.
func yamlProblem(err error) string {
	text := err.Error()
	if i := yamlLine.FindStringIndex(text); i != nil && i[1]+2 < len(text) && text[i[1]:i[1]+2] == ": " {
		text = text[i[1]+2:]
	}
	return text
}

func (y *yamlReader) node(in *yaml.Node, parent *Node, depth int) *Node {
	y.nodes++
	if len(y.expanding) > 0 {
		y.aliased++
	}
	n := &Node{Parent: parent}
	if y.aliased > MaxAliased {
		y.once(y.at(in), "more than %d values from aliases: the rest is not read", MaxAliased)
		return n
	}
	n.At = y.at(in)
	switch {
	case y.nodes > MaxNodes:
		y.once(n.At, "more than %d values: the rest is not read", MaxNodes)
		return n
	case depth > MaxDepth:
		y.once(n.At, "values nest deeper than %d: the rest is not read", MaxDepth)
		return n
	}
	switch in.Kind {
	case yaml.AliasNode:
		return y.alias(in, parent, depth)
	case yaml.ScalarNode:
		if in.Tag == "!!null" {
			return n
		}
		n.Kind, n.Text = Scalar, in.Value
		n.Quoted = in.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0
		n.Comment = comment(in.LineComment)
	case yaml.SequenceNode:
		n.Kind = List
		for _, c := range in.Content {
			n.Children = append(n.Children, y.node(c, n, depth+1))
		}
	case yaml.MappingNode:
		n.Kind = Map
		y.fields(in, n, depth)
	}
	return n
}

func (y *yamlReader) alias(in *yaml.Node, parent *Node, depth int) *Node {
	if in.Alias == nil || y.expanding[in.Alias] {
		at := y.at(in)
		y.once(at, "the anchor %s contains itself", in.Value)
		return &Node{Parent: parent, At: at}
	}
	y.expanding[in.Alias] = true
	defer delete(y.expanding, in.Alias)
	return y.node(in.Alias, parent, depth)
}

// fields reads a map; what << merges in stands before the map's own keys, which win.
func (y *yamlReader) fields(in *yaml.Node, n *Node, depth int) {
	for i := 0; i+1 < len(in.Content); i += 2 {
		if k := in.Content[i]; k.Tag == "!!merge" {
			y.merge(in.Content[i+1], n, depth)
		}
	}
	first := make(map[string]int, len(in.Content)/2)
	for i := 0; i+1 < len(in.Content); i += 2 {
		k, v := in.Content[i], in.Content[i+1]
		if k.Tag == "!!merge" {
			continue
		}
		c := y.node(v, n, depth+1)
		c.Key, c.KeyAt = k.Value, y.at(k)
		if c.Comment == "" {
			c.Comment = comment(k.LineComment)
		}
		if from := first[c.Key]; from > 0 && len(y.errs) < MaxTold {
			y.errs = append(y.errs, errorAt(c.KeyAt.Line, c.KeyAt.Column, "the key %q %w, after line %d: programs take the last or refuse the file; the last is read", c.Key, ErrTwice, from))
		}
		first[c.Key] = c.KeyAt.Line
		n.Children = append(n.Children, c)
	}
}

func (y *yamlReader) merge(in *yaml.Node, n *Node, depth int) {
	if depth > MaxDepth {
		return
	}
	m := y.node(in, n, depth+1)
	maps := []*Node{m}
	if m.Kind == List {
		maps = m.Children
	}
	for _, from := range maps {
		for _, c := range from.Children {
			if n.field(c.Key) == nil {
				c.Parent = n
				n.Children = append(n.Children, c)
			}
		}
	}
}

// at is where a node stands. The parser counts characters and lines of the document.
func (y *yamlReader) at(in *yaml.Node) model.Position {
	from := y.offset(in.Line+y.above, in.Column)
	p := y.place(from, from)
	if in.Kind == yaml.ScalarNode {
		p.End = y.end(in, from)
	}
	return p
}

// end finds where a scalar ends: a plain one is as long as its text, a quoted one ends
// at its quote.
func (y *yamlReader) end(in *yaml.Node, from int) int {
	switch {
	case in.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		quote := byte('"')
		if in.Style&yaml.SingleQuotedStyle != 0 {
			quote = '\''
		}
		for i := from + 1; i < len(y.data); i++ {
			switch {
			case quote == '"' && y.data[i] == '\\':
				i++
			case y.data[i] == quote && quote == '\'' && i+1 < len(y.data) && y.data[i+1] == quote:
				i++
			case y.data[i] == quote:
				return i + 1
			}
		}
		return from
	case in.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return from
	}
	if bytes.HasPrefix(y.data[from:], []byte(in.Value)) {
		return from + len(in.Value)
	}
	return from
}

// once reports a problem that repeats, the first time.
func (y *yamlReader) once(at model.Position, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, e := range y.errs {
		if e.Error() == text {
			return
		}
	}
	y.errs = append(y.errs, errorAt(at.Line, at.Column, "%s", text))
}

// comment is a comment's text without its mark.
func comment(text string) string {
	for text != "" && (text[0] == '#' || text[0] == ' ') {
		text = text[1:]
	}
	return text
}
