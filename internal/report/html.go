package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"example.com/kneeline/internal/meta"
)

//go:embed page.tmpl
var pageText string

//go:embed page.css
var pageCSS string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"kind":   kindOf,
	"level":  levelClass,
	"clean":  clean,
	"code":   func(s string) string { return strings.Join(cleanCode(s), "\n") },
	"plot":   plotSVG,
	"bars":   barsSVG,
	"icicle": icicleHTML,
	"script": pageScript,
	"list":   func(b Icicle) Table { return b.table() },
	"spark":  sparkSVG,
	"data":   func(p Plot) Table { return p.table() },
	"items":  func(b Bars) Table { return b.table() },
	"right":  func(c Column) bool { return c.Align == Right },
	"pad":    padRow,
	"worse":  severityLevel,
	"none":   Findings.none,
	"css":    func() template.CSS { return template.CSS(pageCSS) },
	"name":   func() string { return meta.Name },
}).Parse(pageText))

// HTML writes r as one self-contained page: no font, no request to anywhere, and a
// script only where there is a tree to search. It follows the reader's light or
// dark preference.
func HTML(w io.Writer, r *Report) error {
	if err := page.Execute(w, r); err != nil {
		return fmt.Errorf("html report: %w", err)
	}
	return nil
}

// kindOf names the template of a block.
func kindOf(b Block) string {
	if b == nil {
		return ""
	}
	switch b.block().(type) {
	case Heading:
		return "heading"
	case Paragraph:
		return "paragraph"
	case KeyValues:
		return "keyvalues"
	case List:
		return "list"
	case Table:
		return "table"
	case Plot:
		return "plot"
	case Bars:
		return "bars"
	case Icicle:
		return "icicle"
	case Findings:
		return "findings"
	case Settings:
		return "settings"
	case Code:
		return "code"
	}
	return ""
}

// pageScript is what the page needs to be searched; most need nothing.
func pageScript(r *Report) template.JS {
	for _, b := range r.Blocks {
		if kindOf(b) == "icicle" {
			// The marks hide the script from readers of XML, to which a page is XML too.
			return template.JS("/*<![CDATA[*/\n" + icicleScript + "/*]]>*/")
		}
	}
	return ""
}

func levelClass(l Level) string {
	switch l {
	case Good:
		return "good"
	case Warn:
		return "warn"
	case Bad:
		return "bad"
	}
	return "neutral"
}

// longCell is from how many letters on a cell of text is wrapped.
const longCell = 28

// padRow pairs the cells of a row with their columns, so that a short row
// still fills the table.
func padRow(columns []Column, row []Cell) []pairedCell {
	out := make([]pairedCell, len(columns))
	for i, c := range columns {
		if i < len(row) {
			out[i].Cell = row[i]
		}
		switch {
		case c.Align == Right:
			out[i].Class = "right"
		case len([]rune(clean(out[i].Text))) > longCell:
			out[i].Class = "long"
		default:
			out[i].Class = "short"
		}
	}
	return out
}

// pairedCell is a cell with the class that its column and length give it.
type pairedCell struct {
	Cell
	Class string
}
