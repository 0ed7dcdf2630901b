package spring

import (
	"strings"

	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/template"
	"example.com/kneeline/analyze/lint/tree"
)

// Bounds of references from one key to another.
const (
	maxReferences = 8    // how long a chain of them is followed
	maxResolved   = 4096 // bytes of a value that is put together from them
)

// resolver puts the values of a file's own keys in the place of references to them, as
// Spring does before it takes a default.
type resolver struct {
	in   *read.Input
	root *settings
	// done holds what has been resolved, so that no key is resolved twice; an empty
	// entry is one that refers to itself.
	done map[*settings]*tree.Node
}

// resolve replaces the scalars that refer to other keys.
func resolve(in *read.Input, root *settings) {
	r := &resolver{in: in, root: root, done: map[*settings]*tree.Node{}}
	r.walk(root)
}

func (r *resolver) walk(s *settings) {
	if s.node != nil {
		s.node = r.node(s, 0)
	}
	for _, k := range s.kids {
		r.walk(k)
	}
}

// node returns a key's scalar with the references in it resolved, as far as they are
// known.
func (r *resolver) node(s *settings, depth int) *tree.Node {
	if n, ok := r.done[s]; ok {
		if n == nil {
			return s.node
		}
		return n
	}
	raw, ok := r.written(s.node)
	if !ok || depth > maxReferences {
		return s.node
	}
	r.done[s] = nil
	text, open := template.Expand(raw, func(name string) (string, bool) { return r.lookup(name, depth) })
	if len(open) > 0 || len(text) > maxResolved {
		return s.node
	}
	out := *s.node
	out.Text, out.Hole = text, nil
	r.done[s] = &out
	return &out
}

// written returns a scalar as the file has it, if it refers to anything.
func (r *resolver) written(n *tree.Node) (string, bool) {
	from, to := n.At.Offset, n.At.End
	if from >= to || to > len(r.in.Data) || r.in.HoleAt(from, to) != nil {
		return "", false
	}
	raw := string(r.in.Data[from:to])
	if !strings.Contains(raw, "${") || len(raw) > maxResolved {
		return "", false
	}
	if n.Quoted && len(raw) >= 2 {
		raw = raw[1 : len(raw)-1]
	}
	return raw, true
}

// lookup knows what the user has given, and the file's own keys.
func (r *resolver) lookup(name string, depth int) (string, bool) {
	if r.in.Lookup != nil {
		if v, ok := r.in.Lookup(name); ok {
			return v, true
		}
	}
	s := r.root.get(name)
	if s == nil || s.node == nil {
		return "", false
	}
	n := r.node(s, depth+1)
	return n.Text, n.Hole == nil
}
