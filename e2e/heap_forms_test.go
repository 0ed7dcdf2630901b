//go:build e2e

package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// jsonOf reads an input and returns the document, with the input's name taken out.
func jsonOf(t *testing.T, name string, stdin io.Reader) []byte {
	t.Helper()
	cmd := exec.Command(program, "heap", name, "-o", "json", "--quiet")
	cmd.Stdin = stdin
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return regexp.MustCompile(`(?m)^\s*"name": "[^"]*(hprof[^"]*|stdin|-)",?\n`).ReplaceAll(out, nil)
}

func gunzipped(t *testing.T, path, to string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// One dump, with what is garbage, in every form: as jmap compresses it by blocks, plain, compressed as a
// whole, by zstd, and through a pipe.
func TestHeapForms(t *testing.T) {
	classes, dir := heapClasses(t), t.TempDir()
	j := startJava(t, dir, "-Xmx512m", "-cp", classes+":"+classpath(), "shop.PoolPile")
	truth := j.said(t)
	blocks := j.dump(t, filepath.Join(dir, "blocks.hprof.gz"), "all,gz=1,")
	j.stop(t)
	plain := filepath.Join(dir, "plain.hprof")
	gunzipped(t, blocks, plain)
	want := jsonOf(t, plain, nil)
	if !bytes.Contains(want, []byte(fmt.Sprintf(`"entry_count": %d`, truth.Entries))) {
		t.Errorf("the plain dump's document does not count %d entries", truth.Entries)
	}
	same := func(form string, got []byte) {
		if !bytes.Equal(got, want) {
			t.Errorf("%s gives another document than the plain dump", form)
		}
	}
	same("jmap's gz", jsonOf(t, blocks, nil))
	for _, tool := range [][]string{{"gzip", "-c"}, {"zstd", "-q", "-c"}} {
		packed := filepath.Join(dir, tool[0]+".hprof."+tool[0])
		out, err := exec.Command(need(t, tool[0]), append(tool[1:], plain)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(packed, out, 0o600); err != nil {
			t.Fatal(err)
		}
		same(tool[0], jsonOf(t, packed, nil))
		same(tool[0]+" through a pipe", jsonOf(t, "-", bytes.NewReader(out)))
	}
	data, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	same("a pipe", jsonOf(t, "-", bytes.NewReader(data)))
}

// wantCut reads a dump that was cut and wants what is there, and what is missing
// said.
func wantCut(t *testing.T, how, path string) heapDocument {
	t.Helper()
	r, doc := heap(t, path)
	if len(doc.Inputs) != 1 || doc.Inputs[0].Complete || len(doc.Histogram) == 0 || doc.Heap == nil || doc.Heap.Objects == 0 {
		t.Errorf("%s: exit code %d, %+v, %d rows of the histogram", how, r.code, doc.Inputs, len(doc.Histogram))
	}
	if len(doc.CouldNotSay) == 0 {
		t.Errorf("%s: it does not say what is missing", how)
	}
	return doc
}

// A dump that was cut: the histogram and the share read are always there, the
// queue is named once its objects were read, and what is missing is said.
func TestHeapCut(t *testing.T) {
	d := pile(t, "cut", "PoolPile")
	data, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{0.3, 0.6, 0.9, 0.95, 0.99, 0.999} {
		path := filepath.Join(t.TempDir(), "cut.hprof")
		if err := os.WriteFile(path, data[:int(share*float64(len(data)))], 0o600); err != nil {
			t.Fatal(err)
		}
		doc := wantCut(t, fmt.Sprintf("cut at %g", share), path)
		if share >= 0.99 {
			if q := doc.named(t); q.Entries != d.truth.Entries {
				t.Errorf("cut at %g: %d entries, not %d", share, q.Entries, d.truth.Entries)
			}
		}
	}
	for _, tool := range [][]string{{"gzip", "-c"}, {"zstd", "-q", "-c"}} {
		out, err := exec.Command(need(t, tool[0]), append(tool[1:], d.path)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "cut.hprof."+tool[0])
		if err := os.WriteFile(path, out[:len(out)*9/10], 0o600); err != nil {
			t.Fatal(err)
		}
		wantCut(t, "cut by "+tool[0], path)
	}
}

// What stands in strings is private, in every format, unless it is asked for.
func TestHeapPrivate(t *testing.T) {
	d := pile(t, "private", "Controls", "strings")
	page := filepath.Join(t.TempDir(), "page.html")
	args := []string{"heap", d.path, "-o", "text", "-o", "json=" + page + ".json", "-o", "markdown=" + page + ".md", "-o", "html=" + page}
	shown := func(args ...string) (where []string) {
		r := kneeline(t, args...)
		if strings.Contains(r.stdout+r.stderr, "country-") {
			where = append(where, "text")
		}
		for _, kind := range []string{"", ".json", ".md"} {
			data, err := os.ReadFile(page + kind)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(data, []byte("country-")) {
				where = append(where, filepath.Base(page+kind))
			}
		}
		return where
	}
	if where := shown(args...); len(where) > 0 {
		t.Errorf("strings of the dump are in %v", where)
	}
	if where := shown(append(args, "--show-values")...); len(where) != 4 {
		t.Errorf("with --show-values they are in %v alone", where)
	}
}
