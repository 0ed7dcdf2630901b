package cmd

import (
	"os"
	"strings"
	"testing"
)

// The page shows the beginning of a report as it comes, and names every column of
// the histogram.
func TestHeapPage(t *testing.T) {
	data, err := os.ReadFile("../docs/heap.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, c := range histogramColumns {
		if !strings.Contains(page, "`"+c+"`") {
			t.Errorf("docs/heap.md does not name the column %s", c)
		}
	}
	dir := t.TempDir()
	writeDump(t, dir, "dump.hprof", jettyDump(5000))
	t.Chdir(dir)
	got := runArgs(t, "heap", "dump.hprof", "--capacity", "1200/s", "--timeout", "400ms")
	if got.code != 0 {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	_, rest, ok := strings.Cut(page, "$ kneeline heap dump.hprof --capacity 1200/s --timeout 400ms\n")
	if !ok {
		t.Fatal("docs/heap.md shows no report")
	}
	shown, _, _ := strings.Cut(rest, "...\n")
	if !strings.HasPrefix(got.stdout, shown) {
		t.Errorf("docs/heap.md shows\n%s\nthe report begins with\n%s", shown, got.stdout[:min(len(got.stdout), len(shown)+200)])
	}
}
