package tree

import (
	"errors"

	"github.com/pelletier/go-toml/v2/unstable"

	"example.com/kneeline/analyze/lint/model"
)

// TOML reads a TOML file. It returns what was read up to an error, and the error.
func TOML(file string, data []byte) (*Node, *Error) {
	t := &tomlReader{lines: newLines(file, data)}
	t.parser.Reset(data)
	root := &Node{Kind: Map, At: t.place(0, len(data))}
	table := root
	for t.parser.NextExpression() {
		e := t.parser.Expression()
		switch e.Kind {
		case unstable.Table:
			table = t.descend(root, e.Key(), false)
		case unstable.ArrayTable:
			table = t.descend(root, e.Key(), true)
		case unstable.KeyValue:
			t.keyValue(table, e)
		}
		if t.nodes > MaxNodes {
			return root, errorAt(1, 1, "more than %d values: the rest is not read", MaxNodes)
		}
	}
	if err := t.parser.Error(); err != nil {
		return root, t.problem(err)
	}
	return root, nil
}

type tomlReader struct {
	*lines
	parser unstable.Parser
	nodes  int
}

func (t *tomlReader) problem(err error) *Error {
	var p *unstable.ParserError
	if errors.As(err, &p) && len(p.Highlight) > 0 {
		at := t.place(int(t.parser.Range(p.Highlight).Offset), 0)
		return errorAt(at.Line, at.Column, "expected TOML, found %s", p.Message)
	}
	return errorAt(1, 1, "expected TOML, found %s", err)
}

// descend returns the table of a dotted key, and makes what is missing. The last part
// of an array's key begins a new item.
func (t *tomlReader) descend(n *Node, keys unstable.Iterator, array bool) *Node {
	for keys.Next() {
		k := keys.Node()
		n = last(t.child(n, k))
		if !keys.IsLast() || !array {
			if n.Kind == Null {
				n.Kind = Map
			}
			continue
		}
		list := n
		if list.Kind == Map && list.Parent != nil && list.Parent.Kind == List {
			list = list.Parent
		}
		list.Kind = List
		t.nodes++
		n = &Node{Kind: Map, Parent: list, At: t.at(k)}
		list.Children = append(list.Children, n)
	}
	return n
}

// last is the item that a list's key stands for: its last.
func last(n *Node) *Node {
	if n.Kind == List && len(n.Children) > 0 && n.Children[len(n.Children)-1].Kind == Map {
		return n.Children[len(n.Children)-1]
	}
	return n
}

// child returns the value under a key, and makes it if it is missing.
func (t *tomlReader) child(n *Node, key *unstable.Node) *Node {
	if c := n.field(string(key.Data)); c != nil {
		return c
	}
	t.nodes++
	at := t.at(key)
	c := &Node{Key: string(key.Data), KeyAt: at, At: at, Parent: n}
	n.Children = append(n.Children, c)
	return c
}

func (t *tomlReader) at(n *unstable.Node) model.Position {
	from := int(n.Raw.Offset)
	if n.Raw.Length == 0 && len(n.Data) > 0 {
		from = int(t.parser.Range(n.Data).Offset)
		return t.place(from, from+len(n.Data))
	}
	return t.place(from, from+int(n.Raw.Length))
}

func (t *tomlReader) keyValue(table *Node, e *unstable.Node) {
	n := table
	keys := e.Key()
	for keys.Next() {
		n = t.child(n, keys.Node())
		if !keys.IsLast() && n.Kind == Null {
			n.Kind = Map
		}
	}
	t.value(n, e.Value())
}

func (t *tomlReader) value(n *Node, v *unstable.Node) {
	switch v.Kind {
	case unstable.Array:
		n.Kind = List
		for items := v.Children(); items.Next(); {
			t.nodes++
			c := &Node{Parent: n, At: n.At}
			t.value(c, items.Node())
			n.Children = append(n.Children, c)
		}
	case unstable.InlineTable:
		n.Kind = Map
		for fields := v.Children(); fields.Next(); {
			t.keyValue(n, fields.Node())
		}
	default:
		n.Kind, n.Text = Scalar, string(v.Data)
		n.Quoted = v.Kind == unstable.String
		n.At = t.at(v)
	}
}
