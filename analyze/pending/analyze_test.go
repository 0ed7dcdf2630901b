package pending

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/internal/finding"
)

func p[T any](v T) *T { return &v }

// orders adds n orders that arrived from first to last seconds before the dump.
func (w *world) orders(n int, first, last float64) []heapdump.ID {
	out := make([]heapdump.ID, n)
	for i := range out {
		// Arrivals are not paced by a clock.
		step := (first - last) / float64(max(n-1, 1))
		age := first - step*(float64(i)+0.4*math.Sin(float64(i*i)))
		out[i] = w.New(w.order, map[string]any{"createdAt": dumped.UnixMilli() - int64(1000*age), "id": i})
	}
	return out
}

// rulesOf are the rules of the findings.
func rulesOf(r *Result) map[string]finding.Finding {
	out := map[string]finding.Finding{}
	for _, f := range r.Findings {
		out[f.Rule] = f
	}
	return out
}

func TestJettyPileUp(t *testing.T) {
	w := newWorld()
	queue := w.jetty(60_000, 30_000, 29_000, w.some(w.accept, 19_500))
	w.New(w.qtp, map[string]any{"_jobs": queue, "_name": w.Text("web"), "_maxThreads": 12, "_minThreads": 12})
	r := Analyze(w.Heap(), Options{Name: "a.hprof", Capacity: p(1200.0), Timeout: p(0.4)})
	if r.Verdict.Answer != PileUp || r.Verdict.Queue == nil || *r.Verdict.Queue != 0 {
		t.Fatalf("%+v", r.Verdict)
	}
	q := r.Queues[0]
	if q.Name != `job queue of QueuedThreadPool "web"` || q.OwnerName != "web" || q.OwnerField != "_jobs" ||
		q.Entries != 19_500 || *q.Capacity != 60_000 || *q.Fill != 0.325 || q.Unbounded || q.Role != RoleRequests || !q.Requests ||
		q.Kind != KindRing || q.Confidence != ConfidenceHigh || q.Server != "jetty" {
		t.Errorf("%+v", q)
	}
	if q.Payload[0].Means != "accepted, not yet registered" || q.Payload[0].Share != 1 {
		t.Errorf("%+v", q.Payload)
	}
	if q.UsefulPositions == nil || *q.UsefulPositions > 480 || *q.UsefulPositions < 380 || *q.Dead != 19_500-*q.UsefulPositions {
		t.Errorf("useful %v, dead %v", q.UsefulPositions, q.Dead)
	}
	if *q.WaitOfNew != 16.25 || q.ThroughputFrom != FromCapacity {
		t.Errorf("wait %v from %s", *q.WaitOfNew, q.ThroughputFrom)
	}
	if q.Setting == nil || !strings.HasPrefix(q.Setting.Value, "new BlockingArrayQueue<>(") || q.Setting.Snippet == "" || q.Setting.Today != "60,000" {
		t.Errorf("%+v", q.Setting)
	}
	for _, part := range []string{"19,500 requests wait", "QueuedThreadPool", "each", "together", "16.3s", "60,000 places", q.Setting.Value} {
		if !strings.Contains(r.Verdict.Sentence, part) {
			t.Errorf("no %q in %q", part, r.Verdict.Sentence)
		}
	}
	found := rulesOf(r)
	for _, id := range []string{"HEP-01", "HEP-02", "HEP-05"} {
		if _, ok := found[id]; !ok {
			t.Errorf("no %s among %v", id, found)
		}
	}
	if len(r.Limits) != 1 || r.Limits[0].Value != 12 || r.Limits[0].Name != "jetty.threadPool.maxThreads" {
		t.Errorf("limits %+v", r.Limits)
	}
	if !strings.Contains(strings.Join(r.CouldNotSay, " "), "still be reached was not checked") {
		t.Error("it does not say that reachability was not checked")
	}
	if q.Age != nil || !strings.Contains(strings.Join(r.CouldNotSay, " "), "How long the entries") {
		t.Error("it does not say that ages are not known")
	}
}

func TestExecutorPileUpWithAges(t *testing.T) {
	w := newWorld()
	queue := w.linked(math.MaxInt32, 20_000, w.orders(20_000, 40.4, 0.4))
	w.New(w.tpe, map[string]any{"workQueue": queue, "corePoolSize": 8, "maximumPoolSize": 200})
	r := Analyze(w.Heap(), Options{})
	if r.Verdict.Answer != PileUp {
		t.Fatalf("%+v\n%+v", r.Verdict, r.Queues)
	}
	q := r.Queues[0]
	if q.Entries != 20_000 || !q.Unbounded || q.Capacity != nil || q.Owner != "java.util.concurrent.ThreadPoolExecutor" || q.Role != RoleTasks {
		t.Errorf("%+v", q)
	}
	if q.Age == nil || math.Abs(q.Age.Head-40.4) > 0.1 || math.Abs(q.Age.Tail-0.4) > 0.1 || math.Abs(*q.ArrivalRate-500) > 5 {
		t.Fatalf("age %+v", q.Age)
	}
	if q.ThroughputFrom != FromAges || math.Abs(*q.WaitOfNew-40.4) > 0.1 || !strings.Contains(r.Verdict.Sentence, "at least") {
		t.Errorf("from %s, wait %v: %s", q.ThroughputFrom, *q.WaitOfNew, r.Verdict.Sentence)
	}
	found := rulesOf(r)
	for _, id := range []string{"HEP-01", "HEP-03", "HEP-08"} {
		if _, ok := found[id]; !ok {
			t.Errorf("no %s among %v", id, found)
		}
	}
	if q.Setting == nil || q.Setting.Value != "" || q.Setting.Today != "no limit" {
		t.Errorf("%+v", q.Setting)
	}
	r = Analyze(w.Heap(), Options{Timeout: p(5.0)})
	if _, ok := rulesOf(r)["HEP-02"]; !ok {
		t.Error("a head of 40 s with clients that wait 5 s is not found")
	}
}

// An own queue in a static field is named after it.
func TestStaticHolder(t *testing.T) {
	w := newWorld()
	queue := w.linked(math.MaxInt32, 300, w.some(w.accept, 300))
	stall := w.Class("app.Stall", w.object)
	stall.Statics = []heapdump.Static{{Name: "pending", Type: typeObject, Value: uint64(queue)}}
	r := Analyze(w.Heap(), Options{})
	q := r.Queues[0]
	if !q.OwnerStatic || q.Owner != "app.Stall" || q.OwnerField != "pending" || q.Name != "LinkedBlockingQueue of Stall.pending" || q.Role != RoleRequests {
		t.Errorf("%+v", q)
	}
	if r.Verdict.Answer != PileUp {
		t.Errorf("%+v", r.Verdict)
	}
}

func TestStaleCount(t *testing.T) {
	w := newWorld()
	w.linked(5_000, 5_000, w.some(w.accept, 400))
	r := Analyze(w.Heap(), Options{})
	f, ok := rulesOf(r)["HEP-07"]
	if !ok || !strings.Contains(f.Message, "5,000") || !strings.Contains(f.Message, "400") || r.Queues[0].Entries != 400 || *r.Queues[0].CountField != 5_000 {
		t.Errorf("%+v %+v", f, r.Queues)
	}
}

func TestManyShortQueuesTogether(t *testing.T) {
	w := newWorld()
	entry := w.Class("io.netty.channel.ChannelOutboundBuffer$Entry", w.object, ref("next"), ref("msg"))
	buffer := w.Class("io.netty.channel.ChannelOutboundBuffer", w.object, ref("flushedEntry"), ref("unflushedEntry"))
	for range 50 {
		var next heapdump.ID
		for range 10 {
			next = w.New(entry, map[string]any{"next": next})
		}
		w.New(buffer, map[string]any{"unflushedEntry": next})
	}
	r := Analyze(w.Heap(), Options{})
	if len(r.Queues) != 1 || r.Queues[0].Instances != 50 || r.Queues[0].Entries != 500 || r.Queues[0].Role != RoleResponses || r.Queues[0].Address != "" {
		t.Errorf("%+v", r.Queues)
	}
}

// What has the shape of a pile-up and is none.
func TestFalseVerdicts(t *testing.T) {
	controls := map[string]func(*world){
		"nothing": func(*world) {},
		"idle server": func(w *world) {
			w.New(w.qtp, map[string]any{"_jobs": w.jetty(60_000, 1024, 7, w.some(w.accept, 3)), "_maxThreads": 12})
		},
		"pool of free buffers in a blocking queue": func(w *world) {
			w.linked(5_000, 4_000, w.some(w.point, 4_000))
		},
		"full pool of connections": func(w *world) {
			w.New(w.abq, map[string]any{"items": w.Array(w.objects, w.some(w.point, 500)...), "count": 500})
		},
		"deque of points": func(w *world) {
			w.New(w.deque, map[string]any{"elements": w.Array(w.objects, append(w.some(w.point, 4_000), 0)...), "tail": 4_000})
		},
		"history with times": func(w *world) {
			rows := append(w.orders(5_000, 1000, 1), 0)
			queue := w.New(w.deque, map[string]any{"elements": w.Array(w.objects, rows...), "tail": 5_000})
			c := w.Class("shop.Audit", w.object)
			c.Statics = []heapdump.Static{{Name: "history", Type: typeObject, Value: uint64(queue)}}
		},
		"a burst that came just now": func(w *world) {
			queue := w.linked(math.MaxInt32, 2_000, w.orders(2_000, 0.3, 0.001))
			w.New(w.tpe, map[string]any{"workQueue": queue, "corePoolSize": 8, "maximumPoolSize": 8})
		},
		"many equal objects in an array": func(w *world) {
			w.Array(w.objects, w.some(w.point, 100_000)...)
		},
		"many small lists": func(w *world) {
			for range 1000 {
				w.linked(100, 2, w.some(w.accept, 2))
			}
		},
	}
	for name, build := range controls {
		for _, o := range []Options{{}, {Capacity: p(100.0), Timeout: p(1.0)}} {
			w := newWorld()
			build(w)
			r := Analyze(w.Heap(), o)
			if r.Verdict.Answer == PileUp || r.Verdict.Sentence == "" {
				t.Errorf("%s: %+v", name, r.Verdict)
			}
			if finding.MaxSeverity(r.Findings) > finding.Note {
				t.Errorf("%s: %+v", name, r.Findings)
			}
			for _, q := range r.Queues {
				if q.Requests && q.Role == RoleTasks {
					t.Errorf("%s: %+v are called requests", name, q)
				}
			}
		}
	}
}

func TestUserPattern(t *testing.T) {
	own, err := pattern.Parse("own.yaml", []byte(`
queues: [{name: intake, class: shop.Intake, kind: ring, array: slots, head: first, count: used, capacity: slots.length, role: requests, source: ours}]
items: [{class: shop.Order, means: order not yet taken, request: true, source: ours}]
`))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld()
	intake := w.Class("shop.Intake", w.object, ref("slots"), num("first"), num("used"))
	w.New(intake, map[string]any{"slots": w.Array(w.objects, append(w.orders(200, 9, 2), make([]heapdump.ID, 100)...)...), "used": 200})
	r := Analyze(w.Heap(), Options{Table: pattern.Builtin().With(own)})
	if r.Verdict.Answer != PileUp || r.Queues[0].Pattern != "intake" || *r.Queues[0].Capacity != 300 || r.Queues[0].Payload[0].Means != "order not yet taken" {
		t.Errorf("%+v\n%+v", r.Verdict, r.Queues)
	}
}

// Absent is not zero, and nothing is null that a reader goes through.
func TestJSON(t *testing.T) {
	data, err := json.Marshal(Analyze(newWorld().Heap(), Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"schema", "complete", "verdict", "settings", "inputs", "heap", "queues", "clusters", "workers", "groups", "limits",
		"histogram", "arrays", "collection_fill", "findings", "could_not_say", "warnings"} {
		if back[key] == nil {
			t.Errorf("%s is %v", key, back[key])
		}
	}
	if strings.Contains(string(data), "capacity_per_second") {
		t.Error("a capacity that was not given is in the result")
	}
}

func TestKeeper(t *testing.T) {
	w := newWorld()
	w.Class("java.util.HashMap$Node", w.object, ref("next"))
	w.Class("org.eclipse.jetty.server.Request", w.object, ref("_input"), long("_timeStamp"), ref("_uri"))
	h := w.Heap()
	keep := Keeper(pattern.Builtin())
	for name, want := range map[string]heapdump.KeepMode{
		"java.util.concurrent.LinkedBlockingQueue":       heapdump.KeepFields,
		"java.util.concurrent.LinkedBlockingQueue$Node":  heapdump.KeepWhole,
		"org.eclipse.jetty.util.thread.QueuedThreadPool": heapdump.KeepWhole,
		"org.eclipse.jetty.io.ManagedSelector$Accept":    heapdump.KeepWhole,
		"java.util.concurrent.atomic.AtomicInteger":      heapdump.KeepWhole,
		"java.util.HashMap$Node":                         heapdump.KeepNothing,
		"shop.Order":                                     heapdump.KeepAuto,
		"org.eclipse.jetty.server.Request":               heapdump.KeepFields,
		"org.jctools.queues.MpscUnboundedArrayQueue":     heapdump.KeepFields,
	} {
		if got := keep(h, h.ClassNamed(name)[0]); got.Mode != want {
			t.Errorf("%s: mode %d, want %d", name, got.Mode, want)
		}
	}
}

// What a user's table says of a queue holds, whatever its entries are.
func TestUserSaysRequests(t *testing.T) {
	own, err := pattern.Parse("own.yaml", []byte("queues: [{name: intake, class: shop.Intake, kind: array, array: slots, unbounded: true, role: requests, source: ours}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld()
	w.New(w.Class("shop.Intake", w.object, ref("slots")), map[string]any{"slots": w.Array(w.objects, w.some(w.point, 200)...)})
	r := Analyze(w.Heap(), Options{Table: pattern.Builtin().With(own)})
	if r.Verdict.Answer != PileUp || r.Queues[0].Role != RoleRequests || !r.Queues[0].Requests {
		t.Errorf("%+v\n%+v", r.Verdict, r.Queues)
	}
}

func TestSeveralLoops(t *testing.T) {
	w := newWorld()
	loop := w.Class("io.netty.util.concurrent.SingleThreadEventExecutor", w.object, ref("taskQueue"))
	for _, n := range []int{300, 500, 400} {
		w.New(loop, map[string]any{"taskQueue": w.linked(1<<31-1, n, w.orders(n, 9, 2))})
	}
	r := Analyze(w.Heap(), Options{})
	if r.Verdict.Answer != PileUp || r.Queues[0].Entries != 500 || !strings.Contains(strings.Join(r.Verdict.Why, "\n"), "2 more queues like it hold 700 entries") {
		t.Errorf("%+v", r.Verdict)
	}
}

// A large response is written in pieces; that is no pile-up.
func TestPiecesOfAResponse(t *testing.T) {
	for _, n := range []int{200, 5_000} {
		w := newWorld()
		entry := w.Class("io.netty.channel.ChannelOutboundBuffer$Entry", w.object, ref("next"), ref("msg"))
		buffer := w.Class("io.netty.channel.ChannelOutboundBuffer", w.object, ref("flushedEntry"), ref("unflushedEntry"))
		w.New(buffer, map[string]any{"flushedEntry": w.chain(entry, "msg", "next", w.some(w.point, n))})
		r := Analyze(w.Heap(), Options{})
		if got := r.Verdict.Answer == PileUp; got != (n == 5_000) {
			t.Errorf("%d pieces: %+v", n, r.Verdict)
		}
	}
}
