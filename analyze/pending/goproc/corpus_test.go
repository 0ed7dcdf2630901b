package goproc

import (
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/goroutines"
	"example.com/kneeline/heapdump/pprof"
)

func corpusFile(t *testing.T, name string) *os.File {
	t.Helper()
	dir := os.Getenv("KNEELINE_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	f, err := os.Open(filepath.Join(dir, "heap", name))
	if err != nil {
		t.Skip("no corpus: ", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func corpusProfile(t *testing.T, name string) *pprof.Profile {
	t.Helper()
	p, err := pprof.Read(corpusFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func corpusText(t *testing.T) *goroutines.Set {
	t.Helper()
	gz, err := gzip.NewReader(corpusFile(t, "go-stall-goroutine-debug2.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	set, err := goroutines.Read(gz)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// A server with 8 slots and 10,000 requests: 9,992 wait, the limit is 8, and the
// program's memory grew by 15.2 kB for each, stacks included.
func TestCorpusStall(t *testing.T) {
	heap := corpusProfile(t, "go-stall-heap.pb.gz")
	g := corpusProfile(t, "go-stall-goroutine.pb.gz")
	for name, in := range map[string]Input{
		"profiles": {Profiles: []*pprof.Profile{g, heap}},
		"text":     {Texts: []*goroutines.Set{corpusText(t)}, Profiles: []*pprof.Profile{heap}},
		"both":     {Texts: []*goroutines.Set{corpusText(t)}, Profiles: []*pprof.Profile{heap, g}},
	} {
		res := Judge(in, Options{Capacity: ptr(1200.0), Timeout: ptr(0.4)})
		if res.Verdict.Answer != pending.PileUp {
			t.Errorf("%s: %s: %s", name, res.Verdict.Answer, res.Verdict.Sentence)
			continue
		}
		const want = "9,992 requests wait at main.work (main.go:21) for one of 8 slots, "
		if !strings.HasPrefix(res.Verdict.Sentence, want) {
			t.Errorf("%s: %s", name, res.Verdict.Sentence)
		}
		q := res.Queues[*res.Verdict.Queue]
		if q.Entries != 9992 || q.Confidence != pending.ConfidenceHigh {
			t.Errorf("%s: %+v", name, q)
		}
		w := res.Workers[*q.Pool]
		if w.Total != 8 || *w.Busy != 8 || *w.Max != 8 {
			t.Errorf("%s: %+v", name, w)
		}
		if r := res.Go.Requests; r.Total != 10000 || r.Waiting != 9992 || r.Served != 8 {
			t.Errorf("%s: %+v", name, r)
		}
		// 132 MB in use, less what is not the requests'
		if math.Abs(*q.BytesEach-12_900) > 1_000 {
			t.Errorf("%s: %.0f bytes each", name, *q.BytesEach)
		}
		if e := *res.Go.Memory.Error; e < 0.05 || e > 0.25 {
			t.Errorf("%s: error %.2f", name, e)
		}
	}
}
