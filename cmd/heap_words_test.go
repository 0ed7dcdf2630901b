package cmd

import (
	"bytes"
	"strings"
	"testing"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/report"
)

// Go has goroutines where others have threads, and bytes of which there may be more
// are told so.
func TestHeapWords(t *testing.T) {
	pool, bytesEach, all := 0, 689.0, int64(68_900)
	res := &pending.Result{
		Verdict: pending.Verdict{Answer: pending.PileUp, Queue: new(int)},
		Workers: []pending.Pool{{Name: "web", Total: 8, Busy: ptr(int64(8)), Idle: ptr(int64(0)), Groups: []pending.Group{{Count: 8, Place: "main.work"}}}},
		Queues:  []pending.Queue{{Name: "queue", Entries: 100, Pool: &pool, BytesEach: &bytesEach, Bytes: &all, AtLeast: true}},
	}
	text := func() string {
		var b bytes.Buffer
		if err := report.Text(&b, heapView{top: 5}.report(res), report.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	threads := text()
	for _, want := range []string{"8 of 8 threads busy", "What the busy threads of web do", "at least 689B"} {
		if !strings.Contains(threads, want) {
			t.Errorf("no %q in\n%s", want, threads)
		}
	}
	res.Go, res.Queues[0].AtLeast = &pending.Go{}, false
	routines := text()
	for _, want := range []string{"8 of 8 goroutines busy", "What the busy goroutines of web do"} {
		if !strings.Contains(routines, want) {
			t.Errorf("no %q in\n%s", want, routines)
		}
	}
	if strings.Contains(routines, "thread") || strings.Contains(routines, "at least") {
		t.Errorf("%s", routines)
	}
}
