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
	// Data is the content, with template expressions already put out of the way by
	// package template, which keeps every byte's place.
	Data []byte
	// Holes are the expressions that were, by their place in Data.
	Holes []model.Value
	// Defaults are the programs' own values.
	Defaults *defaults.Table
	// Lines and Columns are where Data begins in the file, for a part; 0 otherwise.
	Line, Column int
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

// Object is a reader of objects in a tree of YAML, JSON, TOML or properties: several
// readers may look at one file.
type Object struct {
	Name string
	// Gate are words of which a file holds at least one if it has such objects: files
	// with none are not parsed at all.
	Gate []string
	// Recognise tells whether a document's root is an object of the format.
	Recognise func(path string, root *tree.Node) bool
	Read      func(in *Input, root *tree.Node) []*model.Document
}
