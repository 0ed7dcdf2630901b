//go:build e2e

package e2e

import (
	"fmt"
	"math"
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
	wantHolders(t, d)
}

func short(class string) string { return class[strings.LastIndexAny(class, ".$")+1:] }
