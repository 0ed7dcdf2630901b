package compose

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/tree"
)

// fill puts known values in the place of variables without braces ($NAME), which
// Compose knows beside ${NAME}, and marks the scalars in which some are left as holes.
func fill(in *read.Input, n *tree.Node) {
	if n == nil {
		return
	}
	for _, c := range n.Children {
		fill(in, c)
	}
	if n.Kind != tree.Scalar || n.Hole != nil || !strings.HasPrefix(n.Text, "$") {
		return
	}
	name := n.Text[1:]
	if !isName(name) {
		return
	}
	if in.Lookup != nil {
		if v, ok := in.Lookup(name); ok {
			n.Text = v
			return
		}
	}
	n.Hole = &model.Value{Key: name, Raw: n.Text, Origin: model.Hole, Source: name, At: n.At}
}

func isName(text string) bool {
	for i, r := range text {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return text != ""
}
