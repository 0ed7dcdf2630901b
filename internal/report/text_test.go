package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"example.com/kneeline/internal/term"
	"pgregory.net/rapid"
)

var nan, inf = math.NaN(), math.Inf(1)

func textOf(t interface{ Fatal(...any) }, r *Report, o TextOptions) string {
	var b bytes.Buffer
	if err := Text(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The first line is the verdict, whole, however long it is.
func TestFirstLineIsTheVerdict(t *testing.T) {
	r := sample()
	first, _, _ := strings.Cut(textOf(t, r, TextOptions{}), "\n")
	if first != r.Verdict.Text {
		t.Errorf("first line %q, want %q", first, r.Verdict.Text)
	}
}

// Colour adds escapes and nothing else.
func TestColorDoesNotChangeTheText(t *testing.T) {
	for _, width := range []int{30, 80, 160} {
		plain := textOf(t, sample(), TextOptions{Width: width})
		colored := textOf(t, sample(), TextOptions{Width: width, Color: true})
		if !strings.Contains(colored, "\x1b[") {
			t.Fatal("no colour at all")
		}
		if got := term.CleanLines(colored); got != plain {
			t.Errorf("width %d: text differs without escapes", width)
		}
	}
}

func TestASCII(t *testing.T) {
	r := sample()
	r.Add(Paragraph{Text: "λ ≤ 400 ms → 容"})
	text := textOf(t, r, TextOptions{ASCII: true})
	if !strings.Contains(text, "lambda <= 400 ms -> ?") {
		t.Error("usual characters must have a spelling in ASCII")
	}
	for _, c := range text {
		if c > '~' {
			t.Fatalf("%q is not ASCII", c)
		}
	}
}

// A block may be a pointer, and one without a name shows its code alone.
func TestBlocksInEveryForm(t *testing.T) {
	r := &Report{Verdict: Verdict{Text: "v"}}
	r.Add(nil, &Heading{Text: "Example"}, &Settings{Items: []Setting{{Code: "a\nb"}, {Name: "queue"}}}, &Code{Text: "c"})
	if len(r.Blocks) != 3 {
		t.Errorf("%d blocks, want 3", len(r.Blocks))
	}
	const want = "v\n\nExample\n    a\n    b\n\n  queue\n\n    c\n"
	if got := textOf(t, r, TextOptions{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	page, _ := render(t, r)
	if !strings.Contains(page, "<h2>Example</h2>") || !strings.Contains(page, "<code>a\nb</code>") {
		t.Errorf("HTML leaves out what it gets as a pointer:\n%s", page)
	}
}

// A diff is what programs take, whatever stands around it.
func TestDiffIsTaken(t *testing.T) {
	const diff = "--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n a  \n \n \n-\tb\n+\tc\n d\n"
	text := textOf(t, &Report{Blocks: []Block{Heading{Text: "Files"}, Code{Caption: "Changed: f", Text: diff, Lang: "diff"}, Code{Text: "x"}}}, TextOptions{Width: 40})
	if !strings.Contains(text, "\n"+diff+"\n") {
		t.Errorf("%q", text)
	}
}

func TestCodeIsNotWrapped(t *testing.T) {
	line := strings.Repeat("limit_conn addr 402; ", 12)
	text := textOf(t, &Report{Blocks: []Block{Settings{Items: []Setting{{Name: "n", Value: "v", Code: "a:\n\t" + line + "\n\n"}}}}}, TextOptions{Width: 40, ASCII: true})
	if !strings.Contains(text, "      a:\n          "+strings.TrimSpace(line)+"\n") {
		t.Errorf("code must keep its lines and indentation:\n%s", text)
	}
}

// checkLines holds what is true of every text: no controls, no trailing
// blanks, no two blank lines in a row, no line wider than allowed.
func checkLines(t *rapid.T, text string, width int) {
	blank := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.TrimRight(line, " ") != line {
			t.Fatalf("trailing blanks in %q", line)
		}
		if line == "" && blank {
			t.Fatal("two blank lines")
		}
		blank = line == ""
		for _, r := range line {
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				t.Fatalf("control character %U in %q", r, line)
			}
		}
		if w := term.Width(line); w > width {
			t.Fatalf("%d columns, allowed %d: %q", w, width, line)
		}
	}
}

// Reports whose words are short fit any width; code is left out, since it is
// not wrapped.
func TestTextFitsItsWidth(t *testing.T) {
	word := rapid.OneOf(rapid.StringMatching(`[a-zA-Z0-9.,/%]{1,8}`), rapid.SampledFrom([]string{"容量", "é", "λ", "–"}))
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(word, 0, 12).Draw(t, "words"), " ")
		width := rapid.IntRange(20, 300).Draw(t, "width")
		r := filled(s, anyNumber().Draw(t, "number"))
		for i, b := range r.Blocks {
			switch b := b.(type) {
			case Code:
				r.Blocks[i] = nil
			case Settings:
				for k := range b.Items {
					b.Items[k].Code = ""
				}
			}
		}
		o := TextOptions{Width: width, WrapVerdict: true, ASCII: rapid.Bool().Draw(t, "ascii")}
		checkLines(t, textOf(t, r, o), width)
	})
}

// Anything at all may be in a report: nothing panics, nothing a terminal would
// act on gets through.
func TestTextTakesAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := hostileText().Draw(t, "text")
		v := anyNumber().Draw(t, "number")
		width := rapid.IntRange(-5, 300).Draw(t, "width")
		text := textOf(t, filled(s, v), TextOptions{Width: width, ASCII: rapid.Bool().Draw(t, "ascii")})
		checkLines(t, text, math.MaxInt)
	})
}

// Plots of any points draw on any width.
func TestPlotTakesAnyPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p Plot
		p.X.Log, p.Y.Log = rapid.Bool().Draw(t, "logX"), rapid.Bool().Draw(t, "logY")
		for range rapid.IntRange(0, 4).Draw(t, "series") {
			s := Series{Name: "s", Kind: Kind(rapid.IntRange(0, 2).Draw(t, "kind"))}
			for range rapid.IntRange(0, 40).Draw(t, "points") {
				s.Points = append(s.Points, Point{anyNumber().Draw(t, "x"), anyNumber().Draw(t, "y")})
			}
			p.Series = append(p.Series, s)
		}
		r := &Report{Blocks: []Block{p}}
		width := rapid.IntRange(20, 200).Draw(t, "width")
		checkLines(t, textOf(t, r, TextOptions{Width: width}), width)
		page, _ := render(t, r)
		if err := checkHTML(page); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{`"NaN`, `"+Inf`, `"-Inf`, "MNaN", "LNaN"} {
			if strings.Contains(page, bad) {
				t.Fatalf("a coordinate is %s", bad)
			}
		}
	})
}
