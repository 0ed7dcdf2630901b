package diagram

import (
	"fmt"
	"io"
	"strings"
)

// colours of arrows in DOT and Mermaid, which know no dark mode: readable on both.
var colours = [...]string{Plain: "#6b7280", Warning: "#b45309", Error: "#dc2626"}

func colour(l Level) string {
	if int(l) < len(colours) {
		return colours[l]
	}
	return colours[Plain]
}

// DOT writes the graph in the language of Graphviz.
func (g Graph) DOT(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n", quoteDOT([]string{g.Title}))
	for i, n := range g.Nodes {
		fmt.Fprintf(&b, "  n%d [label=%s", i, quoteDOT(append([]string{n.Name}, n.Lines...)))
		if n.Level != Plain {
			fmt.Fprintf(&b, ", color=%q", colour(n.Level))
		}
		b.WriteString("];\n")
	}
	edges, loops := g.edges()
	for _, e := range append(edges, loops...) {
		fmt.Fprintf(&b, "  n%d -> n%d [label=%s, color=%q, fontcolor=%q", e.From, e.To, quoteDOT(e.Lines), colour(e.Level), colour(e.Level))
		if e.Dashed {
			b.WriteString(", style=dashed")
		}
		b.WriteString("];\n")
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// quoteDOT writes lines as one string of DOT.
func quoteDOT(lines []string) string {
	var out []string
	for _, l := range lines {
		out = append(out, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(clean(l)))
	}
	return `"` + strings.Join(out, `\n`) + `"`
}

// Mermaid writes the graph in the language of Mermaid, which forges draw in Markdown.
func (g Graph) Mermaid(w io.Writer) error {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, n := range g.Nodes {
		fmt.Fprintf(&b, "  n%d[%s]\n", i, quoteMermaid(append([]string{n.Name}, n.Lines...)))
	}
	edges, loops := g.edges()
	all := append(edges, loops...)
	for _, e := range all {
		arrow := "-->"
		if e.Dashed {
			arrow = "-.->"
		}
		if len(e.Lines) > 0 {
			arrow += "|" + quoteMermaid(e.Lines) + "|"
		}
		fmt.Fprintf(&b, "  n%d %s n%d\n", e.From, arrow, e.To)
	}
	for i, n := range g.Nodes {
		if n.Level != Plain {
			fmt.Fprintf(&b, "  style n%d stroke:%s\n", i, colour(n.Level))
		}
	}
	for i, e := range all {
		if e.Level != Plain {
			fmt.Fprintf(&b, "  linkStyle %d stroke:%s\n", i, colour(e.Level))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// quoteMermaid writes lines as one label; what Mermaid would take for its own is written
// as entities.
func quoteMermaid(lines []string) string {
	var out []string
	for _, l := range lines {
		var b strings.Builder
		for _, r := range clean(l) {
			switch {
			case strings.ContainsRune("\"#;<>&`{}[]()|\\", r):
				fmt.Fprintf(&b, "#%d;", r)
			default:
				b.WriteRune(r)
			}
		}
		out = append(out, b.String())
	}
	return `"` + strings.Join(out, "<br/>") + `"`
}
