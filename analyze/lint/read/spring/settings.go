package spring

import (
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/tree"
)

// settings is a tree of keys as Spring binds them: dots and brackets taken apart, names
// found whatever their case and hyphens, later documents over earlier ones.
type settings struct {
	// name is the part of the key as it is written.
	name string
	// node is the scalar, nil for a key that has keys below it alone.
	node *tree.Node
	// at is where the key first stands.
	at    model.Position
	kids  []*settings
	index map[string]*settings
	// mine marks what the document that is being read sets, or a key above it; the
	// rest comes from the documents that hold for all profiles.
	mine bool
	// list marks the items of a list, whose names are their numbers.
	list bool
}

// maxKeys bounds the parts of one key.
const maxKeys = 40

// add puts a document's keys over those that are there.
func (s *settings) add(n *tree.Node, mine bool) {
	for _, c := range n.Children {
		at := s
		for _, part := range parts(c.Key) {
			at = at.kid(part, c.KeyAt)
			at.mine = at.mine || mine
		}
		at.set(c, mine)
	}
	s.mine = s.mine || mine
}

// set gives a key its value: a scalar and a list take the place of what was there, a
// map adds to it.
func (s *settings) set(n *tree.Node, mine bool) {
	s.mine = s.mine || mine
	switch n.Kind {
	case tree.Scalar:
		s.node, s.kids, s.index, s.list = n, nil, nil, false
		s.at = n.KeyAt
		if s.at.Line == 0 {
			s.at = n.At
		}
	case tree.List:
		s.node, s.kids, s.index, s.list = nil, nil, nil, true
		for i, item := range n.Children {
			s.kid(strconv.Itoa(i), item.At).set(item, mine)
		}
	case tree.Map:
		if mine {
			if n.KeyAt.Line > 0 {
				s.at = n.KeyAt
			}
		}
		s.add(n, mine)
	}
}

// kid returns the key below s, which it makes if there is none.
func (s *settings) kid(name string, at model.Position) *settings {
	relaxed := tree.Relaxed(name)
	if k := s.index[relaxed]; k != nil {
		return k
	}
	k := &settings{name: name, at: at}
	if s.index == nil {
		s.index = map[string]*settings{}
	}
	s.index[relaxed] = k
	s.kids = append(s.kids, k)
	return k
}

// parts takes a key apart: a.b[0].c, a[x.y].z.
func parts(key string) []string {
	if !strings.ContainsAny(key, ".[") {
		return []string{key}
	}
	var out []string
	for key != "" && len(out) < maxKeys {
		if key[0] == '[' {
			if end := strings.IndexByte(key, ']'); end > 0 {
				out = append(out, key[1:end])
				key = strings.TrimPrefix(key[end+1:], ".")
				continue
			}
		}
		i := strings.IndexAny(key[1:], ".[")
		if i < 0 {
			out = append(out, key)
			break
		}
		out = append(out, key[:i+1])
		key = strings.TrimPrefix(key[i+1:], ".")
	}
	return out
}

// get returns the key under a path of dotted names, nil if there is none.
func (s *settings) get(path string) *settings {
	for path != "" && s != nil {
		var part string
		part, path, _ = strings.Cut(path, ".")
		s = s.index[tree.Relaxed(part)]
	}
	return s
}

// first returns the first of several keys that is there, for settings that have been
// renamed.
func (s *settings) first(paths ...string) *settings {
	for _, p := range paths {
		if k := s.get(p); k.present() {
			return k
		}
	}
	return nil
}

func (s *settings) present() bool { return s != nil && (s.node != nil || len(s.kids) > 0) }

// own reports whether the document that is being read sets the key or one below it.
func (s *settings) own() bool { return s != nil && s.mine && s.present() }

// scalar returns the node of the key's value, nil if it has none.
func (s *settings) scalar() *tree.Node {
	if s == nil {
		return nil
	}
	return s.node
}

// text returns the key's value as it stands.
func (s *settings) text() string { return s.scalar().String() }

// below returns the keys below, in the order of the file.
func (s *settings) below() []*settings {
	if s == nil {
		return nil
	}
	return s.kids
}

// place is where the key stands, or where what lacks it does.
func (s *settings) place(otherwise model.Position) model.Position {
	if s == nil || s.at.Line == 0 {
		return otherwise
	}
	return s.at
}

// word is one of several values of a key.
type word struct {
	text string
	at   model.Position
}

// words returns the values of a list, or of a text with commas.
func (s *settings) words() []word {
	if s == nil {
		return nil
	}
	if n := s.node; n != nil {
		if n.Hole != nil {
			return nil
		}
		return commas(n.Text, n.At)
	}
	var out []word
	for _, k := range s.kids {
		if k.node != nil && k.node.Hole == nil {
			out = append(out, commas(k.node.Text, k.node.At)...)
		}
	}
	return out
}

func commas(text string, at model.Position) []word {
	var out []word
	for _, w := range strings.Split(text, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, word{w, at})
		}
	}
	return out
}
