package tree

import (
	"iter"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

// Kind is what a node is.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Scalar
	Map
	List
)

// Node is one value of a file. Its methods take a nil node for one that is absent.
type Node struct {
	Kind Kind
	// Key is the node's name in its map, empty in a list and at the root; KeyAt its
	// place.
	Key   string
	KeyAt model.Position
	// Text is a scalar's text without quotes and escapes.
	Text string
	// Quoted marks a scalar in quotes: a string whatever it looks like.
	Quoted bool
	// Hole is the template expression or variable that the scalar consists of or
	// contains; nil for none. With a default or a filled value Text has it in place.
	Hole *model.Value
	// At is where the value begins and ends.
	At model.Position
	// Children are the values of a map, in the order of the file, or the items of a
	// list.
	Children []*Node
	// Parent is the node that holds it, nil at the root.
	Parent *Node
	// Comment is the comment on the node's own line, without its mark.
	Comment string
}

// Get returns the value under a path of keys, nil if there is none. A key that is
// written twice has its last value, as parsers take it.
func (n *Node) Get(path ...string) *Node {
	for _, key := range path {
		n = n.field(key)
	}
	return n
}

func (n *Node) field(key string) *Node {
	if n == nil || n.Kind != Map {
		return nil
	}
	for i := len(n.Children) - 1; i >= 0; i-- {
		if n.Children[i].Key == key {
			return n.Children[i]
		}
	}
	return nil
}

// Loose returns the value under a path of keys whose case, hyphens and underscores do
// not matter, as Spring binds them, and whose parts may be joined by dots in the file.
func (n *Node) Loose(path ...string) *Node {
	return n.loose(Relaxed(strings.Join(path, ".")))
}

func (n *Node) loose(path string) *Node {
	if n == nil || n.Kind != Map {
		return nil
	}
	for i := len(n.Children) - 1; i >= 0; i-- {
		c := n.Children[i]
		key := Relaxed(c.Key)
		if key == path {
			return c
		}
		if rest, ok := strings.CutPrefix(path, key+"."); ok {
			if found := c.loose(rest); found != nil {
				return found
			}
		}
	}
	return nil
}

// Relaxed returns a key without what relaxed binding ignores.
func Relaxed(key string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == '-' || r == '_' {
			return -1
		}
		return r
	}, key))
}

// Fields yields the values of a map with their keys, in the order of the file.
func (n *Node) Fields() iter.Seq2[string, *Node] {
	return func(yield func(string, *Node) bool) {
		if n == nil || n.Kind != Map {
			return
		}
		for _, c := range n.Children {
			if !yield(c.Key, c) {
				return
			}
		}
	}
}

// Items yields the items of a list, or the node itself if it is none: many formats
// take one where they take several.
func (n *Node) Items() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		switch {
		case n == nil || n.Kind == Null:
			return
		case n.Kind != List:
			yield(n)
			return
		}
		for _, c := range n.Children {
			if !yield(c) {
				return
			}
		}
	}
}

// String returns a scalar's text, empty for anything else.
func (n *Node) String() string {
	if n == nil || n.Kind != Scalar {
		return ""
	}
	return n.Text
}

// Is reports whether the node is a scalar of this text.
func (n *Node) Is(text string) bool { return n != nil && n.Kind == Scalar && n.Text == text }

// Present reports whether the node is there and not null.
func (n *Node) Present() bool { return n != nil && n.Kind != Null }

// Position returns the node's place, none for an absent one.
func (n *Node) Position() model.Position {
	if n == nil {
		return model.Position{}
	}
	return n.At
}

// Path returns the keys from the root to the node, joined by dots, items by [index].
func (n *Node) Path() string {
	if n == nil || n.Parent == nil {
		return ""
	}
	head := n.Parent.Path()
	if n.Parent.Kind == List {
		for i, c := range n.Parent.Children {
			if c == n {
				return head + "[" + strconv.Itoa(i) + "]"
			}
		}
	}
	if head == "" {
		return n.Key
	}
	return head + "." + n.Key
}
