package report

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/kneeline/internal/term"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 10, nil},
		{"one two three", 7, []string{"one two", "three"}},
		{"a verylongword b", 4, []string{"a", "verylongword", "b"}},
		{"容量 容量", 4, []string{"容量", "容量"}},
	} {
		if diff := cmp.Diff(c.want, wrap(c.in, c.width)); diff != "" {
			t.Errorf("wrap(%q, %d): %s", c.in, c.width, diff)
		}
	}
	if diff := cmp.Diff([]string{"ab", "cd", "e", "容"}, wrapHard("abcde 容", 2)); diff != "" {
		t.Error(diff)
	}
}

// Wrapping loses no word and makes no line wider than the width unless it is
// one word.
func TestWrapKeepsWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := clean(rapid.String().Draw(t, "s"))
		width := rapid.IntRange(1, 60).Draw(t, "width")
		lines := wrap(s, width)
		if got := strings.Join(lines, " "); got != s {
			t.Fatalf("%q became %q", s, got)
		}
		for _, l := range lines {
			if term.Width(l) > width && strings.Contains(l, " ") {
				t.Fatalf("%q is wider than %d", l, width)
			}
		}
	})
}

func TestFitColumns(t *testing.T) {
	cells := [][]string{{"rate", "verdict"}, {"1,188/s", "void since the generator was late"}}
	for _, c := range []struct {
		room int
		want []int
		ok   bool
	}{
		{80, []int{7, 33}, true},
		{30, []int{7, 21}, true},
		{18, []int{7, 9}, true},
		{17, nil, false},
	} {
		got, ok := fitColumns(cells, c.room)
		if ok != c.ok || !cmp.Equal(got, c.want) {
			t.Errorf("room %d: got %v %v, want %v %v", c.room, got, ok, c.want, c.ok)
		}
	}
}

// A plot's table has one row a value of x, joined over the series, in order.
func TestPlotTable(t *testing.T) {
	p := Plot{
		X: Axis{Title: "offered load", Unit: "requests/s"}, Y: Axis{Format: ms},
		Series: []Series{
			{Name: "p50", Points: []Point{{100, 0.007}, {200, 0.008}}},
			{Name: "p99", Points: []Point{{200, 0.05}, {100, 0.04}, {300, nan}}},
		},
	}
	tb := p.table()
	want := [][]Cell{Row("100", "7 ms", "40 ms"), Row("200", "8 ms", "50 ms")}
	if diff := cmp.Diff(want, tb.Rows); diff != "" {
		t.Error(diff)
	}
	if tb.Columns[0].Title != "offered load (requests/s)" || tb.Columns[2].Title != "p99" {
		t.Errorf("columns %v", tb.Columns)
	}
}

func TestEvenly(t *testing.T) {
	for _, c := range []struct{ n, limit, first, last, count int }{
		{0, 5, 0, 0, 0}, {1, 5, 0, 0, 1}, {5, 5, 0, 4, 5}, {100, 24, 0, 99, 24},
	} {
		got := evenly(c.n, c.limit)
		if len(got) != c.count || c.count > 0 && (got[0] != c.first || got[c.count-1] != c.last) {
			t.Errorf("evenly(%d, %d) = %v", c.n, c.limit, got)
		}
	}
}

// What is not nothing must not look like nothing.
func TestSmallBarIsSeen(t *testing.T) {
	text := textOf(t, &Report{Blocks: []Block{Bars{Items: []Bar{{Label: "a", Value: 1e6}, {Label: "b", Value: 1}, {Label: "c"}}}}}, TextOptions{})
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 3 || !strings.Contains(lines[1], "▏") || strings.ContainsAny(lines[2], "▏█") {
		t.Errorf("bars:\n%s", text)
	}
}

type brokenPipe struct{}

var errBroken = errors.New("broken pipe")

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrorsAreReturned(t *testing.T) {
	for name, err := range map[string]error{
		"text":     Text(brokenPipe{}, sample(), TextOptions{}),
		"Markdown": Markdown(brokenPipe{}, sample()),
		"HTML":     HTML(brokenPipe{}, sample()),
	} {
		if !errors.Is(err, errBroken) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
