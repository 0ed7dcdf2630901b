package pattern

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/nearest"
)

// Limits of a file of patterns.
const (
	MaxFileSize = 1 << 20
	MaxRows     = 10000
	maxPath     = 8 // fields in a path

	// otherSection has the functions of Go, which another package reads.
	otherSection = "go"
)

// Parse reads a file of patterns, which messages call name. All problems are
// reported, joined, each with its line.
func Parse(name string, data []byte) (*Table, error) {
	if len(data) > MaxFileSize {
		return nil, fault.Usagef("%s: expected at most %d bytes of patterns, found more", name, MaxFileSize)
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return &Table{}, nil
	case err != nil:
		return nil, fault.Usagef("%s: not valid YAML: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	var next yaml.Node
	if err := dec.Decode(&next); !errors.Is(err, io.EOF) {
		return nil, fault.Usagef("%s: expected a single YAML document, found another after it", name)
	}
	p := &parser{name: name, table: &Table{}}
	p.document(doc.Content[0])
	if err := errors.Join(p.problems...); err != nil {
		return nil, err
	}
	return p.table, nil
}

type parser struct {
	name     string
	table    *Table
	problems []error
	rows     int
}

func (p *parser) problem(line int, hint, format string, args ...any) {
	err := fault.Usagef("%s:%d: %s", p.name, line, fmt.Sprintf(format, args...))
	if hint != "" {
		err = fault.WithHint(err, hint)
	}
	p.problems = append(p.problems, err)
}

// sections are the keys at the top and what reads a row of each.
func (p *parser) sections() map[string]func(*yaml.Node) {
	return map[string]func(*yaml.Node){
		"queues": p.queue, "owners": p.owner, "items": p.item, "limits": p.limit, "plain": p.plain,
		"go": func(*yaml.Node) {}, // names of Go functions, for package goproc to read
	}
}

func (p *parser) document(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		p.problem(n.Line, "", "expected sections such as 'queues:', found %s", describe(n))
		return
	}
	sections := p.sections()
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, rows := n.Content[i], n.Content[i+1]
		if key.Value == otherSection {
			continue
		}
		read, ok := sections[key.Value]
		if !ok {
			p.unknown(key, "section", keys(sections))
			continue
		}
		if rows.Kind != yaml.SequenceNode {
			p.problem(rows.Line, "", "%s: expected a list of rows, found %s", key.Value, describe(rows))
			continue
		}
		for _, row := range rows.Content {
			if p.rows++; p.rows > MaxRows {
				p.problem(row.Line, "", "expected at most %d rows, found more", MaxRows)
				return
			}
			read(row)
		}
	}
}

func keys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (p *parser) unknown(key *yaml.Node, what string, known []string) {
	hint := "one of " + strings.Join(known, ", ")
	if near, ok := nearest.To(key.Value, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	p.problem(key.Line, hint, "unknown %s %q", what, key.Value)
}

// field is what one key of a row sets.
type field struct {
	text  *string
	list  *[]string
	flag  *bool
	oneOf []string
	path  bool
}

// row reads the keys of one row and reports whether all is well with it.
func (p *parser) row(n *yaml.Node, what string, fields map[string]field, required ...string) bool {
	before := len(p.problems)
	if n.Kind != yaml.MappingNode {
		p.problem(n.Line, "", "expected a row of 'name: value', found %s", describe(n))
		return false
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		f, ok := fields[key.Value]
		switch {
		case !ok:
			p.unknown(key, "key of "+what, keys(fields))
			continue
		case seen[key.Value]:
			p.problem(key.Line, "", "%q is set a second time", key.Value)
			continue
		}
		seen[key.Value] = true
		p.value(key.Value, value, f)
	}
	for _, r := range required {
		if !seen[r] {
			p.problem(n.Line, "", "%s: expected the key %q, found none", what, r)
		}
	}
	return len(p.problems) == before
}

func (p *parser) value(key string, n *yaml.Node, f field) {
	switch {
	case f.list != nil && n.Kind == yaml.SequenceNode:
		for _, v := range n.Content {
			var one string
			p.value(key, v, field{text: &one, path: f.path})
			*f.list = append(*f.list, one)
		}
		return
	case f.list != nil:
		var one string
		p.value(key, n, field{text: &one, path: f.path})
		*f.list = append(*f.list, one)
		return
	case n.Kind != yaml.ScalarNode || n.Tag == "!!null":
		p.problem(n.Line, "", "%q: expected a value, found %s", key, describe(n))
		return
	case f.flag != nil:
		b, err := strconv.ParseBool(n.Value)
		if err != nil {
			p.problem(n.Line, "", "%q: expected true or false, found %q", key, n.Value)
		}
		*f.flag = b
		return
	}
	if f.oneOf != nil && !slices.Contains(f.oneOf, n.Value) {
		hint := ""
		if near, ok := nearest.To(n.Value, f.oneOf); ok {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		p.problem(n.Line, hint, "%q: expected one of %s, found %q", key, strings.Join(f.oneOf, ", "), n.Value)
		return
	}
	if f.path && !pathForm.MatchString(n.Value) || f.path && strings.Count(n.Value, ".") >= maxPath {
		p.problem(n.Line, "", "%q: expected field names joined by dots, at most %d, found %q", key, maxPath, n.Value)
		return
	}
	*f.text = n.Value
}

// pathForm is fields joined by dots; a field may be qualified by its class's
// last name, as in Class#field.
var pathForm = regexp.MustCompile(`^[A-Za-z_$][\w$#]*(\.[A-Za-z_$][\w$#]*)*$`)

// class checks a class name with stars.
func (p *parser) class(n *yaml.Node, class string) matcher {
	if strings.Trim(class, "*. ") == "" {
		p.problem(n.Line, "", "\"class\": expected a class name, found %q", class)
	}
	if strings.Contains(class, "/") {
		p.problem(n.Line, fmt.Sprintf("write %s", strings.ReplaceAll(class, "/", ".")), "\"class\": expected a name with dots, found %q", class)
	}
	return newMatcher(class)
}

// describe says what a node is in words.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.MappingNode:
		return "a section"
	case n.Kind == yaml.AliasNode:
		return "the alias *" + n.Value + ", which files of patterns do not support"
	case n.Tag == "!!null":
		return "nothing"
	}
	return strconv.Quote(n.Value)
}
