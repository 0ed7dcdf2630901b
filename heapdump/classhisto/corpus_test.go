package classhisto

import (
	"os"
	"path/filepath"
	"testing"
)

// Histograms of real processes are read to the last row, and sum up to their
// totals.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("KNEELINE_CORPUS")
	if corpus == "" {
		corpus = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	for _, c := range []struct {
		name    string
		classes int
		total   Count
	}{
		{"jetty-blocking.histo-live.txt", 829, Count{687275, 24000536}},
		{"layout-coop.histo.txt", 293, Count{1180450, 53244056}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := os.Open(filepath.Join(corpus, "heap", c.name))
			if err != nil {
				t.Skipf("the corpus is not here: %v", err)
			}
			defer in.Close()
			f, err := Read(in)
			if err != nil {
				t.Fatal(err)
			}
			h := f.Histograms[0]
			if len(f.Histograms) != 1 || len(h.Rows) != c.classes || h.Sum != c.total || !h.Agrees() || !h.Complete() || f.Unreadable+f.Other != 0 {
				t.Errorf("got %d rows, sum %v, stated %v, other %d, unreadable %v", len(h.Rows), h.Sum, h.Stated, f.Other, f.Problems)
			}
		})
	}
}
