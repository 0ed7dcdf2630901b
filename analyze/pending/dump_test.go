package pending

import (
	"bytes"
	"compress/gzip"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/heapdump/hprofgen"
)

// reread writes a dump and reads it as the command does.
func reread(t testing.TB, data []byte) *heapdump.Heap {
	h, err := hprof.Read(context.Background(), bytes.NewReader(data), hprof.Options{Keep: Keeper(pattern.Builtin()), Total: int64(len(data))})
	if err != nil {
		t.Fatalf("no dump: %v", err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// All queues of a dump, with identifiers of both sizes.
func TestEverythingInADump(t *testing.T) {
	for _, size := range []int{4, 8} {
		d := hprofgen.Everything(hprofgen.Options{IDSize: size})
		r := Analyze(reread(t, d.Encode().Data), Options{Name: "everything"})
		if r.Verdict.Answer != PileUp || !r.Inputs[0].Complete {
			t.Fatalf("%+v %+v", r.Verdict, r.Inputs)
		}
		got := map[string]Queue{}
		for _, q := range r.Queues {
			got[q.Class] = q
		}
		for class, want := range map[string]struct {
			n, capacity int64
			owner       string
		}{
			"java.util.concurrent.LinkedBlockingQueue":  {120, 1000, "java.util.concurrent.ThreadPoolExecutor"},
			"org.apache.tomcat.util.threads.TaskQueue":  {150, 0, "org.apache.tomcat.util.threads.ThreadPoolExecutor"},
			"org.eclipse.jetty.util.BlockingArrayQueue": {200, 60_000, "org.eclipse.jetty.util.thread.QueuedThreadPool"},
			"java.util.concurrent.ArrayBlockingQueue":   {120, 300, ""},
			"java.util.ArrayDeque":                      {120, 0, ""},
		} {
			q, ok := got[class]
			switch {
			case !ok:
				t.Errorf("identifiers of %d bytes: no %s", size, class)
			case q.Entries != want.n, q.Owner != want.owner, (q.Capacity != nil) != (want.capacity > 0), q.Capacity != nil && *q.Capacity != want.capacity:
				t.Errorf("identifiers of %d bytes: %+v", size, q)
			}
		}
	}
}

// A dump that ends anywhere is never said to have no pile-up while much of it is
// missing.
func TestDumpCutAnywhere(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	at := func(i int) int64 {
		return hprofgen.Taken.UnixMilli() - int64(40_000-19*i) + int64(3*math.Sin(float64(i*i)))
	}
	tasks := d.Tasks("shop.Order", 2000, 16, at)
	d.ThreadPoolExecutor(8, 8, d.LinkedBlockingQueue(math.MaxInt32, tasks...))
	data := d.Encode().Data
	rng := rand.New(rand.NewPCG(1, 5))
	for range 40 {
		r := Analyze(reread(t, data[:rng.IntN(len(data))]), Options{})
		if r.Verdict.Answer == Nothing || r.Verdict.Answer == FullOfElse {
			share := *r.Inputs[0].Share
			if share < enoughRead {
				t.Errorf("%s after %.0f %% of the dump", r.Verdict.Sentence, 100*share)
			}
		}
	}
	if r := Analyze(reread(t, data), Options{}); r.Verdict.Answer != PileUp || r.Queues[0].Entries != 2000 || r.Queues[0].Age == nil {
		t.Errorf("the whole dump: %+v", r.Verdict)
	}
}

// The dump of a Jetty that was flooded, as its owner counted it.
func TestCorpusJetty(t *testing.T) {
	dir := os.Getenv("KNEELINE_CORPUS")
	if dir == "" {
		dir = "../../../shared/corpus"
	}
	f, err := os.Open(filepath.Join(dir, "heap", "jetty-blocking.live.hprof.gz"))
	if err != nil {
		t.Skipf("no corpus: %v", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	h, err := hprof.Read(context.Background(), z, hprof.Options{Keep: Keeper(pattern.Builtin())})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	r := Analyze(h, Options{Capacity: p(1200.0), Timeout: p(0.4)})
	if r.Verdict.Answer != PileUp {
		t.Fatalf("%+v", r.Verdict)
	}
	q := r.Queues[0]
	if q.OwnerName != "web" || q.Entries != 19_491 || *q.CountField != 19_491 || *q.Capacity != 60_000 || q.Role != RoleRequests {
		t.Errorf("%+v", q)
	}
	counts := map[string]int64{}
	for _, s := range q.Payload {
		counts[s.Class] = s.Count
	}
	if counts["org.eclipse.jetty.io.ManagedSelector$Accept"] != 17_467 || counts["org.eclipse.jetty.io.ChannelEndPoint$1"] != 2_023 || len(counts) != 3 {
		t.Errorf("%v", counts)
	}
	if q.Pool == nil || r.Workers[*q.Pool].Total != 12 || *r.Workers[*q.Pool].Max != 12 {
		t.Errorf("workers %+v", r.Workers)
	}
}
