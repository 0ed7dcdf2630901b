package gcparse

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/kneeline/internal/input"
)

// stretch writes a log of pauses at the given seconds after noon, or of uptime.
func stretch(t *testing.T, path string, wall bool, from, to int) {
	t.Helper()
	var b strings.Builder
	for s := from; s <= to; s += 10 {
		head := fmt.Sprintf("[%d.000s]", s)
		if wall {
			head = fmt.Sprintf("[2026-11-28T12:%02d:%02d.000+0000]", s/60, s%60)
		}
		fmt.Fprintf(&b, "%s GC(%d) Pause Young (Normal) (G1 Evacuation Pause) 20M->10M(64M) 5.000ms\n", head, s/10)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Which files are one log: those of a rotation, in the order of their times; not
// those of hosts, whose names differ in a number as well.
func TestDivide(t *testing.T) {
	type file struct {
		name     string
		from, to int
	}
	for _, c := range []struct {
		name  string
		wall  bool
		files []file
		want  []string // the streams, files joined by a blank
	}{
		{"numbers behind the extension", false, []file{{"gc.log", 200, 300}, {"gc.log.0", 0, 100}, {"gc.log.1", 100, 200}},
			[]string{"gc.log.0 gc.log.1 gc.log"}},
		{"hosts at the same time", true, []file{{"web-01.log", 0, 300}, {"web-02.log", 10, 290}, {"web-03.log", 0, 300}},
			[]string{"web-01.log", "web-02.log", "web-03.log"}},
		{"hosts by uptime", false, []file{{"web-01.log", 0, 300}, {"web-02.log", 0, 290}}, []string{"web-01.log", "web-02.log"}},
		{"rotated sets of hosts", true, []file{{"web-1.log.0", 0, 100}, {"web-1.log.1", 100, 200}, {"web-2.log.0", 0, 100}, {"web-2.log.1", 100, 200}},
			[]string{"web-1.log.0 web-1.log.1", "web-2.log.0 web-2.log.1"}},
		{"a number before the extension that continues", false, []file{{"gc.1.log", 0, 100}, {"gc.2.log", 100, 200}},
			[]string{"gc.1.log gc.2.log"}},
		{"one file a day", true, []file{{"gc-2026-11-29.log", 300, 400}, {"gc-2026-11-28.log", 0, 290}},
			[]string{"gc-2026-11-28.log gc-2026-11-29.log"}},
		{"a file of an earlier run", false, []file{{"gc.log.0", 0, 300}, {"gc.log", 0, 100}}, []string{"gc.log.0 gc.log"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			var sources []input.Source
			for _, f := range c.files {
				path := filepath.Join(dir, f.name)
				stretch(t, path, c.wall, f.from, f.to)
				sources = append(sources, input.Source{Name: path, Path: path})
			}
			var got []string
			for _, s := range Streams(t.Context(), sources) {
				var names []string
				for _, src := range s.Sources {
					names = append(names, filepath.Base(src.Path))
				}
				got = append(got, strings.Join(names, " "))
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("streams %q, want %q", got, c.want)
			}
		})
	}
}
