package stacks

import (
	"os"
	"path/filepath"
	"testing"
)

// A dump of a real server is read to the last line.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("KNEELINE_CORPUS")
	if corpus == "" {
		corpus = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	in, err := os.Open(filepath.Join(corpus, "heap", "jetty-blocking.jstack.txt"))
	if err != nil {
		t.Skipf("the corpus is not here: %v", err)
	}
	defer in.Close()
	f, err := Read(in)
	if err != nil {
		t.Fatal(err)
	}
	java := int64(0)
	for _, th := range f.Dumps[0].Threads {
		if th.Java {
			java++
		}
	}
	if d := f.Dumps[0]; len(f.Dumps) != 1 || java != d.Stated || java != 25 || len(d.Threads) != 34 || d.CutShort || f.Foreign+f.Unreadable != 0 {
		t.Errorf("%d threads, %d of Java, %d stated, %d foreign, %v", len(d.Threads), java, d.Stated, f.Foreign, f.Problems)
	}
}
