//go:build e2e

package e2e

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pileUps are the programs that pile up work; the servers are apart.
var pileUps = []struct {
	name, main string
	args       []string
}{
	{"threadpool", "PoolPile", nil},
	{"own-ring", "RingPile", nil},
	{"own-chain", "ChainPile", nil},
	{"nano", "NanoPile", nil},
	{"futures", "FuturePile", nil},
	{"waiters", "WaiterPile", nil},
	{"netty-loop", "NettyPile", []string{"loop"}},
	{"netty-outbound", "NettyPile", []string{"outbound"}},
	{"jdk-arraydeque", "Queues", []string{"arraydeque"}},
	{"jdk-concurrent", "Queues", []string{"concurrent"}},
	{"jdk-transfer", "Queues", []string{"transfer"}},
	{"jdk-priority", "Queues", []string{"priority"}},
	{"jdk-deque", "Queues", []string{"deque"}},
	{"jdk-heap", "Queues", []string{"heap"}},
	{"jdk-forkjoin", "Queues", []string{"forkjoin"}},
}

// controls hold much, and no requests.
var controls = []string{"cache", "lru", "small", "batch", "free", "strings", "history", "timers", "pool", "connections"}

func TestHeapPileUps(t *testing.T) {
	for _, p := range pileUps {
		t.Run(p.name, func(t *testing.T) {
			d := pile(t, p.name, p.main, p.args...)
			_, doc := heap(t, d.path)
			wantPileUp(t, doc, d.truth)
		})
	}
}

func TestHeapControls(t *testing.T) {
	for _, c := range controls {
		t.Run(c, func(t *testing.T) {
			wantNoPileUp(t, pile(t, "control-"+c, "Controls", c))
		})
	}
	t.Run("idle-jetty", func(t *testing.T) { wantNoPileUp(t, idleJetty(t)) })
}

// wantNoPileUp reads the dump, and the text companions alone.
func wantNoPileUp(t *testing.T, d taken) {
	t.Helper()
	for _, args := range [][]string{{d.path}, {"--capacity", "100/s", "--timeout", "1s", d.path}, {d.histogram, d.threads}} {
		r, doc := heap(t, args...)
		if r.code != 0 || doc.Verdict.Answer == "pile-up" {
			t.Errorf("exit code %d, %s: %s", r.code, doc.Verdict.Answer, doc.Verdict.Sentence)
		}
		if len(doc.Findings) > 0 {
			t.Errorf("there is nothing to find: %+v", doc.Findings)
		}
	}
}

// The servers are dumped once each; all that is asked of their dumps is asked here.

func TestHeapJettyBlocking(t *testing.T) {
	wantFloodNamed(t, func() taken { return piledJetty(t, false) })
}

func TestHeapJettyAsync(t *testing.T) {
	wantFloodNamed(t, func() taken { return piledJetty(t, true) })
}

func TestHeapTomcat(t *testing.T) { wantFloodNamed(t, func() taken { return piledTomcat(t) }) }

// Nothing in the dump says when the requests came: no age is told, or the right one.
func TestHeapJettyReused(t *testing.T) {
	d := reusedJetty(t)
	_, doc := heap(t, d.path)
	q := wantPileUp(t, doc, d.truth)
	if q.Age != nil {
		d.truth.Clock, d.truth.HeadOnly = q.Age.Clock, q.Age.HeadOnly
		wantAges(t, q, d.truth)
	}
}

func TestHeapJettyFull(t *testing.T) {
	d := fullJetty(t)
	_, doc := heap(t, d.path)
	wantPileUp(t, doc, d.truth)
}

// wantFloodNamed wants the first line to name the queue, the requests, what each
// costs and all of them together, and how long the queue should be.
//
// The driver knows when a request was sent, the dump when the server took it up.
// On a busy machine there is time between them: of three floods the best counts.
func wantFloodNamed(t *testing.T, piled func() taken) {
	t.Helper()
	const capacity, timeout = 1200, 0.4
	var d taken
	var r ran
	var doc heapDocument
	for try := range 3 {
		d = piled()
		r, doc = heap(t, d.path, "--capacity", fmt.Sprintf("%d/s", capacity), "--timeout", fmt.Sprintf("%gs", timeout))
		wrong := agesWrong(doc.named(t), d.truth)
		if len(wrong) == 0 {
			break
		}
		t.Logf("flood %d: %v", try, wrong)
	}
	q := wantPileUp(t, doc, d.truth)
	if q.Useful == nil || *q.Useful > capacity*timeout || *q.Useful < capacity*timeout/2 {
		t.Errorf("useful positions: %v", value(q.Useful))
	}
	// What comes in other numbers, such as nodes of a map that others use too, is
	// not in the cluster of equal counts.
	if q.BytesEach == nil || *q.BytesEach < 0.75*float64(d.truth.BytesEach) || *q.BytesEach > 1.05*float64(d.truth.BytesEach) {
		t.Errorf("one costs %v B, though the heap grew by %d B for each", value(q.BytesEach), d.truth.BytesEach)
	}
	first := firstLine(r.stdout)
	if !strings.Contains(first, short(d.truth.QueueClass)) && !strings.Contains(first, short(d.truth.Owner)) {
		t.Errorf("the first line names no queue: %s", first)
	}
	if q.Setting == nil || q.Setting.Value == "" || !strings.Contains(first, q.Setting.Value) {
		t.Errorf("the first line does not say what to set: %s", first)
	}
	counts := regexp.MustCompile(`\d[\d,]*\d`).FindAllString(first, -1)
	found := false
	for _, text := range counts {
		var n int64
		_, _ = fmt.Sscan(strings.ReplaceAll(text, ",", ""), &n)
		found = found || math.Abs(float64(n-d.truth.Requests)) <= 0.01*float64(d.truth.Requests)
	}
	if !found {
		t.Errorf("the first line does not say that %d requests wait: %s", d.truth.Requests, first)
	}
	if sizes := regexp.MustCompile(`\d(B|KiB|MiB|GiB) (each|together)`).FindAllString(first, -1); len(sizes) < 2 {
		t.Errorf("the first line does not say what one and what all cost: %s", first)
	}
	_, companions := heap(t, d.histogram, d.threads)
	if companions.Verdict.Answer != "pile-up" {
		t.Errorf("the histogram and the threads alone: %s", companions.Verdict.Sentence)
	} else if n := companions.named(t).Entries; math.Abs(float64(n-d.truth.Requests)) > 0.01*float64(d.truth.Requests) {
		t.Errorf("the histogram and the threads alone: %d requests, not %d", n, d.truth.Requests)
	}
	if q.Bytes == nil || doc.Heap == nil || *q.Bytes > doc.Heap.Bytes {
		t.Errorf("together %v B of %+v", value(q.Bytes), doc.Heap)
	}
}

func short(class string) string { return class[strings.LastIndexAny(class, ".$")+1:] }

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

// One dump in every form: as jmap compresses it by blocks, plain, compressed as a
// whole, by zstd, and through a pipe.
func TestHeapForms(t *testing.T) {
	classes, dir := heapClasses(t), t.TempDir()
	j := startJava(t, dir, "-Xmx512m", "-cp", classes+":"+classpath(), "shop.PoolPile")
	truth := j.said(t)
	blocks := j.dump(t, filepath.Join(dir, "blocks.hprof.gz"), "live,gz=1,")
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
