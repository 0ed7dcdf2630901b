package diagram

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// style colours the drawing, for light and dark pages.
const style = `
:root { color-scheme: light dark; }
.page { fill: #ffffff; } .box { fill: #f6f8fa; stroke: #57606a; } .name { fill: #1f2328; font-weight: 600; } .line { fill: #57606a; }
.wire { fill: none; stroke: #57606a; stroke-width: 1.4; } .head { fill: #57606a; } .label { fill: #1f2328; } .under { fill: #ffffff; }
.warning { stroke: #9a6700; } .headwarning { fill: #9a6700; } .textwarning { fill: #9a6700; } .error { stroke: #cf222e; } .headerror { fill: #cf222e; } .texterror { fill: #cf222e; font-weight: 600; }
.dashed { stroke-dasharray: 5 4; }
@media (prefers-color-scheme: dark) {
.page { fill: #0d1117; } .box { fill: #161b22; stroke: #8b949e; } .name { fill: #e6edf3; } .line { fill: #8b949e; }
.wire { stroke: #8b949e; } .head { fill: #8b949e; } .label { fill: #e6edf3; } .under { fill: #0d1117; }
.warning { stroke: #d29922; } .headwarning { fill: #d29922; } .textwarning { fill: #d29922; } .error { stroke: #ff7b72; } .headerror { fill: #ff7b72; } .texterror { fill: #ff7b72; }
}
`

// levelNames are parts of classes.
var levelNames = [...]string{Plain: "", Warning: "warning", Error: "error"}

func levelName(l Level) string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return ""
}

// SVG draws the graph. The drawing follows the reader's light or dark preference and
// fetches nothing.
func (g Graph) SVG(w io.Writer) error {
	l := arrange(g)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" font-family="system-ui, sans-serif" font-size="%d">`+"\n", l.width, l.height, l.width, l.height, fontSize)
	fmt.Fprintf(&b, "<title>%s</title>\n<style>%s</style>\n<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n", escape(g.Title), style)
	for _, w := range l.wires {
		w.draw(&b)
	}
	for _, w := range l.wires {
		if w.label != nil {
			drawLabel(&b, w.edge, w.label)
		}
	}
	for i, it := range l.boxes {
		drawBox(&b, g.Nodes[i], it)
	}
	for _, e := range l.loops {
		drawLoop(&b, e, l.boxes[e.From])
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(clean(s))) // a builder takes everything
	return b.String()
}

func drawBox(b *strings.Builder, n Node, it *item) {
	fmt.Fprintf(b, `<rect class="box %s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="7"/>`+"\n", levelName(n.Level), it.x-it.w/2, it.y-it.h/2, it.w, it.h)
	y := it.y - it.h/2 + padY + 12
	fmt.Fprintf(b, `<text class="name" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n", it.x, y, escape(n.Name))
	for _, text := range n.Lines {
		y += lineHeight
		fmt.Fprintf(b, `<text class="line" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n", it.x, y, escape(text))
	}
}

func drawLabel(b *strings.Builder, e Edge, it *item) {
	fmt.Fprintf(b, `<rect class="under" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="4"/>`+"\n", it.x-it.w/2, it.y-it.h/2, it.w, it.h)
	y := it.y - it.h/2 + 2 + 12
	for _, text := range e.Lines {
		fmt.Fprintf(b, `<text class="label text%s" x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n", levelName(e.Level), it.x, y, escape(text))
		y += lineHeight
	}
}

// draw draws an arrow as one curve through all that it passes.
func (w *wire) draw(b *strings.Builder) {
	first, last := w.items[0], w.items[len(w.items)-1]
	x, y := first.x+first.w/2, first.y
	var d strings.Builder
	fmt.Fprintf(&d, "M%.1f %.1f", x, y)
	for _, it := range w.items[1:] {
		left := it.x - it.w/2
		if it == last && !w.back {
			left -= 7 // room for the head
		}
		bend := (left - x) / 2
		fmt.Fprintf(&d, " C%.1f %.1f %.1f %.1f %.1f %.1f", x+bend, y, left-bend, it.y, left, it.y)
		x, y = it.x+it.w/2, it.y
		if it != last {
			fmt.Fprintf(&d, " L%.1f %.1f", x, y)
		}
	}
	dashed := ""
	if w.edge.Dashed {
		dashed = " dashed"
	}
	fmt.Fprintf(b, `<path class="wire %s%s" d="%s"/>`+"\n", levelName(w.edge.Level), dashed, d.String())
	if w.back {
		head(b, w.edge.Level, first.x+first.w/2, first.y, 1)
		return
	}
	head(b, w.edge.Level, last.x-last.w/2, last.y, -1)
}

// head draws the tip of an arrow at a point; away is the side that it comes from.
func head(b *strings.Builder, l Level, x, y, away float64) {
	fmt.Fprintf(b, `<path class="head head%s" d="M%.1f %.1f l%.1f -4.5 l0 9 z"/>`+"\n", levelName(l), x, y, away*9)
}

// drawLoop draws an arrow from a box to itself over its upper edge.
func drawLoop(b *strings.Builder, e Edge, it *item) {
	x, y := it.x+it.w/2-18, it.y-it.h/2
	fmt.Fprintf(b, `<path class="wire %s" d="M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f"/>`+"\n", levelName(e.Level), x-16, y, x-16, y-16, x+10, y-16, x+10, y)
}
