package lint

import (
	"bytes"
	"unicode/utf8"

	"example.com/kneeline/analyze/lint/model"
)

// Columns has columns count characters, by file. It holds for what is read of the files:
// places that have been counted once are not to be counted again.
type Columns map[string]wide

// ColumnsOf are the columns of files, as far as something stands in them whose place is
// told.
func ColumnsOf(files []Collected) Columns {
	c := Columns{}
	for i := range files {
		if f := &files[i]; len(f.wide) > 0 {
			c[f.Name] = f.wide
		}
	}
	return c
}

// Count has a place count characters.
func (c Columns) Count(at *model.Position) { at.Column = c[at.File].column(at.Line, at.Column) }

// CountProblems has the places of problems count characters.
func (c Columns) CountProblems(all []Problem) {
	for i := range all {
		p := &all[i]
		p.Column = c[p.File].column(p.Line, p.Column)
	}
}

// ProblemsOf is what could not be read of files, with columns that count characters.
func ProblemsOf(files []Collected) []Problem {
	var out []Problem
	for i := range files {
		out = append(out, files[i].AllProblems()...)
	}
	ColumnsOf(files).CountProblems(out)
	return out
}

// wide are the lines of a file with characters that take several bytes. Readers count
// columns in bytes, since fixes need places in bytes; what a result says counts
// characters, as editors and viewers do.
type wide map[int]string

// wideOf returns the wide lines of a file, nil where it has none.
func wideOf(data []byte) wide {
	if ascii(data) {
		return nil
	}
	w := wide{}
	n := 0
	for line := range bytes.Lines(data) {
		if n++; !ascii(line) {
			w[n] = string(line)
		}
	}
	return w
}

func ascii(data []byte) bool {
	for _, b := range data {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// column is a column that counts characters, of one that counts bytes.
func (w wide) column(line, column int) int {
	text, ok := w[line]
	if !ok || column < 1 || column > len(text) {
		return column
	}
	return utf8.RuneCountInString(text[:column-1]) + 1
}

// few are the lines that what was found in a file stands on.
func (c *Collected) few() wide {
	if len(c.wide) == 0 {
		return nil
	}
	out := wide{}
	keep := func(line int) {
		if text, ok := c.wide[line]; ok {
			out[line] = text
		}
	}
	for _, f := range c.findings {
		keep(f.Location.Line)
	}
	for _, m := range c.missing {
		keep(m.At.Line)
	}
	for _, p := range c.problems {
		keep(p.Line)
	}
	return out
}
