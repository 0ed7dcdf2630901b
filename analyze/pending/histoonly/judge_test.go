package histoonly

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/classhisto"
	"example.com/kneeline/heapdump/stacks"
	"example.com/kneeline/queuecalc"
)

// histogram is the text of one, from rows of "count bytes class".
func histogram(rows ...string) string {
	var b strings.Builder
	b.WriteString(" num     #instances         #bytes  class name (module)\n-------------------------------------------------------\n")
	n, size := int64(0), int64(0)
	for i, r := range rows {
		var count, bytes int64
		var class string
		if _, err := fmt.Sscan(r, &count, &bytes, &class); err != nil {
			panic(err)
		}
		n, size = n+count, size+bytes
		fmt.Fprintf(&b, "%4d: %13d %14d  %s\n", i+1, count, bytes, class)
	}
	fmt.Fprintf(&b, "Total %13d %14d\n", n, size)
	return b.String()
}

// dump is the text of one, of n threads of a name with equal stacks of calls.
func dump(pools ...string) string {
	var b strings.Builder
	b.WriteString("2026-11-29 17:43:58\nFull thread dump OpenJDK 64-Bit Server VM (17 mixed mode):\n\n")
	id := 10
	for _, p := range pools {
		words := strings.Fields(p)
		var n int
		_, _ = fmt.Sscan(words[0], &n)
		for i := range n {
			id++
			fmt.Fprintf(&b, "\"%s-%d\" #%d prio=5 os_prio=0 tid=0x1 nid=0x%x waiting on condition  [0x2]\n   java.lang.Thread.State: WAITING (parking)\n", words[1], i+1, id, id)
			for _, call := range words[2:] {
				fmt.Fprintf(&b, "\tat %s(X.java:1)\n", call)
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("JNI global refs: 12, weak refs: 0\n")
	return b.String()
}

const (
	park     = " jdk.internal.misc.Unsafe.park java.util.concurrent.locks.LockSupport.park"
	executor = " java.util.concurrent.ThreadPoolExecutor.runWorker java.util.concurrent.ThreadPoolExecutor$Worker.run java.lang.Thread.run"
	jetty    = " org.eclipse.jetty.util.thread.QueuedThreadPool.runJob org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run"
	latch    = park + " java.util.concurrent.CountDownLatch.await"
)

// in makes an input of histograms and thread dumps as texts.
func in(t testing.TB, histograms []string, dumps ...string) Input {
	t.Helper()
	var out Input
	for i, text := range histograms {
		f, err := classhisto.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		out.Histograms = append(out.Histograms, Histograms{fmt.Sprintf("histo%d.txt", i+1), f})
	}
	for i, text := range dumps {
		f, err := stacks.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		out.Threads = append(out.Threads, Threads{fmt.Sprintf("threads%d.txt", i+1), f})
	}
	return out
}

func ptr[T any](v T) *T { return &v }

var jettyRows = []string{
	"19500 2184000 sun.nio.ch.SocketChannelImpl", "19500 936000 sun.nio.ch.SelectionKeyImpl", "19500 936000 sun.nio.ch.SocketAdaptor",
	"19501 624032 sun.nio.ch.DummySocketImpl", "17467 558944 org.eclipse.jetty.io.ManagedSelector$Accept", "300 90000 [B",
}

func TestAcceptedConnectionsWait(t *testing.T) {
	res := Judge(in(t, []string{histogram(jettyRows...)}, dump("10 qtp1"+latch+" example.Shop.handle"+jetty)), pending.Options{Capacity: ptr(40.0), Timeout: ptr(30.0)})
	if res.Verdict.Answer != pending.PileUp || len(res.Queues) != 1 || *res.Verdict.Queue != 0 {
		t.Fatalf("got %+v", res.Verdict)
	}
	q := res.Queues[0]
	u, err := queuecalc.Useful(queuecalc.UsefulInput{Capacity: queuecalc.Interval{Estimate: 40}, ClientTimeout: 30 * time.Second, Workers: 10})
	if err != nil {
		t.Fatal(err)
	}
	useful := int64(u.Positions)
	if q.Entries != 17467 || q.Name != "job queue of QueuedThreadPool" || q.Confidence != pending.ConfidenceHigh || *q.Pool != 0 || *q.UsefulPositions != useful || *q.Dead != 17467-useful {
		t.Errorf("got %+v", q)
	}
	if math.Abs(*q.WaitOfNew-436.675) > 0.001 {
		t.Errorf("a new one waits %v s", *q.WaitOfNew)
	}
	if !strings.HasSuffix(res.Verdict.Sentence, ": set the "+q.Setting.Name+" to "+q.Setting.Value) || res.Verdict.Change != q.Setting.Name+" = "+q.Setting.Value || q.Setting.Value == "" {
		t.Errorf("got %q, %q", res.Verdict.Sentence, res.Verdict.Change)
	}
	if threads := `<Arg type="int">10</Arg> <!-- maxThreads -->`; !strings.Contains(q.Setting.Snippet, threads) {
		t.Errorf("no %s in %s", threads, q.Setting.Snippet)
	}
	// 32 of its own, 112 + 48 + 48 + 32 of the connection.
	if math.Abs(*q.BytesEach-272) > 1 {
		t.Errorf("got %v bytes each", *q.BytesEach)
	}
	if want := "17,467 requests wait in the job queue of QueuedThreadPool"; !strings.HasPrefix(res.Verdict.Sentence, want) {
		t.Errorf("got %q", res.Verdict.Sentence)
	}
	if len(res.Findings) != 1 || res.Findings[0].Rule != "HEP-01" || len(res.Findings[0].Evidence) != 4 || res.Findings[0].Remediation == "" || len(res.Workers) != 1 || *res.Workers[0].Busy != 10 {
		t.Errorf("got %+v and %+v", res.Findings, res.Workers)
	}
	if said := strings.Join(res.CouldNotSay, "\n"); !strings.Contains(said, "Capacity, order and age") || !strings.Contains(said, "GC.heap_dump") {
		t.Errorf("got %s", said)
	}
}

// The workers in the thread dump and the service time are a capacity too.
func TestServiceTime(t *testing.T) {
	res := Judge(in(t, []string{histogram(jettyRows...)}, dump("10 qtp1"+latch+" example.Shop.handle"+jetty)), pending.Options{ServiceTime: ptr(0.25)})
	q := res.Queues[0]
	if *q.Throughput != 40 || q.ThroughputFrom != pending.FromServiceTime || q.UsefulPositions != nil {
		t.Errorf("got %+v", q)
	}
}

func TestTasksOfBusyWorkers(t *testing.T) {
	rows := []string{"20008 640256 example.Order", "20001 480024 java.util.concurrent.LinkedBlockingQueue$Node", "500 40000 [B"}
	busy := dump("8 pool-1-thread" + latch + " example.Order.run" + executor)
	res := Judge(in(t, []string{histogram(rows...)}, busy), pending.Options{})
	if q := res.Queues; res.Verdict.Answer != pending.PileUp || q[0].Entries != 20000 || q[0].Confidence != pending.ConfidenceHigh || q[0].Class != "example.Order" {
		t.Errorf("got %+v, %+v", res.Verdict, res.Queues)
	}
	// With one idle worker the tasks do not wait for a worker.
	idle := strings.Replace(busy, "JNI", strings.TrimPrefix(dump("1 pool-1-thread"+park+" java.util.concurrent.ThreadPoolExecutor.getTask"+executor), "2026-11-29 17:43:58\nFull thread dump OpenJDK 64-Bit Server VM (17 mixed mode):\n\n")+"JNI", 1)
	if res := Judge(in(t, []string{histogram(rows...)}, idle), pending.Options{}); res.Verdict.Answer == pending.PileUp {
		t.Errorf("got %+v", res.Verdict)
	}
	// Objects with methods on the stack that are no tasks.
	method := strings.ReplaceAll(busy, "example.Order.run", "example.Order.total")
	if res := Judge(in(t, []string{histogram(rows...)}, method), pending.Options{}); res.Verdict.Answer == pending.PileUp {
		t.Errorf("got %+v", res.Verdict)
	}
	// The histogram alone cannot tell.
	if res := Judge(in(t, []string{histogram(rows...)}), pending.Options{}); res.Verdict.Answer != pending.Unknown || !strings.Contains(res.Verdict.Sentence, "jstack") {
		t.Errorf("got %+v", res.Verdict)
	}
}

func TestCallersThatWait(t *testing.T) {
	rows := []string{"900 300000 java.lang.Thread", "400 40000 [B"}
	pool := " com.zaxxer.hikari.util.ConcurrentBag.borrow com.zaxxer.hikari.pool.HikariPool.getConnection example.Shop.pay"
	res := Judge(in(t, []string{histogram(rows...)}, dump("790 http"+park+pool, "10 work"+latch+" example.Shop.pay")), pending.Options{})
	q := res.Queues
	if res.Verdict.Answer != pending.PileUp || len(q) != 1 || q[0].Entries != 790 || q[0].Role != pending.RoleWaiters || !strings.Contains(res.Verdict.Sentence, "a connection of HikariCP") {
		t.Errorf("got %+v", res.Verdict)
	}
	if len(res.Findings) != 1 || res.Findings[0].Rule != "HEP-09" {
		t.Errorf("got %+v", res.Findings)
	}
}

// What a server keeps for open connections or for use again is no pile-up.
func TestNoFalseVerdict(t *testing.T) {
	idle := dump("10 qtp1" + park + " org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll" + jetty)
	for _, c := range []struct {
		name   string
		rows   []string
		dumps  []string
		answer string
	}{
		{"idle connections and idle workers", []string{"2000 320000 org.eclipse.jetty.server.Request", "2000 208000 org.eclipse.jetty.server.HttpConnection", "2000 224000 sun.nio.ch.SocketChannelImpl", "9000 1700000 example.Page"}, []string{idle}, pending.FullOfElse},
		{"idle connections alone", []string{"2000 320000 org.eclipse.jetty.server.Request", "2000 208000 org.eclipse.jetty.server.HttpConnection", "90000 170000 [B"}, nil, pending.Unknown},
		{"processors that Tomcat keeps", []string{"500 12000 org.apache.tomcat.util.net.NioEndpoint$SocketProcessor", "9 9000000 [B"}, []string{idle}, pending.FullOfElse},
		{"a cache", []string{"200000 4800000 example.Entry", "200000 6400000 java.util.HashMap$Node", "9000 90000 [B"}, []string{idle}, pending.FullOfElse},
		{"nothing", []string{"100 2400 a.A", "100 2300 a.B", "100 2200 a.C", "100 2100 a.D", "100 2000 a.E", "90 2000 a.F", "80 1900 a.G"}, []string{idle}, pending.Nothing},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := Judge(in(t, []string{histogram(c.rows...)}, c.dumps...), pending.Options{})
			if res.Verdict.Answer != c.answer || len(res.Queues) != 0 || res.Verdict.Sentence == "" {
				t.Errorf("got %+v", res.Verdict)
			}
		})
	}
}

// What came between two histograms gives rate and bytes each.
func TestGrowth(t *testing.T) {
	rows := func(n int64) string {
		return histogram(fmt.Sprintf("%d %d org.eclipse.jetty.server.AsyncContextState", n, 24*n), fmt.Sprintf("%d %d [C", 2*n, 17576*n), "700 70000 example.Page")
	}
	before, after := rows(1000), rows(4000)
	for _, c := range []struct {
		name  string
		in    Input
		rate  float64
		timed bool
	}{
		{"dates in the file", in(t, []string{"2026-11-29T17:43:58Z\n" + before + "2026-11-29T17:44:08Z\n" + after}), 300, true},
		{"two files, the later first", in(t, []string{"2026-11-29T17:44:08Z\n" + after, "2026-11-29T17:43:58Z\n" + before}), 300, true},
		{"an interval that is given", Input{Histograms: in(t, []string{before, after}).Histograms, Interval: 5 * time.Second}, 600, true},
		{"no time", in(t, []string{before, after}), 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := Judge(c.in, pending.Options{}).Queues[0]
			if q.Entries != 4000 || (q.ArrivalRate != nil) != c.timed || c.timed && math.Abs(*q.ArrivalRate-c.rate) > 1e-9 {
				t.Errorf("got %+v", q)
			}
			if math.Abs(*q.BytesEach-17600) > 1e-9 {
				t.Errorf("got %v bytes each", *q.BytesEach)
			}
		})
	}
}

func TestLossesAreTold(t *testing.T) {
	cut := strings.Join(strings.Split(histogram(jettyRows...), "\n")[:5], "\n")
	short := dump("10 qtp1" + latch + " example.Shop.handle" + jetty)
	short = short[:strings.Index(short, "JNI")]
	res := Judge(in(t, []string{cut}, short), pending.Options{})
	if res.Inputs[0].Complete || res.Inputs[1].Complete || len(res.Warnings) == 0 {
		t.Errorf("got %+v, %v", res.Inputs, res.Warnings)
	}
	wrong := strings.Replace(histogram(jettyRows...), "   2:", "   2;", 1)
	res = Judge(in(t, []string{wrong}), pending.Options{})
	if len(res.Inputs[0].Losses) != 3 || !strings.Contains(res.Inputs[0].Losses[2].What, "the first is 4") {
		t.Errorf("got %+v", res.Inputs[0].Losses)
	}
}

func TestThreadsAlone(t *testing.T) {
	res := Judge(in(t, nil, dump("10 qtp1"+latch+" example.Shop.handle"+jetty)), pending.Options{})
	if res.Verdict.Answer != pending.Unknown || len(res.Verdict.Why) != 1 || res.Heap != nil || len(res.Groups) != 1 {
		t.Errorf("got %+v", res)
	}
	if res := Judge(Input{}, pending.Options{}); res.Verdict.Answer != pending.Unknown {
		t.Errorf("got %+v", res.Verdict)
	}
}

// Whatever the counts, nothing is claimed that they cannot hold, and the order of
// rows makes no difference.
func TestCountsBoundWhatIsSaid(t *testing.T) {
	classes := []string{"org.eclipse.jetty.io.ManagedSelector$Accept", "org.apache.tomcat.util.net.NioEndpoint$SocketProcessor", "example.Order", "[B", "java.util.concurrent.CompletableFuture$UniApply",
		"java.util.concurrent.LinkedBlockingQueue$Node", "sun.nio.ch.SocketChannelImpl"}
	rapid.Check(t, func(t *rapid.T) {
		counts := map[string]int64{}
		var rows []string
		for _, c := range rapid.Permutation(classes).Draw(t, "order") {
			n := rapid.Int64Range(0, 50_000).Draw(t, "n")
			counts[classhisto.JavaName(c)] = n
			rows = append(rows, fmt.Sprintf("%d %d %s", n, n*rapid.Int64Range(16, 4096).Draw(t, "size"), c))
		}
		busy := rapid.IntRange(1, 20).Draw(t, "busy")
		h, _ := classhisto.Read(strings.NewReader(histogram(rows...)))
		d, _ := stacks.Read(strings.NewReader(dump(fmt.Sprint(busy) + " w" + latch + " example.Order.run" + executor)))
		res := Judge(Input{Histograms: []Histograms{{"h", h}}, Threads: []Threads{{"t", d}}}, pending.Options{})
		for _, q := range res.Queues {
			if q.Entries < res.Settings.MinEntries || q.Entries > counts[q.Class] || q.Name == "" || q.BytesEach == nil || *q.BytesEach <= 0 {
				t.Fatalf("of %d claims %+v", counts[q.Class], q)
			}
		}
		if (res.Verdict.Answer == pending.PileUp) != (len(res.Queues) > 0) || len(res.Queues) != len(res.Findings) {
			t.Fatalf("%d queues and %+v", len(res.Queues), res.Verdict)
		}
		order := counts["example.Order"]
		tasks := order-int64(busy) >= pending.DefaultMinEntries && order >= moreThanInHand*int64(busy)
		found := false
		for _, q := range res.Queues {
			found = found || q.Class == "example.Order"
		}
		if tasks != found {
			t.Fatalf("%d orders, %d busy: found %v", order, busy, found)
		}
	})
}

func TestWaitingRows(t *testing.T) {
	for _, r := range waitingRows {
		if r.class == "" || r.means == "" || r.queue == "" || r.role == "" || r.source == "" || rank(r.role) < 0 {
			t.Errorf("got %+v", r)
		}
	}
	for _, id := range []string{"HEP-01", "HEP-09", "HEP-10"} {
		if ruleOf(id).ID != id {
			t.Errorf("no rule %s", id)
		}
	}
}
