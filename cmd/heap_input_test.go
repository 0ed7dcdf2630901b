package cmd

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/heapinput"
	"example.com/kneeline/internal/input"
)

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const (
	someHisto   = " num     #instances         #bytes  class name (module)\n-------------------------------------------------------\n   1:            10            240  java.lang.String (java.base@17.0.15)\nTotal            10            240\n"
	someThreads = "2026-11-29 17:43:58\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):\n\n\"main\" #1 prio=5 os_prio=0 tid=0x00007f nid=0x1 runnable  [0x0]\n   java.lang.Thread.State: RUNNABLE\n\tat app.Main.main(Main.java:1)\n"
)

// An input is recognised by content, packed or not, from a file or a stream, and
// nothing of a stream is lost by it.
func TestRecognise(t *testing.T) {
	long := someHisto + strings.Repeat("   2:            10            240  java.lang.Object\n", 20_000)
	for name, text := range map[string]string{"plain": long, "gzip": gzipped(t, long), "short": someHisto} {
		inFolder(t, map[string]string{"h": text})
		want := long
		if name == "short" {
			want = someHisto
		}
		for _, path := range []string{"h", "-"} {
			in, err := recogniseOne(input.Source{Name: path, Path: path}, strings.NewReader(text), heapinput.Unknown)
			if err != nil || in.kind != heapinput.Histogram {
				t.Fatalf("%s %s: kind %v, %v", name, path, in.kind, err)
			}
			r, err := in.open()
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil || string(got) != want {
				t.Errorf("%s %s: %d bytes of %d, %v", name, path, len(got), len(want), err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A pipe in place of a file, which a shell makes of <(command), is read once.
func TestRecogniseAPipe(t *testing.T) {
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip("this system has no /dev/fd")
	}
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	go func() {
		_, _ = io.WriteString(to, someHisto) // a failure shows as a short histogram
		to.Close()
	}()
	got := runArgs(t, "heap", fmt.Sprintf("/dev/fd/%d", from.Fd()), "-o", "csv")
	if got.code != 0 || !strings.Contains(got.stdout, ",java.lang.String,10,240,") {
		t.Errorf("exit code %d: %s%s", got.code, got.stdout, got.stderr)
	}
}

func TestRecogniseRefuses(t *testing.T) {
	tests := []struct{ text, says, hint string }{
		{"", "found an empty file", ""},
		{"1234!FastSerialization.1", "a gcdump of .NET", ""},
		{gzipped(t, "1234!FastSerialization.1"), "a gcdump of .NET", ""},
		{"\x00\x12portable heap dump", "PHD", "GC.class_histogram"},
		{"[0.004s][info][gc] Using Serial\n", "a log of garbage collection", "kneeline gc FILE"},
		{"hello\n", "found text without a line", ""},
		{"\x1f\x8b\x08\x00", "expected more gzip data", ""},
		{"\x1f\x8bxxxxxxxxxxxxxxxxx", "gzip data", ""},
	}
	for _, tt := range tests {
		inFolder(t, map[string]string{"x": tt.text})
		_, err := recogniseOne(input.Source{Name: "x", Path: "x"}, nil, heapinput.Unknown)
		if err == nil || !strings.Contains(err.Error(), tt.says) || !strings.HasPrefix(err.Error(), "x: ") || !strings.Contains(fault.HintOf(err), tt.hint) {
			t.Errorf("%.30q: %v, hint %q; want %q and %q", tt.text, err, fault.HintOf(err), tt.says, tt.hint)
		}
	}
	if _, err := recogniseOne(input.Source{Name: "gone", Path: "gone"}, nil, heapinput.Unknown); err == nil || err.Error() != "cannot read gone: no such file or directory" {
		t.Errorf("%v", err)
	}
	// What the user says it is, it is.
	inFolder(t, map[string]string{"x": "hello\n"})
	if in, err := recogniseOne(input.Source{Name: "x", Path: "x"}, nil, heapinput.Threads); err != nil || in.kind != heapinput.Threads {
		t.Errorf("%v", err)
	}
}

func TestHeapCases(t *testing.T) {
	tests := []struct {
		name  string
		given string // path:kind
		want  string // main+beside ...
		left  string
	}{
		{"a dump and its companions", "d.hprof:hprof h.txt:histogram t.txt:threads", "d.hprof+h.txt+t.txt", ""},
		{"companions first", "t.txt:threads d.hprof:hprof", "d.hprof+t.txt", ""},
		{"two dumps", "a.hprof:hprof b.hprof.gz:hprof", "a.hprof b.hprof.gz", ""},
		{"by name", "web-01.hprof:hprof web-02.hprof:hprof web-02.threads.txt:threads web-01.txt:histogram", "web-01.hprof+web-01.txt web-02.hprof+web-02.threads.txt", ""},
		{"names that tell nothing", "a.hprof:hprof b.hprof:hprof t.txt:threads", "a.hprof b.hprof", "t.txt"},
		{"two dumps of one name", "a.1.hprof:hprof a.2.hprof:hprof a.txt:threads", "a.1.hprof a.2.hprof", "a.txt"},
		{"go", "heap.pb.gz:pprof goroutine.pb.gz:pprof g.txt:goroutines", "heap.pb.gz+goroutine.pb.gz+g.txt", ""},
		{"go, two hosts", "a/heap.pb:pprof b/heap.pb:pprof a/g.pb:pprof", "a/heap.pb+a/g.pb b/heap.pb", ""},
		{"text alone", "h.txt:histogram t.txt:threads", "h.txt+t.txt", ""},
		{"growth", "h1.txt:histogram h2.txt:histogram", "h1.txt+h2.txt", ""},
		{"text of two hosts", "a/t.txt:threads a/h.txt:histogram b/h.txt:histogram", "a/h.txt+a/t.txt b/h.txt", ""},
		{"threads alone", "t.txt:threads", "t.txt", ""},
		{"nothing", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var inputs []*heapInput
			for _, f := range strings.Fields(tt.given) {
				path, name, _ := strings.Cut(f, ":")
				kind, ok := heapinput.Named(name)
				if !ok {
					t.Fatal(name)
				}
				inputs = append(inputs, &heapInput{Source: input.Source{Name: path, Path: path}, kind: kind})
			}
			cases, left := heapCases(inputs)
			var got []string
			for _, c := range cases {
				text := c.main.Name
				for _, in := range c.beside {
					text += "+" + in.Name
				}
				got = append(got, text)
			}
			var rest []string
			for _, in := range left {
				rest = append(rest, in.Name)
			}
			if strings.Join(got, " ") != tt.want || strings.Join(rest, " ") != tt.left {
				t.Errorf("cases %q, left %q; want %q and %q", got, rest, tt.want, tt.left)
			}
		})
	}
}

func TestShortPlace(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"java.lang.String", "java.lang.String"},
		{"org.eclipse.jetty.io.ManagedSelector$Accept", "o.e.j.io.ManagedSelector$Accept"},
		{"java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionNode", "…tQueuedSynchronizer$ConditionNode"},
		{"byte[]", "byte[]"},
		{"JettyPile$Stall.handle(JettyPile.java:37)", "JettyPile$Stall.handle:37"},
		{"org.eclipse.jetty.io.ManagedSelector$SelectorProducer.select(ManagedSelector.java:183)", "…SelectorProducer.select:183"},
		{"jdk.internal.misc.Unsafe.park(Native Method)", "j.internal.misc.Unsafe.park"},
		{"HTTP/1.1 request", "HTTP/1.1 request"},
		{"github.com/acme/service/internal/store.(*Store).Get", "store.(*Store).Get"},
		{"main.work (main.go:21)", "main.work (main.go:21)"},
		{"net/http.newBufioWriterSize for net/http.(*conn).serve", "http.newBufioWriterSize for http.(*conn).serve"},
	} {
		if got := shortPlace(tt.name); got != tt.want {
			t.Errorf("%q is shortened to %q, want %q", tt.name, got, tt.want)
		}
	}
	for most := 3; most < 40; most++ {
		if got := shortClass("org.eclipse.jetty.util.thread.strategy.EatWhatYouKill", most); len([]rune(got)) > most {
			t.Errorf("%q is longer than %d", got, most)
		}
	}
}

// A directory that cannot be read, or a fifo, does not end in a panic.
func TestHeadOfADirectory(t *testing.T) {
	if _, _, err := headOf(os.TempDir()); err == nil {
		t.Error("a directory was read")
	}
}
