package pprof

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"runtime"
	rpprof "runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"example.com/kneeline/heapdump/goroutines"
)

// parked starts n goroutines that wait on a channel here, and returns what ends
// them.
func parked(t testing.TB, n int) {
	t.Helper()
	gate, started := make(chan struct{}), make(chan struct{})
	var ended sync.WaitGroup
	for range n {
		ended.Go(func() { waitHere(gate, started) })
	}
	for range n {
		<-started
	}
	// having started is not yet waiting
	for {
		var b bytes.Buffer
		if err := rpprof.Lookup("goroutine").WriteTo(&b, 2); err != nil {
			t.Fatal(err)
		}
		set, err := goroutines.Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		if count(set, "waitHere", goroutines.StateChanReceive) == int64(n) {
			break
		}
		runtime.Gosched()
	}
	t.Cleanup(func() { close(gate); ended.Wait() })
}

//go:noinline
func waitHere(gate, started chan struct{}) {
	started <- struct{}{}
	<-gate
}

// count is how many goroutines have a function on their stack, in a state.
func count(set *goroutines.Set, fn, state string) int64 {
	var n int64
	for _, s := range set.Stacks {
		for _, f := range s.Frames {
			if strings.HasSuffix(f.Func, "."+fn) && s.State == state {
				n += s.Count
				break
			}
		}
	}
	return n
}

func written(t testing.TB, name string, debug int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := rpprof.Lookup(name).WriteTo(&b, debug); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The runtime's own profiles, in both forms.
func TestRuntimeProfiles(t *testing.T) {
	parked(t, 40)
	pb, err := Read(bytes.NewReader(written(t, "goroutine", 0)))
	if err != nil {
		t.Fatal(err)
	}
	if pb.Kind != Goroutine || pb.Text || pb.Taken.IsZero() || pb.Unnamed != 0 {
		t.Errorf("%+v", pb)
	}
	if n := count(pb.Goroutines(), "waitHere", goroutines.StateChanReceive); n != 40 {
		t.Errorf("%d goroutines in waitHere, want 40", n)
	}
	text, err := Read(bytes.NewReader(written(t, "goroutine", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if text.Kind != Goroutine || !text.Text || text.Unnamed != 0 {
		t.Errorf("%+v", text)
	}
	// the text hides the runtime's frames, and with them the state
	if n := count(text.Goroutines(), "waitHere", goroutines.StateUnknown); n != 40 {
		t.Errorf("%d goroutines in waitHere of the text, want 40", n)
	}
	for name, kind := range map[string]Kind{"threadcreate": ThreadCreate, "block": Block, "heap": Heap, "allocs": Heap} {
		for debug := range 2 {
			p, err := Read(bytes.NewReader(written(t, name, debug)))
			if err != nil {
				t.Errorf("%s debug=%d: %v", name, debug, err)
			} else if p.Kind != kind {
				t.Errorf("%s debug=%d: kind %s", name, debug, p.Kind)
			} else if debug == 0 && p.Allocs != (name == "allocs") {
				t.Errorf("%s: allocs is %v", name, p.Allocs)
			}
		}
	}
}

func TestTextOfHeapHasStats(t *testing.T) {
	p, err := Read(bytes.NewReader(written(t, "heap", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if p.Stats["Stack"] <= 0 || p.Stats["HeapAlloc"] <= 0 {
		t.Errorf("stats %v", p.Stats)
	}
}

func TestContention(t *testing.T) {
	const head = "cycles/second=1000000000\nsampling period=1\n2000 4 @ 0x10 0x20\n#\t0xf\t"
	for text, want := range map[string]Kind{
		"--- mutex:\n" + head + "sync.(*Mutex).Unlock+0x1\t/go/mutex.go:5\n#\t0x1f\tmain.f+0x1\t/f.go:6\n": Mutex,
		"--- contention:\n" + head + "runtime.chanrecv1+0x1\t/go/chan.go:5\n":                              Block,
	} {
		p, err := Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if p.Kind != want || len(p.Samples) != 1 || p.Samples[0].Count != 4 || p.Samples[0].Delay != 2000 {
			t.Errorf("%+v, want %s", p, want)
		}
		if got := p.Samples[0].Frames[0].Line; got != 5 {
			t.Errorf("line %d, want 5", got)
		}
	}
}

func gz(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRefused(t *testing.T) {
	cpu := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1}
	var b bytes.Buffer
	if err := cpu.Write(&b); err != nil {
		t.Fatal(err)
	}
	whole := written(t, "heap", 0)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":      {nil, "expected a profile, found nothing"},
		"text":         {[]byte("hello"), "expected a profile in pprof's format"},
		"cpu":          {b.Bytes(), `found one of "samples", "cpu"`},
		"cut gzip":     {whole[:len(whole)/2], "unexpected EOF"},
		"gzip in gzip": {gz(t, gz(t, gz(t, []byte("x")))), "found gzip in gzip"},
		"too large":    {gz(t, make([]byte, MaxBytes+1)), "at most 64 MiB"},
	} {
		if _, err := Read(bytes.NewReader(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func corpus(t *testing.T, name string) *Profile {
	t.Helper()
	dir := os.Getenv("KNEELINE_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	f, err := os.Open(filepath.Join(dir, "heap", name))
	if err != nil {
		t.Skip("no corpus: ", err)
	}
	defer f.Close()
	p, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCorpus(t *testing.T) {
	g := corpus(t, "go-stall-goroutine.pb.gz").Goroutines()
	states := map[string]int64{}
	for _, s := range g.Stacks {
		states[s.State] += s.Count
	}
	want := map[string]int64{goroutines.StateIO: 10001, goroutines.StateChanSend: 9992, goroutines.StateSleep: 8, goroutines.StateRunning: 2}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Errorf("total %d: %s", g.Total(), diff)
	}
	if n := count(g, "work", goroutines.StateChanSend); n != 9992 {
		t.Errorf("%d in chan send at main.work, want 9992", n)
	}
	h := corpus(t, "go-stall-heap.pb.gz")
	var inuse int64
	for _, s := range h.Samples {
		inuse += s.InuseBytes
	}
	// what go tool pprof says of the same file
	if inuse != 140882694 || h.Period != 524288 {
		t.Errorf("in use %d of period %d", inuse, h.Period)
	}
	if want := time.Date(2026, 11, 29, 19, 7, 11, 0, time.UTC); h.Taken.Truncate(time.Second) != want {
		t.Errorf("taken %v, want %v", h.Taken, want)
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"goroutine", "heap", "threadcreate", "mutex"} {
		for debug := range 2 {
			data := written(f, name, debug)
			if len(data) < 1<<14 {
				f.Add(data)
			}
			if debug == 0 {
				r, err := gzip.NewReader(bytes.NewReader(data))
				if err != nil {
					f.Fatal(err)
				}
				var b bytes.Buffer
				if _, err := b.ReadFrom(r); err != nil {
					f.Fatal(err)
				}
				f.Add(b.Bytes())
			}
		}
	}
	f.Add([]byte("heap profile: 1: 2 [3: 4] @ heap/1048576\n1: 2 [3: 4] @ 0x1 0x2\n#\t0x1\tmain.f+0x1\t\t/f.go:3\n\n# Stack = 5 / 6\n"))
	f.Add([]byte("goroutine profile: total 3\n3 @ 0x1\n#\t0x1\tmain.f+0x1\t/f.go:3\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		m, err := Merge(p)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p.Samples, m.Samples); diff != "" {
			t.Fatal("merging one changes it: ", diff)
		}
		d, err := Diff(p, p)
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Samples) != 0 {
			t.Fatal("a profile differs from itself")
		}
	})
}
