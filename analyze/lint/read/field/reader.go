package field

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/tree"
	"example.com/kneeline/internal/nearest"
)

var nan = math.NaN()

// Reader fills one document.
type Reader struct {
	In  *read.Input
	Doc *model.Document
	// Product is whose defaults hold, and what refusals name.
	Product string
	// Title is the product's name as people write it.
	Title string
	// Style is how it reads durations.
	Style Style
	// Camel lets keys stand as connectTimeout where they are called connect_timeout.
	Camel bool
	// Fold lets keys stand in any case.
	Fold bool
	// Structs lets durations stand as objects of seconds and nanoseconds.
	Structs bool
	// known tells the holes that are in the document already.
	known map[model.Position]bool
}

// New returns a reader of the document that root begins.
func New(in *read.Input, root *tree.Node, format, product, title string, style Style) *Reader {
	doc := &model.Document{File: in.Name, Line: max(root.Position().Line, 1), Format: format, Product: product}
	return &Reader{In: in, Doc: doc, Product: product, Title: title, Style: style, known: map[model.Position]bool{}}
}

// Documents returns the document, none if nothing was found in it.
func (r *Reader) Documents() []*model.Document {
	d := r.Doc
	if len(d.Hops)+len(d.Services)+len(d.Rejected)+len(d.Units)+len(d.Problems)+len(d.Unknown)+len(d.Holes) == 0 {
		return nil
	}
	return []*model.Document{d}
}

// Hop adds a hop. It is a test's if the file's directory says so.
func (r *Reader) Hop(h *model.Hop) *model.Hop {
	h.Test = h.Test || InTests(r.In.Name)
	r.Doc.Hops = append(r.Doc.Hops, h)
	return h
}

// Service adds a service.
func (r *Reader) Service(s *model.Service) *model.Service {
	r.Doc.Services = append(r.Doc.Services, s)
	return s
}

// InTests reports whether a file stands in a directory for tests.
func InTests(name string) bool {
	for dir := path.Dir(strings.ReplaceAll(name, "\\", "/")); dir != "." && dir != "/"; dir = path.Dir(dir) {
		switch strings.ToLower(path.Base(dir)) {
		case "test", "tests", "testdata", "e2e", "fixtures", "conformance":
			return true
		}
	}
	return false
}

// Hole notes a value whose expression is not known, each once.
func (r *Reader) Hole(v model.Value) {
	at := v.At
	at.Offset, at.End = 0, 0
	if v.IsHole() && !r.known[at] {
		r.known[at] = true
		r.Doc.Holes = append(r.Doc.Holes, v)
	}
}

// Reject notes what the program refuses, each once.
func (r *Reader) Reject(at model.Position, fix, format string, args ...any) {
	r.reject(model.Rejection{Why: r.Title + " refuses it: " + fmt.Sprintf(format, args...), Fix: fix, At: at})
}

// Ignored notes what the program leaves out silently, each once.
func (r *Reader) Ignored(at model.Position, fix, format string, args ...any) {
	r.reject(model.Rejection{Why: r.Title + " ignores it: " + fmt.Sprintf(format, args...), Fix: fix, Ignored: true, At: at})
}

func (r *Reader) reject(x model.Rejection) {
	if !slices.Contains(r.Doc.Rejected, x) {
		r.Doc.Rejected = append(r.Doc.Rejected, x)
	}
}

// slip notes a doubtful unit, each once.
func (r *Reader) slip(x model.Slip) {
	same := func(y model.Slip) bool { return y.Value.At == x.Value.At && y.Why == x.Why }
	if !slices.ContainsFunc(r.Doc.Units, same) {
		r.Doc.Units = append(r.Doc.Units, x)
	}
}

// Section is one object of a document, whose settings' defaults stand in the table
// under its name.
type Section struct {
	*Reader
	Name string
	Node *tree.Node
	// At is where the object stands, and so where a missing setting is missing.
	At model.Position
}

// Section returns the object under a node, or the place where it is missing.
func (r *Reader) Section(name string, n *tree.Node, at model.Position) Section {
	if n.Present() {
		if at = n.KeyAt; at.Line == 0 {
			at = n.At
		}
	}
	return Section{Reader: r, Name: name, Node: n, At: at}
}

// Sub returns the object under a path of keys.
func (s Section) Sub(name string, keys ...string) Section {
	n := s.Node
	for _, k := range keys {
		n = s.get(n, k)
	}
	return s.Section(name, n, s.At)
}

// Field returns the value under a key.
func (s Section) Field(key string) *tree.Node { return s.get(s.Node, key) }

func (r *Reader) get(n *tree.Node, key string) *tree.Node {
	switch c := n.Get(key); {
	case c != nil:
		return c
	case r.Camel:
		return n.Get(camel(key))
	case r.Fold:
		return Folded(n, key)
	}
	return nil
}

// Folded returns the value under a path of keys that may stand in any case.
func Folded(n *tree.Node, path ...string) *tree.Node {
	for _, key := range path {
		var found *tree.Node
		for name, c := range n.Fields() {
			if strings.EqualFold(name, key) {
				found = c
			}
		}
		n = found
	}
	return n
}

func camel(key string) string {
	head, rest, _ := strings.Cut(key, "_")
	for rest != "" {
		var word string
		word, rest, _ = strings.Cut(rest, "_")
		if word != "" {
			head += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return head
}

// Default returns what holds where a setting is missing.
func (s Section) Default(key string) model.Value {
	v := s.In.Defaults.Lookup(s.Product, s.Name+"."+key, s.At)
	v.Key = key
	return v
}

// Known notes the keys of the object that are not among these, with the one that is
// nearly the same.
func (s Section) Known(keys ...string) {
	for key, c := range s.Node.Fields() {
		if contains(keys, key, s.Camel, s.Fold) || strings.HasPrefix(key, "@") || isHole(key) {
			continue
		}
		u := model.UnknownKey{Key: key, In: s.Name, At: c.KeyAt}
		if near, ok := nearest.To(key, keys); ok && nearest.Distance(strings.ToLower(key), strings.ToLower(near)) <= 2 && !s.get(s.Node, near).Present() {
			u.Nearest = near
		}
		s.Doc.Unknown = append(s.Doc.Unknown, u)
	}
}

// Label is a scalar's text for people, with the expression in it as the file has it.
func Label(n *tree.Node) string {
	text := n.String()
	if n == nil || n.Hole == nil || !strings.Contains(text, "QQ") {
		return text
	}
	head, rest, _ := strings.Cut(text, "QQ")
	return head + n.Hole.Raw + strings.TrimLeft(rest, "Q")
}

func contains(keys []string, key string, camelToo, fold bool) bool {
	for _, k := range keys {
		if k == key || camelToo && camel(k) == key || fold && strings.EqualFold(k, key) {
			return true
		}
	}
	return false
}

func isHole(key string) bool { return strings.Contains(key, "QQ") }
