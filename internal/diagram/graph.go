package diagram

import "strings"

// Level is how a line of a box or an arrow is to look.
type Level uint8

// The levels.
const (
	Plain Level = iota
	Warning
	Error
)

// Graph is what is drawn.
type Graph struct {
	Title string
	Nodes []Node
	Edges []Edge
}

// Node is one box.
type Node struct {
	Name string
	// Lines are what is under the name.
	Lines []string
	Level Level
}

// Edge is an arrow between two nodes, by their places in the list of nodes.
type Edge struct {
	From, To int
	// Lines are the label.
	Lines []string
	Level Level
	// Dashed marks an arrow that was concluded and not given.
	Dashed bool
}

// maxText bounds the characters of a line: longer ones are shortened.
const maxText = 80

// clean makes a text safe for every format: one line, no control characters, not too
// long.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfffe || r == 0xffff:
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	if r := []rune(s); len(r) > maxText {
		return string(r[:maxText-1]) + "…"
	}
	return s
}

// edges are those whose ends exist, without loops of a node to itself, which have no place
// in layers; those are returned apart.
func (g Graph) edges() (out []Edge, loops []Edge) {
	for _, e := range g.Edges {
		switch {
		case e.From < 0 || e.To < 0 || e.From >= len(g.Nodes) || e.To >= len(g.Nodes):
		case e.From == e.To:
			loops = append(loops, e)
		default:
			out = append(out, e)
		}
	}
	return out, loops
}
