package tree

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// Names that the nodes of XML have beside their attributes.
const (
	// Elements is the key of the list of an element's elements.
	Elements = "#elements"
	// Content is the key of an element's own text.
	Content = "#text"
)

// XML reads an XML file: each element is a map with its name as Key, its attributes
// as children of their names, its text under [Content] and its elements in the list
// under [Elements]. Entities and document types are passed over, never fetched.
func XML(file string, data []byte) (*Node, *Error) {
	l := newLines(file, data)
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.Strict = false
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	root := &Node{Kind: Map, At: l.place(0, len(data))}
	root.Children = []*Node{{Kind: List, Key: Elements, Parent: root}}
	open, nodes := []*Node{root}, 0
	for {
		from := int(dec.InputOffset())
		tok, err := dec.RawToken()
		if err != nil {
			if errors.Is(err, io.EOF) {
				if len(open) > 1 {
					p := open[len(open)-1].At
					return root, errorAt(p.Line, p.Column, "expected </%s>, found the end of the file", open[len(open)-1].Key)
				}
				return root, nil
			}
			p := l.place(min(from, len(data)), min(from, len(data)))
			return root, errorAt(p.Line, p.Column, "expected XML, found %s", xmlProblem(err))
		}
		to := int(dec.InputOffset())
		switch t := tok.(type) {
		case xml.StartElement:
			if nodes += 1 + len(t.Attr); nodes > MaxNodes || len(open) > MaxDepth {
				p := l.place(from, from)
				return root, errorAt(p.Line, p.Column, "more than %d values or deeper than %d: the rest is not read", MaxNodes, MaxDepth)
			}
			open = append(open, element(l, open[len(open)-1], t, from, to))
		case xml.EndElement:
			name := local(t.Name)
			if len(open) == 1 || open[len(open)-1].Key != name {
				p := l.place(from, from)
				return root, errorAt(p.Line, p.Column, "expected </%s>, found </%s>", open[len(open)-1].Key, name)
			}
			open = open[:len(open)-1]
		case xml.CharData:
			text(l, open[len(open)-1], t, from, to)
		}
	}
}

func xmlProblem(err error) string {
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Msg
	}
	return err.Error()
}

func local(n xml.Name) string {
	return n.Local
}

// element adds an element to its parent.
func element(l *lines, parent *Node, t xml.StartElement, from, to int) *Node {
	n := &Node{Kind: Map, Key: local(t.Name), At: l.place(from, to), KeyAt: l.place(from+1, min(from+1+len(local(t.Name)), to)), Parent: parent}
	tag := l.data[from:to]
	at := 0
	for _, a := range t.Attr {
		c := &Node{Kind: Scalar, Quoted: true, Key: local(a.Name), Text: a.Value, Parent: n, At: n.At}
		if i := attribute(tag, at, local(a.Name)); i >= 0 {
			begin, end := quotedValue(tag, i)
			c.At, c.KeyAt = l.place(from+begin, from+end), l.place(from+i, from+i+len(local(a.Name)))
			at = end
		}
		n.Children = append(n.Children, c)
	}
	n.Children = append(n.Children, &Node{Kind: List, Key: Elements, Parent: n, At: n.At})
	list := parent.field(Elements)
	n.Parent = list
	list.Children = append(list.Children, n)
	return n
}

// attribute finds a name followed by = in a tag.
func attribute(tag []byte, from int, name string) int {
	for at := from; ; {
		i := bytes.Index(tag[at:], []byte(name))
		if i < 0 {
			return -1
		}
		at += i
		rest := bytes.TrimLeft(tag[at+len(name):], " \t\r\n")
		if len(rest) > 0 && rest[0] == '=' && at > 0 && strings.IndexByte(" \t\r\n:", tag[at-1]) >= 0 {
			return at
		}
		at += len(name)
	}
}

// quotedValue returns where the value of the attribute at i begins and ends, without
// its quotes.
func quotedValue(tag []byte, i int) (from, to int) {
	eq := bytes.IndexByte(tag[i:], '=')
	at := i + eq + 1
	for at < len(tag) && strings.IndexByte(" \t\r\n", tag[at]) >= 0 {
		at++
	}
	if at < len(tag) && (tag[at] == '"' || tag[at] == '\'') {
		if end := bytes.IndexByte(tag[at+1:], tag[at]); end >= 0 {
			return at + 1, at + 1 + end
		}
	}
	return at, at
}

// text adds to an element's own text.
func text(l *lines, n *Node, data xml.CharData, from, to int) {
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) == 0 {
		return
	}
	if old := n.field(Content); old != nil {
		old.Text += " " + string(trimmed)
		return
	}
	c := &Node{Kind: Scalar, Key: Content, Text: string(trimmed), Parent: n, At: l.place(from, to)}
	if i := bytes.Index(l.data[from:to], trimmed); i >= 0 {
		c.At = l.place(from+i, from+i+len(trimmed))
	}
	n.Children = append(n.Children, c)
}

// Each calls f for the elements of a name below n, at any depth, in the order of the
// file; for all of them where name is empty.
func (n *Node) Each(name string, f func(*Node)) {
	for e := range n.Get(Elements).elements() {
		if name == "" || e.Key == name {
			f(e)
		}
		e.Each(name, f)
	}
}

func (n *Node) elements() func(func(*Node) bool) {
	return func(yield func(*Node) bool) {
		if n == nil {
			return
		}
		for _, c := range n.Children {
			if !yield(c) {
				return
			}
		}
	}
}
