package cmd

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/report"
)

func ptr[T any](v T) *T { return &v }

// pileUp is a result with everything that a dump of a Jetty may tell.
func pileUp() *pending.Result {
	const selector, request = "org.eclipse.jetty.io.ManagedSelector$Accept", "org.eclipse.jetty.server.Request"
	taken := time.Date(2026, 11, 29, 17, 43, 58, 0, time.UTC)
	latch := pending.Group{Count: 12, Share: ptr(0.6), State: "waiting", Place: "app.Feed.load", WaitsFor: "a latch",
		Stack: []string{"java.util.concurrent.CountDownLatch.await", "app.Feed.load", "app.Feed.handle", "org.eclipse.jetty.server.Server.handle",
			"org.eclipse.jetty.server.HttpChannel.handle", "org.eclipse.jetty.io.FillInterest.fillable", "org.eclipse.jetty.util.thread.QueuedThreadPool.runJob"},
		Locals: []pending.LocalRow{{Class: request, Count: 12}, {Class: "byte[]", Count: 24}}}
	return &pending.Result{
		Schema: pending.Schema, Complete: true,
		Verdict: pending.Verdict{Answer: pending.PileUp,
			Sentence: "19,500 requests wait in the queue of QueuedThreadPool qtp1 (capacity 60,000), the first since 1m14s; 17.3KiB each, 329MiB together (79.5% of the heap); set its capacity to 402",
			Why:      []string{"the entries are org.eclipse.jetty.io.ManagedSelector$Accept, one for each connection", "12 of 12 workers are busy"},
			Change:   "new QueuedThreadPool(12, 12, 60000, new BlockingArrayQueue<>(402, 402))", Queue: ptr(0), Rules: []string{"HEP-01"}},
		Settings: pending.Settings{Capacity: ptr(1200.0), Timeout: ptr(0.4), MinEntries: 100},
		Inputs: []pending.Input{
			{Name: "dump.hprof", Format: "hprof", Version: "JAVA PROFILE 1.0.2", Complete: true, Read: ptr(int64(433 << 20)), Total: ptr(int64(433 << 20)), Share: ptr(1.0), Taken: &taken,
				Losses: []pending.Loss{{What: "objects of a class that the dump does not describe", Count: ptr(int64(253))}}},
			{Name: "threads.txt", Format: "thread dump", Version: "OpenJDK 17.0.15", Complete: true, Losses: []pending.Loss{}},
		},
		Heap: &pending.HeapSummary{Objects: 5_100_000, Classes: 2_300, Bytes: 413 << 20, MATBytes: ptr(int64(441 << 20)), IDBytes: ptr(8), HeaderBytes: ptr(12), ArrayHeader: ptr(16),
			ReferenceBytes: ptr(4), Alignment: ptr(8), Learned: ptr(true), Roots: map[string]int64{"thread object": 30}, Threads: ptr(int64(30))},
		Queues: []pending.Queue{
			{Name: "queue of QueuedThreadPool qtp1", Server: "jetty", Pattern: "jetty-qtp-jobs", Owner: "org.eclipse.jetty.util.thread.QueuedThreadPool", OwnerField: "_jobs", OwnerName: "qtp1",
				Class: "org.eclipse.jetty.util.BlockingArrayQueue", Address: "0x7f1000", Kind: pending.KindRing, Role: pending.RoleRequests, Entries: 19_500, CountField: ptr(int64(19_498)), Instances: 1,
				Capacity: ptr(int64(60_000)), Fill: ptr(0.325), Payload: []pending.PayloadShare{{Class: selector, Count: 19_488, Share: 0.9994, Means: "accepted, not registered"}, {Class: "app.Job", Count: 12, Share: 0.0006}},
				BytesEach: ptr(17_700.0), Bytes: ptr(int64(345_000_000)), Counted: "classes in equal numbers", HeapShare: ptr(0.795), AtCapacity: ptr(int64(1_062_000_000)),
				UsefulPositions: ptr(int64(402)), Dead: ptr(int64(19_098)), Age: &pending.Age{Head: 74.2, Median: 42, Tail: 11.6, Oldest: 74.2, Source: "org.eclipse.jetty.io.SocketChannelEndPoint#_created", Clock: pending.ClockEpoch, Known: 1, Monotone: ptr(0.99)},
				ArrivalRate: ptr(312.0), Throughput: ptr(1200.0), ThroughputFrom: pending.FromCapacity, DrainedNow: ptr(263.1), WaitOfNew: ptr(16.25),
				Setting: &pending.Setting{Name: "maxCapacity of the BlockingArrayQueue of QueuedThreadPool", Value: "402", Today: "60,000", Note: "1,200/s × 400ms = 480 in the system, less what runs and a margin",
					Snippet: "new QueuedThreadPool(12, 12, 60000, new BlockingArrayQueue<>(402, 402))"},
				Pool: ptr(0), Cluster: ptr(0), Confidence: pending.ConfidenceHigh, Requests: true},
			{Name: "LinkedBlockingQueue of app.Fanout", Owner: "app.Fanout", OwnerField: "work", Class: "java.util.concurrent.LinkedBlockingQueue", Kind: pending.KindLinked, Role: pending.RoleTasks,
				Entries: 120, Instances: 1, Unbounded: true, Payload: []pending.PayloadShare{{Class: "app.Fanout$Task", Count: 120, Share: 1}}, Confidence: pending.ConfidenceMedium},
		},
		Clusters: []pending.Cluster{{Name: request, Count: 19_500, BytesEach: 17_700, Bytes: 345_150_000, HeapShare: ptr(0.795), Request: true, Confidence: pending.ConfidenceHigh,
			Classes: []pending.ClusterClass{{Class: "byte[]", Count: 58_500, Bytes: 240_000_000, Each: 3}, {Class: request, Count: 19_500, Bytes: 5_000_000, Each: 1}}}},
		Workers: []pending.Pool{{Name: "qtp1", Class: "org.eclipse.jetty.util.thread.QueuedThreadPool", Total: 12, Max: ptr(int64(12)), Busy: ptr(int64(12)), Idle: ptr(int64(0)), Groups: []pending.Group{latch}}},
		Groups:  []pending.Group{latch, {Count: 8, Share: ptr(0.4), State: "running", Place: "sun.nio.ch.EPoll.wait", WaitsFor: "network"}},
		Limits:  []pending.Limit{{Object: "org.eclipse.jetty.util.thread.QueuedThreadPool", Field: "_maxThreads", Name: "maxThreads", Value: 12, Unit: "threads"}, {Object: "app.Fanout", Field: "work", Value: 2147483647, Unbounded: true}},
		Histogram: []pending.ClassRow{{Class: "byte[]", Count: 80_000, Bytes: 250_000_000, MATBytes: ptr(int64(260_000_000)), HeapShare: ptr(0.577)},
			{Class: request, Count: 19_500, Bytes: 5_000_000, MATBytes: ptr(int64(5_400_000)), HeapShare: ptr(0.0115)}},
		Arrays:         []pending.ArrayRow{{Class: "java.lang.Object[]", Address: "0x7f2000", Length: 60_000, Bytes: 240_016, NonNil: ptr(int64(19_500)), Owner: "org.eclipse.jetty.util.BlockingArrayQueue._elements"}},
		Strings:        &pending.StringRow{Count: 240_000, Bytes: 12_000_000, Duplicates: 200_000, Wasted: 9_000_000, Sampled: true, Top: []pending.StringValue{{Length: 24, Count: 19_500, Wasted: 700_000}}},
		CollectionFill: []pending.FillRow{{Class: "java.lang.Object[]", Count: 40_000, Slots: 400_000, Used: 60_000, Fill: 0.15, Wasted: 1_360_000}},
		Gates:          []pending.Gate{{Name: "max-pending", Limit: 400, Value: ptr(19_500.0), Unit: "requests"}},
		Findings: []finding.Finding{{Rule: "HEP-01", Severity: finding.Error, Message: "the queue holds 19,500 requests of which 402 can be answered in time",
			Location: finding.Location{Object: "queue of QueuedThreadPool qtp1"}, Remediation: "set the capacity of the queue to 402", Fingerprint: "0123456789abcdef"}},
		CouldNotSay: []string{"which objects are garbage: reachability was not checked"},
		Warnings:    []string{"values were not shown; --show-values shows them"},
	}
}

// TestHeapReportGolden guards the layout of the report, in every shape in which
// people and programs read it.
func TestHeapReportGolden(t *testing.T) {
	res := pileUp()
	var text, page, doc bytes.Buffer
	if err := report.Text(&text, heapView{top: 10}.report(res), report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := report.Markdown(&page, heapView{page: true, top: 10}.report(res)); err != nil {
		t.Fatal(err)
	}
	if err := writeJSON(&doc, res); err != nil {
		t.Fatal(err)
	}
	golden(t, "heap.txt", text.Bytes())
	golden(t, "heap.md", page.Bytes())
	golden(t, "heap.json", doc.Bytes())
	validate(t, doc.String())
	for i, line := range strings.Split(text.String(), "\n") {
		if i > 0 && len([]rune(line)) > 80 {
			t.Errorf("line %d is longer than 80 characters: %q", i+1, line)
		}
	}
}

// What a result does not have takes no room in the report, and fits the schema.
func TestHeapReportOfNothing(t *testing.T) {
	res := &pending.Result{Schema: pending.Schema, Complete: true, Verdict: pending.Verdict{Answer: pending.Nothing, Sentence: "nothing piles up", Why: []string{}},
		Inputs: []pending.Input{}, Queues: []pending.Queue{}, Clusters: []pending.Cluster{}, Workers: []pending.Pool{}, Groups: []pending.Group{}, Limits: []pending.Limit{},
		Histogram: []pending.ClassRow{}, Arrays: []pending.ArrayRow{}, CollectionFill: []pending.FillRow{}, Findings: []finding.Finding{}, CouldNotSay: []string{}, Warnings: []string{}}
	doc, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	validate(t, string(doc))
	var text bytes.Buffer
	if err := report.Text(&text, heapView{top: 10}.report(res), report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if want := "nothing piles up\n\nHeap\n"; text.String() != want {
		t.Errorf("%q, want %q", text.String(), want)
	}
}

// Every input that ends early is said at the top, with how much of it there was.
func TestHeapReportOfACutDump(t *testing.T) {
	res := pileUp()
	res.Inputs[0].Complete, res.Inputs[0].Read, res.Inputs[0].Share = false, ptr(int64(100<<20)), ptr(0.231)
	var text bytes.Buffer
	if err := report.Text(&text, heapView{top: 10}.report(res), report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if want := "INCOMPLETE: dump.hprof ends too early: 100MiB of it were there, 23.1%"; !strings.Contains(text.String(), want) {
		t.Errorf("the report does not say %q:\n%.500s", want, text.String())
	}
}
