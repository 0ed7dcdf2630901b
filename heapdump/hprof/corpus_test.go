package hprof

import (
	"bufio"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/kneeline/heapdump"
)

// corpus opens a dump of the corpus; tests without it skip.
func corpus(t testing.TB, name string) io.Reader {
	dir := os.Getenv("KNEELINE_CORPUS")
	if dir == "" {
		dir = "../../../shared/corpus"
	}
	f, err := os.Open(filepath.Join(dir, "heap", name))
	if err != nil {
		t.Skipf("no corpus: %v", err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if !strings.HasSuffix(name, ".gz") {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

type histoRow struct{ n, bytes int64 }

// histogram reads what jmap -histo wrote, by names of Java source.
func histogram(t testing.TB, in io.Reader) (map[string]histoRow, histoRow) {
	rows, total := map[string]histoRow{}, histoRow{}
	scan := bufio.NewScanner(in)
	for scan.Scan() {
		f := strings.Fields(scan.Text())
		if len(f) < 3 {
			continue
		}
		n, err1 := strconv.ParseInt(f[1], 10, 64)
		b, err2 := strconv.ParseInt(f[2], 10, 64)
		if err1 != nil || err2 != nil {
			continue
		}
		if f[0] == "Total" {
			total = histoRow{n, b}
			continue
		}
		r := rows[heapdump.ClassName(f[3])]
		rows[heapdump.ClassName(f[3])] = histoRow{r.n + n, r.bytes + b}
	}
	if len(rows) < 100 {
		t.Fatalf("%d rows in the histogram", len(rows))
	}
	return rows, total
}

// The histogram of the VM itself, taken beside the dump of a compacted heap, is
// met to the byte, class by class.
func TestCorpusEqualsHistogram(t *testing.T) {
	for _, name := range []string{"layout-coop", "layout-nocoop"} {
		t.Run(name, func(t *testing.T) {
			h, err := Read(context.Background(), corpus(t, name+".hprof.gz"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			if !h.Complete || len(h.Losses) != 0 {
				t.Errorf("complete %v (%s), losses %v", h.Complete, h.Why, h.Losses)
			}
			compareHistogram(t, h, corpus(t, name+".histo.txt"))
		})
	}
}

func compareHistogram(t *testing.T, h *heapdump.Heap, histo io.Reader) {
	rows, total := histogram(t, histo)
	if h.Objects != total.n || h.Bytes != total.bytes {
		t.Errorf("%d objects of %d bytes, the VM counts %d of %d", h.Objects, h.Bytes, total.n, total.bytes)
	}
	mine := map[string]histoRow{}
	for _, c := range h.Classes {
		if c.Instances > 0 {
			// The histogram has a slash where the dump has a plus.
			name := strings.Replace(c.Name, "+0x", "/0x", 1)
			r := mine[name]
			mine[name] = histoRow{r.n + c.Instances, r.bytes + c.Bytes}
		}
	}
	wrong := 0
	for name, want := range rows {
		if mine[name] != want {
			if wrong++; wrong <= 10 {
				t.Errorf("%s: %v, the VM counts %v", name, mine[name], want)
			}
		}
		delete(mine, name)
	}
	if wrong > 0 || len(mine) > 0 {
		t.Errorf("%d classes differ of %d; %d are not in the VM's histogram", wrong, len(rows), len(mine))
	}
}

// A dump of one's own: HPROF=file [HISTO=file] go test -run Local -v.
func TestLocalDump(t *testing.T) {
	path := os.Getenv("HPROF")
	if path == "" {
		t.Skip("HPROF names no dump")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h, err := Read(context.Background(), f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	t.Logf("%d objects, %d bytes, MAT %d, file %d, complete %v %s, losses %v", h.Objects, h.Bytes, h.MATBytes, h.Read, h.Complete, h.Why, h.Losses)
	t.Logf("layout header %d ref %d alignment %d tight %.3f; texts %+v", h.Layout.Header, h.Layout.Ref, h.Layout.Alignment, h.Layout.Tight, h.Texts)
	t.Logf("roots %v, %d threads", h.Roots, len(h.Threads))
	for _, th := range h.Threads {
		t.Logf("  %d %q %d frames, %d locals", th.Serial, th.Name, len(th.Frames), len(th.Locals))
	}
	for _, c := range h.Classes {
		if c.Kept > 4096 {
			t.Logf("  kept %d of %d %s", c.Kept, c.Instances, c.Name)
		}
	}
	if histo := os.Getenv("HISTO"); histo != "" {
		f, err := os.Open(histo)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		compareHistogram(t, h, f)
	}
}
