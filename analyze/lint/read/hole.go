package read

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/template"
	"example.com/kneeline/analyze/lint/tree"
)

// Fill puts known values and defaults in the place of the expressions and variables
// in a tree's scalars, and marks the scalars in which some are left as holes.
func (in *Input) Fill(n *tree.Node) {
	if n == nil {
		return
	}
	for _, c := range n.Children {
		in.Fill(c)
	}
	if n.Kind != tree.Scalar {
		return
	}
	text, hole := in.fill(n.Text, n.At.Offset, n.At.End)
	n.Text = text
	if hole != nil {
		hole.At.File, hole.At.Line, hole.At.Column = n.At.File, n.At.Line, n.At.Column
		n.Hole = hole
	}
}

// FillText is [Input.Fill] for a text of a format without a tree, which stands in the
// bytes [from, to) of the file. The hole is nil where nothing is left open.
func (in *Input) FillText(text string, at model.Position) (string, *model.Value) {
	text, hole := in.fill(text, at.Offset, at.End)
	if hole != nil {
		hole.At = at
	}
	return text, hole
}

func (in *Input) fill(text string, from, to int) (string, *model.Value) {
	if h := in.HoleAt(from, to); h != nil {
		value, known := in.known(h)
		whole := strings.Trim(text, string(rune(template.Filler))) == ""
		if !known || !whole {
			hole := *h
			return text, &hole
		}
		text = value
	}
	if strings.IndexByte(text, '$') < 0 {
		return text, nil
	}
	out, open := template.Expand(text, in.Lookup)
	if len(open) == 0 {
		return out, nil
	}
	r := open[0]
	return out, &model.Value{Key: r.Name, Raw: text[r.From:r.To], Origin: model.Hole, Source: r.Name}
}

// known is the value of an expression: what the user has given for the name that it
// looks up, or its own default.
func (in *Input) known(h *model.Value) (string, bool) {
	if in.Lookup != nil {
		if v, ok := in.Lookup(h.Source); ok {
			return v, true
		}
	}
	return template.Fallback(h.Key)
}
