package cmd

import (
	"slices"
	"strings"
	"testing"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/compare"
	"example.com/kneeline/heapdump/hprofgen"
)

// answeredDump is a dump with the pools of several servers of which no root reaches any,
// as when they were stopped and nothing was collected since.
func answeredDump(pools int) []byte {
	d := hprofgen.New(hprofgen.Options{})
	millis := hprofgen.Taken.UnixMilli()
	n := 400
	created := func(i int) int64 { return millis - 500 - int64(n-1-i)*10 }
	nano := func(i int) int64 { return (created(i) - millis + 5_000_000) * 1_000_000 }
	for range pools {
		d.QueuedThreadPool("qtp1", 12, 12, 0, d.BlockingArrayQueue(60_000, 1<<10, d.Endpoints(n, created, nano)...))
		n += 10
	}
	d.Root(0x05, d.Cache(10))
	return d.Encode().Data
}

// Requests that are garbage are no pile-up, however many queues of them there are, and no
// finding tells of them.
func TestGraphTellsGarbage(t *testing.T) {
	for _, pools := range []int{1, 7} {
		path := writeDump(t, t.TempDir(), "a.hprof", answeredDump(pools))
		if res := heapJSON(t, path); res.Verdict.Answer != pending.PileUp {
			t.Fatalf("without the graph: %s", res.Verdict.Sentence)
		}
		res := heapJSON(t, path, "--graph")
		if res.Verdict.Answer == pending.PileUp || len(res.Findings) > 0 || len(res.Graph.Holders) > 4 {
			t.Errorf("%d pools: %s; findings %+v", pools, res.Verdict.Sentence, res.Findings)
		}
		if n := strings.Count(strings.Join(res.Warnings, "\n"), "is garbage that waits"); n != pools {
			t.Errorf("%d of %d queues are said to be garbage: %q", n, pools, res.Warnings)
		}
	}
}

// In a dump whose last roots are missing, what they hold is not taken for garbage.
func TestGraphOfDumpWithoutLastRoots(t *testing.T) {
	whole := jettyDump(400)
	path := writeDump(t, t.TempDir(), "a.hprof", whole[:len(whole)-20])
	res := heapJSON(t, path, "--graph")
	if res.Graph == nil || res.Graph.Holders[0].Entries != 0 {
		t.Fatalf("a root still holds the queue: %+v", res.Graph)
	}
	if res.Verdict.Answer != pending.PileUp || !strings.Contains(strings.Join(res.Warnings, "\n"), "roots may be missing") {
		t.Errorf("%s; %q", res.Verdict.Sentence, res.Warnings)
	}
}

// The graphs of two dumps tell which objects retain more.
func TestHeapCompareGraphs(t *testing.T) {
	dir := t.TempDir()
	a, b := writeDump(t, dir, "a.hprof", jettyDump(1000)), writeDump(t, dir, "b.hprof", jettyDump(4000))
	res := compared(t, a, b, "--graph", "--interval", "30s")
	i := slices.IndexFunc(res.Dominators, func(r compare.Retained) bool {
		return r.Class == "org.eclipse.jetty.util.thread.QueuedThreadPool"
	})
	if i < 0 {
		t.Fatalf("dominators %+v", res.Dominators)
	}
	// The pool holds all requests and nothing else that grows.
	if d := res.Dominators[i]; d.Change != res.Heap.Change || d.Change <= 0 || d.After-d.Before != d.Change {
		t.Errorf("%+v, the heap grew by %d", d, res.Heap.Change)
	}
	if same := compared(t, a, a, "--graph", "--interval", "30s"); len(same.Dominators)+len(same.RetainedClasses)+len(same.Classes) != 0 || same.Verdict != compare.Steady {
		t.Errorf("a dump and itself: %s, %+v", same.Sentence, same.Dominators)
	}
}
