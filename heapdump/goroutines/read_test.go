package goroutines

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const sample = `goroutine 7 [running]:
main.dump(0x1)
	/src/main.go:9 +0x1c
created by main.main in goroutine 1
	/src/main.go:3 +0x2f

goroutine 21 [chan send, 5 minutes]:
main.(*limit).work({0x10?, 0x48f532?}, 0x13)
	/src/main.go:22 +0x4d
net/http.(*conn).serve(...)
	/go/src/net/http/server.go:2067
created by net/http.(*Server).Serve in goroutine 1
	/go/src/net/http/server.go:3464 +0x485

goroutine 22 [chan send, locked to thread]:
main.(*limit).work({0x10?, 0x48f532?}, 0x14)
	/src/main.go:22 +0x4d
net/http.(*conn).serve(...)
	/go/src/net/http/server.go:2067
created by net/http.(*Server).Serve in goroutine 2
	/go/src/net/http/server.go:3464 +0x485

goroutine 23 gp=0xc000 m=nil [sync.RWMutex.RLock, 2 minutes]:
main.Do[...](0x1)
	C:/src/do.go:4 +0x1 fp=0xc0 sp=0xc1 pc=0x1
...3 frames elided...
`

func TestRead(t *testing.T) {
	set, err := Read(strings.NewReader("panic: boom\n\n" + sample + "\nrax    0x0\n"))
	if err != nil {
		t.Fatal(err)
	}
	serve := Frame{"net/http.(*Server).Serve", "/go/src/net/http/server.go", 3464}
	want := []Stack{
		{
			Frames: []Frame{{"main.(*limit).work", "/src/main.go", 22}, {"net/http.(*conn).serve", "/go/src/net/http/server.go", 2067}},
			State:  StateChanSend, Count: 2, Creator: serve, Creators: 2, Waits: []Wait{{0, 1}, {5, 1}},
		},
		{Frames: []Frame{{"main.dump", "/src/main.go", 9}}, State: StateRunning, Count: 1,
			Creator: Frame{"main.main", "/src/main.go", 3}, Creators: 1, Waits: []Wait{{0, 1}}},
		{Frames: []Frame{{"main.Do[...]", "C:/src/do.go", 4}}, State: StateMutex, Count: 1, Waits: []Wait{{2, 1}}},
	}
	if diff := cmp.Diff(want, set.Stacks); diff != "" {
		t.Error(diff)
	}
	if set.Total() != 4 || !set.Waits || set.Cut || set.Elided != 1 || set.Unread != 0 {
		t.Errorf("set: %+v", set)
	}
}

func TestReadNothing(t *testing.T) {
	for text, want := range map[string]string{
		"":               "expected goroutines, found nothing",
		"hello\nworld\n": `line 1: expected goroutines such as 'goroutine 1 [running]:', found "hello"`,
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

type broken struct{ r io.Reader }

func (b broken) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// What came before a failure is kept, and marked as cut.
func TestReadFailure(t *testing.T) {
	set, err := Read(broken{strings.NewReader(sample)})
	if err == nil || set.Total() != 4 || !set.Cut {
		t.Errorf("error %v, total %d, cut %v", err, set.Total(), set.Cut)
	}
}

func TestLongLinesAndManyStacks(t *testing.T) {
	var b strings.Builder
	b.WriteString("goroutine 1 [select]:\nmain.f(" + strings.Repeat("x", 3*MaxLine) + ")\n\t/a.go:1\n\n")
	for i := range MaxStacks + 10 {
		fmt.Fprintf(&b, "goroutine %d [select]:\nmain.f%d()\n\t/a.go:1\n\n", i+2, i)
	}
	set, err := Read(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := set.Total(), int64(MaxStacks+11); got != want {
		t.Errorf("total %d, want %d", got, want)
	}
	if len(set.Stacks) != MaxStacks+1 || set.Stacks[0].Count != 11 {
		t.Errorf("%d stacks, the first of %d", len(set.Stacks), set.Stacks[0].Count)
	}
}

func TestCorpus(t *testing.T) {
	dir := os.Getenv("KNEELINE_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	f, err := os.Open(filepath.Join(dir, "heap", "go-stall-goroutine-debug2.txt.gz"))
	if err != nil {
		t.Skip("no corpus: ", err)
	}
	defer f.Close()
	gz, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	set, err := Read(gz)
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]int64{}
	for _, s := range set.Stacks {
		states[s.State] += s.Count
	}
	want := map[string]int64{StateIO: 10001, StateChanSend: 9992, StateSleep: 8, StateRunning: 2}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Error(diff)
	}
	if set.Unread != 0 || set.Elided != 0 {
		t.Errorf("unread %d, elided %d", set.Unread, set.Elided)
	}
}

// The order of goroutines does not matter, nor how they come in parts.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		blocks := make([]string, n)
		for i := range blocks {
			state := rapid.SampledFrom([]string{"select", "chan send, 3 minutes", "IO wait"}).Draw(t, "state")
			fn := rapid.SampledFrom([]string{"a.F", "b.(*T).G", "c.H[...]"}).Draw(t, "fn")
			blocks[i] = fmt.Sprintf("goroutine %d [%s]:\n%s(0x1)\n\t/x/y.go:%d +0x1\n\n", i+1, state, fn, rapid.IntRange(1, 3).Draw(t, "line"))
		}
		whole, err := Read(strings.NewReader(strings.Join(blocks, "")))
		if err != nil {
			t.Fatal(err)
		}
		if whole.Total() != int64(n) {
			t.Fatalf("total %d, want %d", whole.Total(), n)
		}
		shuffled := rapid.Permutation(blocks).Draw(t, "order")
		cut := rapid.IntRange(0, n).Draw(t, "cut")
		a, _ := Read(strings.NewReader(strings.Join(shuffled[:cut], "")))
		b, _ := Read(strings.NewReader(strings.Join(shuffled[cut:], "")))
		ab, ba := Merge(a, b), Merge(b, a)
		if diff := cmp.Diff(ab, ba); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(whole.Stacks, ab.Stacks); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("goroutine 1 [chan send, 99999999999999999999 minutes]:\n\t/x:1\ncreated by x in goroutine y\n"))
	f.Add([]byte("goroutine 1 []:\n...\n(\n)\nf()\n\t:\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := Read(bytes.NewReader(data))
		if err == nil && set.Total() == 0 {
			t.Fatal("no goroutine and no error")
		}
		heads := int64(bytes.Count(data, []byte("goroutine ")))
		if set.Total() > heads {
			t.Fatalf("%d goroutines of %d heads", set.Total(), heads)
		}
		for _, s := range set.Stacks {
			var n int64
			for _, w := range s.Waits {
				n += w.Count
			}
			if len(s.Waits) > 0 && n != s.Count {
				t.Fatalf("waits of %d goroutines, %d in the group", n, s.Count)
			}
		}
	})
}
