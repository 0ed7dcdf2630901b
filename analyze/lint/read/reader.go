package read

import (
	"example.com/kneeline/analyze/lint/defaults"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/tree"
)

// Input is one file, or a part of one that holds a format of its own.
type Input struct {
	// Name is what findings call the file.
	Name string
	// Data is the whole file, so that places in it are places in the file. Template
	// expressions are put out of the way by package template, and of a part
	// everything else is blank.
	Data []byte
	// Holes are the expressions that were, by their place in Data.
	Holes []model.Value
	// Defaults are the programs' own values.
	Defaults *defaults.Table
	// Roots are all documents of the file that the tree came from, in its order, for
	// objects that other documents of the file add to.
	Roots []*tree.Node
	// Lookup knows the values of variables that the user has given; nil for none.
	Lookup func(name string) (string, bool)
	// Nested reads a part of the file that holds a format of its own, such as an entry
	// of a ConfigMap whose key is name; nil where parts are not read.
	Nested func(name string, from, to int) []*model.Document

	memo map[string]any
}

// Memo returns what find found out about all documents of the file, asking it once. The
// key is the reader's own. It is not for concurrent use: a file is read by one.
func (in *Input) Memo(key string, find func() any) any {
	v, ok := in.memo[key]
	if !ok {
		v = find()
		if in.memo == nil {
			in.memo = map[string]any{}
		}
		in.memo[key] = v
	}
	return v
}

// Text is a reader of a format with a grammar of its own, such as nginx.
type Text struct {
	// Name is the format's name.
	Name string
	// Recognise tells from the path and the content whether a file is of the format.
	// It is called often and must be cheap.
	Recognise func(path string, data []byte) bool
	Read      func(*Input) []*model.Document
}

// Object is a reader of objects in a tree of YAML, JSON, TOML, XML, properties or
// INI: several readers may look at one file.
type Object struct {
	Name string
	// Gate are words of which a file holds at least one if it has such objects: files
	// with none are not parsed at all.
	Gate []string
	// Recognise tells whether a document's root is an object of the format.
	Recognise func(path string, root *tree.Node) bool
	Read      func(in *Input, root *tree.Node) []*model.Document
}

// Part returns an input for the bytes [from, to) of the file, everywhere else blank.
func (in *Input) Part(from, to int) *Input {
	out := *in
	out.memo = nil
	out.Data = make([]byte, len(in.Data))
	for i, b := range in.Data {
		switch {
		case i >= from && i < to, b == '\n', b == '\r':
			out.Data[i] = b
		default:
			out.Data[i] = ' '
		}
	}
	out.Holes = nil
	for _, h := range in.Holes {
		if h.At.Offset >= from && h.At.End <= to {
			out.Holes = append(out.Holes, h)
		}
	}
	return &out
}

// HoleAt returns the expression that overlaps the bytes [from, to), nil if there is
// none.
func (in *Input) HoleAt(from, to int) *model.Value {
	lo, hi := 0, len(in.Holes)
	for lo < hi {
		mid := (lo + hi) / 2
		if in.Holes[mid].At.End <= from {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(in.Holes) && in.Holes[lo].At.Offset < to {
		return &in.Holes[lo]
	}
	return nil
}
