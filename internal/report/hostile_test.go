package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"example.com/kneeline/internal/finding"
	"pgregory.net/rapid"
)

// filled returns a report that holds s in every field that holds a string, and
// v in every one that holds a number.
func filled(s string, v float64) *Report {
	axis := Axis{Title: s, Unit: s, Format: func(float64) string { return s }}
	log := axis
	log.Log = true
	series := []Series{
		{Name: s, Points: []Point{{0, v}, {v, 1}, {2, 2}}},
		{Name: s, Kind: Step, Points: []Point{{v, v}}},
		{Name: s, Kind: Dots, Points: []Point{{1, v}, {2, v}}},
	}
	marks := []Mark{{Vertical, v, s, Good}, {Horizontal, v, s, Bad}, {Vertical, 1, s, Neutral}, {Horizontal, 1, s, Warn}}
	bands := []Band{{0, v, s}, {v, 2, s}}
	return &Report{
		Title: s, Command: s, Verdict: Verdict{s, Bad}, Notes: []string{s, s}, Incomplete: s,
		Blocks: []Block{
			Heading{s}, Paragraph{s, Warn},
			List{s, []string{s, s}},
			KeyValues{s, []KeyValue{{s, s, s, Good}, {s, s, "", Bad}, {"", s, s, Neutral}}},
			Table{Caption: s, Columns: []Column{{s, Left}, {s, Right}}, Rows: [][]Cell{
				{{Text: s, Level: Bad}, {Text: s, Spark: []float64{v, 1, -v}}}, {Txt(s)}, {}, {Txt(s), Txt(s), Txt(s)},
			}},
			Table{Caption: s, Columns: []Column{{s, Left}}, Empty: s},
			Plot{s, axis, axis, series, marks, bands},
			Plot{s, log, log, series, marks, bands},
			Plot{Title: s, Y: Axis{Unit: s}, Series: series},
			Bars{s, s, axis, []Bar{{s, s, v, Good}, {s, "", 1, Bad}}, &Mark{At: v, Label: s}},
			Icicle{s, axis, IcicleNode{s, s, v, Bad, []IcicleNode{{s, "", 1, Good, nil}, {s, s, v, Neutral, nil}}}},
			Findings{s, []finding.Finding{{Rule: s, Severity: finding.Error, Message: s,
				Location: finding.Location{File: s, Line: 3, Object: s, Span: s},
				Evidence: []finding.Evidence{{Name: s, Value: s}}, Remediation: s, Fingerprint: s}}, s},
			Findings{Caption: s, Empty: s},
			Code{s, s, s}, nil, &Paragraph{Text: s},
			Settings{s, []Setting{{Code: s}, {Name: s, Value: s, From: s, Why: s, Code: s, Lang: s}}},
		},
	}
}

func hostile() *Report {
	return filled("</title><script>alert(1)</script> ```js `x` | **b** [l](javascript:x) <img src=x onerror=y> \x1b[31m\u202e$a_b$ ' \" &amp; {{.}}", 1.5)
}

// htmlNames are the elements and attributes that the page is made of.
var htmlNames = strings.Fields(`html head meta title style body main header p h1 h2 h3 section dl div dt dd span
	table caption thead tbody tr th td figure figcaption details summary code pre strong ol li
	svg rect line text tspan path circle g
	lang charset name content class id scope role tabindex aria-label viewBox preserveAspectRatio
	script label input button output type autocomplete spellcheck hidden style
	x y x1 x2 y1 y2 dx d cx cy r width height`)

// checkHTML reads a page as strictly as XML allows and holds every element and
// attribute against the list.
func checkHTML(page string) error {
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict = true
	d.Entity = xml.HTMLEntity
	var within []byte
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if text, ok := tok.(xml.CharData); ok {
			within = append(within, text...)
			continue
		}
		if end, ok := tok.(xml.EndElement); ok && end.Name.Local == "script" && string(within) != "/**/\n"+icicleScript+"/**/" {
			return errors.New("a script that is not the page's own")
		}
		within = within[:0]
		el, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		if !slices.Contains(htmlNames, el.Name.Local) {
			return errors.New("element " + el.Name.Local)
		}
		for _, a := range el.Attr {
			if !slices.Contains(htmlNames, a.Name.Local) {
				return errors.New("attribute " + a.Name.Local + " of " + el.Name.Local)
			}
		}
	}
}

func render(t interface{ Fatal(...any) }, r *Report) (html, markdown string) {
	var h, m bytes.Buffer
	if err := HTML(&h, r); err != nil {
		t.Fatal(err)
	}
	if err := Markdown(&m, r); err != nil {
		t.Fatal(err)
	}
	return h.String(), m.String()
}

func TestHTMLIsWellFormedAndSelfContained(t *testing.T) {
	for name, r := range map[string]*Report{"sample": sample(), "hostile": hostile(), "empty": emptyReport(), "tree": treeReport()} {
		page, _ := render(t, r)
		if err := checkHTML(page); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, outside := range []string{"src=", "href=", "url(", "@import", "<script", "<link", "<iframe"} {
			// Text is escaped, so these can only be markup or style of the page's own.
			if outside == "<script" && name != "sample" {
				continue // its own, which is inline: it would need src to reach outside
			}
			if name != "hostile" && strings.Contains(page, outside) {
				t.Errorf("%s: the page reaches outside with %q", name, outside)
			}
		}
	}
}

// hostileText draws strings that mean something to one of the formats.
func hostileText() *rapid.Generator[string] {
	pieces := rapid.SampledFrom([]string{
		"<script>", "</script>", "</style>", "<img src=x onerror=y>", "<!--", "-->", "]]>", "&lt;", "&", "'", `"`, "`", "```", "~~~",
		"|", "\n", "\r\n", "\t", "# ", "- ", "1. ", "> ", "[a](b)", "![", "**", "__", "\\", "$", "{{", "}}",
		"\x1b[2J", "\x1b]0;t\x07", "\u009b", "\x00", "\xff", "\u202e", "容量", "👩‍🔧", "e\u0301", " ", "p99", "400 ms",
	})
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(pieces, 0, 8).Draw(t, "pieces"), "") }),
		rapid.String(),
	)
}

func anyNumber() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, 1, -1, nan, inf, -inf, 1e308, -1e308, 1e300, 5e-324, 1e-300, 1e17}),
		rapid.Float64(), rapid.Float64Range(-1e4, 1e4),
	)
}

// Whatever a report holds, HTML has only the page's own markup, and Markdown
// neither markup nor a table row or fence that the text made.
func TestNothingInjectsMarkup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := filled(hostileText().Draw(t, "text"), anyNumber().Draw(t, "number"))
		page, text := render(t, r)
		if err := checkHTML(page); err != nil {
			t.Fatalf("HTML: %v", err)
		}
		if err := checkMarkdown(text); err != nil {
			t.Fatalf("Markdown: %v in\n%s", err, text)
		}
	})
}

// checkMarkdown looks for markup outside code.
func checkMarkdown(s string) error {
	fence := ""
	columns := 0
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\n")
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		if fence != "" {
			if len(ticks) >= len(fence) && line == ticks {
				fence = ""
			}
			continue
		}
		if len(ticks) >= 3 && !strings.Contains(line[len(ticks):], "`") {
			fence = ticks
			continue
		}
		plain := withoutSpans(line)
		if strings.ContainsAny(plain, "<>") && !strings.HasPrefix(line, "> **Incomplete:**") {
			return errors.New("raw angle bracket in " + line)
		}
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		n := strings.Count(plain, "|")
		if columns != 0 && n != columns {
			return errors.New("table row with other columns: " + line)
		}
		columns = n
	}
	if fence != "" {
		return errors.New("fence without end")
	}
	return nil
}

// withoutSpans removes escaped characters and code spans from a line, in the
// order in which a reader of Markdown meets them: within a span a backslash
// escapes nothing.
func withoutSpans(line string) string {
	var out strings.Builder
	for i := 0; i < len(line); {
		switch line[i] {
		case '\\':
			i += 2
		case '`':
			rest := strings.TrimLeft(line[i:], "`")
			n := len(line[i:]) - len(rest)
			i += n
			if end := closing(rest, n); end >= 0 {
				i += end
			}
		default:
			out.WriteByte(line[i])
			i++
		}
	}
	return out.String()
}

// closing returns where the first run of exactly n backticks ends, -1 if none.
func closing(s string, n int) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if i += run; run == n {
			return i
		}
	}
	return -1
}
