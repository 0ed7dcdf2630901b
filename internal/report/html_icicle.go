package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed icicle.js
var icicleScript string

// leastWidth is the share of the whole from which a node is drawn: less than half a
// pixel of a wide screen is not seen, and the page would grow without end.
const leastWidth = 1.0 / 4000

// mostNodes bounds the nodes of a page, deepestBox its levels.
const mostNodes, deepestBox = 8000, 60

// icicleHTML draws a tree as nested boxes with the script that searches and zooms
// it. Without the script the boxes stand as they are.
func icicleHTML(b Icicle) template.HTML {
	if !(b.Root.Value > 0) {
		return `<p class="note">no data to plot</p>`
	}
	var s svg
	limit := b.drawnFrom()
	depth := 0
	var boxes strings.Builder
	var walk func(n *IcicleNode, level int, left float64)
	walk = func(n *IcicleNode, level int, left float64) {
		share := n.share(b.Root.Value)
		depth = max(depth, level+1)
		boxes.WriteString(b.box(n, level, left, share))
		for i := range n.Children {
			c := &n.Children[i]
			part := c.share(b.Root.Value)
			if part >= limit && level < deepestBox {
				walk(c, level+1, left)
			}
			left += part
		}
	}
	walk(&b.Root, 0, 0)
	s.printf(`<div class="icicle"><p class="search"><label>search <input type="search" autocomplete="off" spellcheck="false"/></label> <button type="button" hidden="">whole tree</button> <output></output></p>` + "\n")
	s.printf(`<div class="boxes" style="height:%dpx" role="group" aria-label="%s">`+"\n", depth*boxHeight, esc(b.Title+": a tree, largest first"))
	s.b.WriteString(boxes.String())
	s.b.WriteString("</div></div>")
	return template.HTML(s.b.String())
}

// boxHeight is the height of a level in pixels; icicle.css has it too.
const boxHeight = 22

func (b Icicle) box(n *IcicleNode, level int, left, share float64) string {
	what := clean(n.Label)
	if note := clean(n.Note); note != "" {
		what += ", " + note
	}
	title := fmt.Sprintf("%s\n%s, %s", what, clean(b.Value.format(n.Value)), percent(share))
	class := ""
	if n.Level != Neutral {
		class = " " + levelClass(n.Level)
	}
	return fmt.Sprintf(`<div class="box%s" style="left:%s%%;width:%s%%;top:%dpx" title="%s"><span>%s</span></div>`+"\n",
		class, fine(left*100), fine(share*100), level*boxHeight, strings.ReplaceAll(escLines(title), "\n", "&#10;"), esc(what))
}

// escLines is [esc] for a text whose line breaks stay.
func escLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = esc(l)
	}
	return strings.Join(lines, "\n")
}

// fine writes a share in percent, fine enough for boxes to meet.
func fine(v float64) string {
	s := strings.TrimRight(fmt.Sprintf("%.4f", v), "0")
	return strings.TrimSuffix(s, ".")
}

// drawnFrom is the share from which nodes are drawn, so that they are at most
// mostNodes.
func (b Icicle) drawnFrom() float64 {
	limit := leastWidth
	for {
		n := 0
		var count func(node *IcicleNode, level int)
		count = func(node *IcicleNode, level int) {
			n++
			for i := range node.Children {
				if n <= mostNodes && level < deepestBox && node.Children[i].share(b.Root.Value) >= limit {
					count(&node.Children[i], level+1)
				}
			}
		}
		count(&b.Root, 0)
		if n <= mostNodes {
			return limit
		}
		limit *= 2
	}
}
