package report

import (
	"strings"

	"example.com/kneeline/internal/term"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

const (
	columnGap = 2
	// maxColumnWord is the widest word that a column makes room for; longer
	// ones are cut into pieces.
	maxColumnWord = 28
)

// table writes a table whose columns fit the line: as they are, with wrapped
// cells, or, where even that is too wide, as one small list a row.
func (t *text) table(tb Table) {
	t.caption(tb.Caption)
	if len(tb.Rows) == 0 || len(tb.Columns) == 0 {
		empty := tb.Empty
		if empty == "" {
			empty = "none"
		}
		t.prose("", empty, 0, t.styles.Faint)
		return
	}
	cells := t.cells(tb)
	widths, ok := fitColumns(cells, t.room())
	if !ok {
		t.records(tb, cells)
		return
	}
	t.grid(tb, cells, widths)
}

// cells returns the texts of the table: the titles, then the rows, all of the
// same length.
func (t *text) cells(tb Table) [][]string {
	out := make([][]string, 0, len(tb.Rows)+1)
	head := make([]string, len(tb.Columns))
	for i, c := range tb.Columns {
		head[i] = t.clean(c.Title)
	}
	out = append(out, head)
	for _, row := range tb.Rows {
		line := make([]string, len(tb.Columns))
		for i := range min(len(row), len(line)) {
			line[i] = t.clean(row[i].Text)
			if len(row[i].Spark) > 0 {
				line[i] = strings.TrimSpace(line[i] + " " + t.g.spark(row[i].Spark))
			}
		}
		out = append(out, line)
	}
	return out
}

// fitColumns returns column widths that fit room columns with gaps, taking
// from the widest columns first; ok is false when the longest words do not fit.
func fitColumns(cells [][]string, room int) (widths []int, ok bool) {
	n := len(cells[0])
	widths, least := make([]int, n), make([]int, n)
	total := columnGap * (n - 1)
	for i := range n {
		for _, row := range cells {
			widths[i] = max(widths[i], term.Width(row[i]), 1)
			least[i] = max(least[i], min(widestWord(row[i]), maxColumnWord), 1)
		}
		total += widths[i]
	}
	for total > room {
		widest := -1
		for i := range n {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return nil, false
		}
		widths[widest]--
		total--
	}
	return widths, true
}

// grid draws the table with tablewriter. Cells are wrapped here, because words
// of a cell must not be torn and its own wrapping knows no widths per column.
func (t *text) grid(tb Table, cells [][]string, widths []int) {
	var out strings.Builder
	grid := tablewriter.NewTable(&out, t.gridOptions(tb)...)
	grid.Header(wrapRow(cells[0], widths))
	for i, row := range cells[1:] {
		lines := wrapRow(row, widths)
		for j, cell := range tb.Rows[i] {
			if j < len(lines) && cell.Level != Neutral {
				lines[j] = styleLines(lines[j], t.level(cell.Level))
			}
		}
		if err := grid.Append(lines); err != nil {
			t.fail(err)
		}
	}
	if err := grid.Render(); err != nil {
		t.fail(err)
	}
	for line := range strings.Lines(out.String()) {
		line = strings.TrimRight(line, " \n")
		// The library measures a few exotic characters wider than terminals do.
		if line != "" {
			t.line(term.Truncate(line, t.room()))
		}
	}
}

func (t *text) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

func wrapRow(row []string, widths []int) []string {
	out := make([]string, len(row))
	for i, s := range row {
		out[i] = strings.Join(wrapHard(s, widths[i]), "\n")
	}
	return out
}

func styleLines(s string, style term.Style) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = style.Render(lines[i])
	}
	return strings.Join(lines, "\n")
}

// gridOptions ask for a table without borders: titles, a rule, rows.
func (t *text) gridOptions(tb Table) []tablewriter.Option {
	n := len(tb.Columns)
	aligns, pads := make([]tw.Align, n), make([]tw.Padding, n)
	for i, c := range tb.Columns {
		aligns[i] = tw.AlignLeft
		if c.Align == Right {
			aligns[i] = tw.AlignRight
		}
		pads[i] = tw.Padding{Right: strings.Repeat(" ", columnGap), Overwrite: true}
	}
	pads[n-1] = tw.PaddingNone
	style := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoWrap: tw.WrapNone, AutoFormat: tw.Off},
		Alignment:  tw.CellAlignment{Global: tw.AlignLeft, PerColumn: aligns},
		Padding:    tw.CellPadding{Global: tw.PaddingNone, PerColumn: pads},
	}
	symbols := tw.NewSymbolCustom("rule").WithRow(t.g.rule)
	return []tablewriter.Option{
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: symbols,
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.On},
			},
		})),
		tablewriter.WithConfig(tablewriter.Config{Header: style, Row: style}),
		tablewriter.WithTrimSpace(tw.Off),
	}
}

// records writes each row as a list of titles and cells.
func (t *text) records(tb Table, cells [][]string) {
	for i, row := range cells[1:] {
		if i > 0 {
			t.gap()
		}
		for j, s := range row {
			if s == "" {
				continue
			}
			style := term.Style{}
			if j < len(tb.Rows[i]) {
				style = t.level(tb.Rows[i][j].Level)
			}
			title := cells[0][j]
			if title != "" {
				title += ": "
			}
			t.labelled(title, s, style)
		}
	}
}

// labelled writes a label and a text after it, on the next lines where the
// label leaves no room.
func (t *text) labelled(label, s string, style term.Style) {
	hang := term.Width(label)
	if hang+term.Width(s) <= t.room() {
		t.line(t.styles.Faint.Render(label) + style.Render(s))
		return
	}
	t.prose("", label, 0, t.styles.Faint)
	for _, l := range wrapHard(s, max(t.room()-bodyIndent, 1)) {
		t.line(strings.Repeat(" ", bodyIndent) + style.Render(l))
	}
}
