package report

import (
	"math"
	"strings"

	"example.com/kneeline/internal/term"
)

// canvas is a grid of cells on which a plot is drawn. A cell holds a character
// or a pattern of 2 × 4 Braille dots, which gives lines eight times the
// resolution of the text.
type canvas struct {
	cols, rows int
	cells      []cell
}

type cell struct {
	char  string // over the dots
	dots  uint8
	style term.Style
}

// braille are the bits of the dots of a Braille pattern (U+2800 and up), by
// row from the top and column.
var braille = [4][2]uint8{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

func newCanvas(cols, rows int) *canvas {
	return &canvas{cols: cols, rows: rows, cells: make([]cell, cols*rows)}
}

// covered is the content of a cell that the wide character before it covers.
const covered = "\x00"

// put writes a character; out of range it is dropped.
func (c *canvas) put(col, row int, char string, style term.Style) {
	if col < 0 || col >= c.cols || row < 0 || row >= c.rows {
		return
	}
	at := row*c.cols + col
	if c.cells[at].char == covered {
		c.cells[at-1].char = " " // half of a wide character is no character
	}
	if col+1 < c.cols && c.cells[at+1].char == covered && char != covered {
		c.cells[at+1].char = " "
	}
	c.cells[at] = cell{char: char, style: style}
}

// write writes a text from a cell on; what does not fit is cut.
func (c *canvas) write(col, row int, text string, style term.Style) {
	for _, r := range text {
		width := term.Width(string(r))
		switch {
		case col+width > c.cols:
			return
		case width == 0: // a combining mark
			c.combine(col, row, string(r))
			continue
		}
		c.put(col, row, string(r), style)
		if width == 2 {
			c.put(col+1, row, covered, style)
		}
		col += width
	}
}

// combine adds a combining mark to the character before a cell.
func (c *canvas) combine(col, row int, mark string) {
	for col--; col >= 0; col-- {
		if cl := &c.cells[row*c.cols+col]; cl.char != covered {
			cl.char += mark
			return
		}
	}
}

// column and row return the cell that holds a fraction of the canvas, counted
// from the lower left corner.
func (c *canvas) column(x float64) int {
	return min(max(int(math.Round(x*float64(c.cols-1))), 0), c.cols-1)
}

func (c *canvas) row(y float64) int {
	return min(max(c.rows-1-int(math.Round(y*float64(c.rows-1))), 0), c.rows-1)
}

// dash is the rhythm of a line: on of every period dots are drawn, counted
// along the axis of the canvas, so that a cell is either drawn or left out and
// the pattern stays regular from one segment to the next.
type dash struct{ on, period int }

// segment draws a straight line between two fractions of the canvas, in dots,
// or in the character dot when it is not empty.
func (c *canvas) segment(a, b Point, d dash, dot string, style term.Style) {
	nx, ny := 2, 4
	if dot != "" {
		nx, ny = 1, 1
	}
	// Ends are at the middles of cells, where row and column put markers.
	x0, y0 := (a.X*float64(c.cols-1)+0.5)*float64(nx), ((1-a.Y)*float64(c.rows-1)+0.5)*float64(ny)
	x1, y1 := (b.X*float64(c.cols-1)+0.5)*float64(nx), ((1-b.Y)*float64(c.rows-1)+0.5)*float64(ny)
	steps := int(max(math.Abs(x1-x0), math.Abs(y1-y0))) + 1
	steep := math.Abs(y1-y0) > 2*math.Abs(x1-x0)
	for i := 0; i <= steps; i++ {
		f := float64(i) / float64(steps)
		x, y := int(x0+(x1-x0)*f), int(y0+(y1-y0)*f)
		beat := x
		if steep {
			beat = y / 2
		}
		if beat%d.period < d.on {
			c.dot(x, y, nx, ny, dot, style)
		}
	}
}

func (c *canvas) dot(x, y, nx, ny int, dot string, style term.Style) {
	col, row := x/nx, y/ny
	if x < 0 || y < 0 || col >= c.cols || row >= c.rows {
		return
	}
	if dot != "" {
		c.put(col, row, dot, style)
		return
	}
	cl := &c.cells[row*c.cols+col]
	if cl.dots == 0 {
		cl.char = "" // over a mark or a band
	}
	cl.dots |= braille[y%ny][x%nx]
	cl.style = style
}

// line returns a row of the canvas; cells of the same style share escapes.
func (c *canvas) line(row int) string {
	var b, run strings.Builder
	var style term.Style
	flush := func() {
		b.WriteString(style.Render(run.String()))
		run.Reset()
	}
	for _, cl := range c.cells[row*c.cols : (row+1)*c.cols] {
		char, st := cl.char, cl.style
		switch {
		case char == covered:
			continue
		case char != "":
		case cl.dots != 0:
			char = string(rune(0x2800 + int(cl.dots)))
		default:
			char, st = " ", term.Style{}
		}
		if st != style {
			flush()
			style = st
		}
		run.WriteString(char)
	}
	flush()
	return b.String()
}
