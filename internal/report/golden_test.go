package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The golden files hold the layout of each rendering, which no assertion on
// substrings would guard. Look at a change of them as a reader would.
func TestGolden(t *testing.T) {
	text := func(o TextOptions) func(io.Writer, *Report) error {
		return func(w io.Writer, r *Report) error { return Text(w, r, o) }
	}
	for _, c := range []struct {
		file   string
		guards string
		report *Report
		render func(io.Writer, *Report) error
	}{
		{"pipe.txt", "what a pipe gets: 80 columns, no escapes, the verdict whole on the first line",
			sample(), text(TextOptions{})},
		{"color.txt", "the same text on a terminal with colour: only escapes and the wrapped verdict differ",
			sample(), text(TextOptions{Width: 80, Color: true, WrapVerdict: true})},
		{"wide.txt", "use of a wide terminal: longer plots, no wrapped cells",
			sample(), text(TextOptions{Width: 160, WrapVerdict: true})},
		{"narrow.txt", "40 columns: the table falls apart into records, nothing is wider than the line",
			sample(), text(TextOptions{Width: 40, WrapVerdict: true})},
		{"ascii.txt", "a locale without UTF-8: every character is ASCII, curves and bars still read",
			sample(), text(TextOptions{ASCII: true})},
		{"empty.txt", "what is said where there is nothing to show",
			emptyReport(), text(TextOptions{})},
		{"sample.md", "pasting into a review: pipe tables, sparklines, fenced settings",
			sample(), Markdown},
		{"hostile.md", "markup in any field stays text in Markdown",
			hostile(), Markdown},
		{"sample.html", "the page with its charts, both sizes of each",
			sample(), HTML},
		{"hostile.html", "markup in any field stays text in HTML",
			hostile(), HTML},
		{"tree.txt", "a tree of sizes in text: the way down to what is big, and its share",
			treeReport(), text(TextOptions{})},
		{"tree.md", "the same as a table", treeReport(), Markdown},
		{"tree.html", "the same as boxes with search and zoom", treeReport(), HTML},
	} {
		t.Run(c.file, func(t *testing.T) {
			var got bytes.Buffer
			if err := c.render(&got, c.report); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", c.file)
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v (run the test with -update)", err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("guards %s\n-want +got:\n%s", c.guards, diff)
			}
		})
	}
}

// emptyReport has every block and nothing in them.
func emptyReport() *Report {
	return &Report{
		Verdict:    Verdict{Text: "no answer: the target did not respond"},
		Incomplete: "interrupted after 2 s",
		Blocks: []Block{
			Heading{"Evidence"},
			Paragraph{}, KeyValues{}, Table{Caption: "Trials", Columns: []Column{{Title: "rate"}}},
			Table{Columns: []Column{{Title: "rate"}}, Empty: "no trial was sound"},
			Plot{Title: "Latency"}, Plot{Series: []Series{{Name: "p99"}}}, Bars{Title: "Goodput"},
			Icicle{Title: "Retained"}, Findings{}, Findings{Empty: "no rule objects"}, Settings{},
		},
	}
}
