package hprof_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/internal/input"
)

// TestCorpusAsMATShows holds the second column against Eclipse MAT 1.17 itself: its
// used heap, and what it says to have left out as unreachable, without the
// boot loader that it makes up (an instance of java.lang.ClassLoader).
func TestCorpusAsMATShows(t *testing.T) {
	corpus := os.Getenv("KNEELINE_CORPUS")
	if corpus == "" {
		corpus = "../../../shared/corpus"
	}
	for name, want := range map[string]struct{ used, unreachable, loader int64 }{
		"layout-coop":         {53_150_672, 7_464, 72},
		"layout-nocoop":       {66_690_960, 10_120, 136},
		"jetty-blocking.live": {23_802_928, 100_088, 72},
	} {
		path := filepath.Join(corpus, "heap", name+".hprof.gz")
		if _, err := os.Stat(path); err != nil {
			t.Skipf("no corpus: %v", err)
		}
		r, err := input.Source{Name: name, Path: path}.Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		h, err := hprof.Read(context.Background(), r, hprof.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if sum := want.used + want.unreachable - want.loader; h.MATBytes != sum {
			t.Errorf("%s: %d bytes as MAT shows, MAT shows %d", name, h.MATBytes, sum)
		}
		h.Close()
		r.Close()
	}
}
