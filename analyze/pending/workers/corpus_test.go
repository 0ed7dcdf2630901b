package workers

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/kneeline/heapdump/stacks"
)

// Of a real Jetty whose handlers wait, ten of twelve threads are in the handler, and
// the other two accept connections and select.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("KNEELINE_CORPUS")
	if corpus == "" {
		corpus = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	in, err := os.Open(filepath.Join(corpus, "heap", "jetty-blocking.jstack.txt"))
	if err != nil {
		t.Skipf("the corpus is not here: %v", err)
	}
	defer in.Close()
	f, err := stacks.Read(in)
	if err != nil {
		t.Fatal(err)
	}
	p := Of(FromDump(&f.Dumps[0])).Pools[0]
	if p.Name != "web-*" || p.Total != 12 || p.Busy != 12 || p.Own != 2 || p.Groups[0].Count != 10 || p.Groups[0].State != Latch {
		t.Errorf("got %+v", p)
	}
}
