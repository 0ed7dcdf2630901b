package pending

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/kneeline/analyze/pending/workers"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/stacks"
)

// chain adds nodes of a class that hold items and are linked by a field; the
// first is returned.
func (w *world) chain(node *heapdump.Class, item, next string, items []heapdump.ID) heapdump.ID {
	var first heapdump.ID
	for _, id := range slices.Backward(items) {
		values := map[string]any{next: first}
		if item != "" {
			values[item] = id
		}
		first = w.New(node, values)
	}
	return first
}

// The other queues of the table, each with three entries and what else its nodes
// hold in a living program.
func TestOtherQueues(t *testing.T) {
	for name, build := range map[string]func(*world, []heapdump.ID) heapdump.ID{
		"a node whose item is gone": func(w *world, items []heapdump.ID) heapdump.ID {
			node := w.Class("java.util.concurrent.ConcurrentLinkedQueue$Node", w.object, ref("item"), ref("next"))
			q := w.Class("java.util.concurrent.ConcurrentLinkedQueue", w.object, ref("head"), ref("tail"))
			return w.New(q, map[string]any{"head": w.New(node, map[string]any{"next": w.chain(node, "item", "next", items)})})
		},
		"a transfer that was matched": func(w *world, items []heapdump.ID) heapdump.ID {
			node := w.Class("java.util.concurrent.LinkedTransferQueue$Node", w.object, ref("item"), ref("next"))
			q := w.Class("java.util.concurrent.LinkedTransferQueue", w.object, ref("head"))
			matched := w.New(node, map[string]any{"next": w.chain(node, "item", "next", items)})
			w.Set(matched, "item", matched)
			return w.New(q, map[string]any{"head": matched})
		},
		"callers of a hand-over queue": func(w *world, items []heapdump.ID) heapdump.ID {
			node := w.Class("java.util.concurrent.SynchronousQueue$TransferStack$SNode", w.object, ref("item"), ref("next"))
			stack := w.Class("java.util.concurrent.SynchronousQueue$TransferStack", w.object, ref("head"))
			q := w.Class("java.util.concurrent.SynchronousQueue", w.object, ref("transferer"))
			return w.New(q, map[string]any{"transferer": w.New(stack, map[string]any{"head": w.chain(node, "item", "next", items)})})
		},
		"threads of a semaphore": func(w *world, items []heapdump.ID) heapdump.ID {
			node := w.Class("java.util.concurrent.locks.AbstractQueuedSynchronizer$Node", w.object, ref("waiter"), ref("next"), ref("prev"))
			sync := w.Class("java.util.concurrent.locks.AbstractQueuedSynchronizer", w.object, ref("head"))
			fair := w.Class("java.util.concurrent.Semaphore$NonfairSync", sync)
			q := w.Class("java.util.concurrent.Semaphore", w.object, ref("sync"))
			head := w.New(node, map[string]any{"next": w.chain(node, "waiter", "next", items)})
			return w.New(q, map[string]any{"sync": w.New(fair, map[string]any{"head": head})})
		},
		"threads of a semaphore before JDK 14": func(w *world, items []heapdump.ID) heapdump.ID {
			node := w.Class("java.util.concurrent.locks.AbstractQueuedSynchronizer$Node", w.object, ref("thread"), ref("next"))
			fair := w.Class("java.util.concurrent.Semaphore$FairSync", w.object, ref("head"))
			q := w.Class("java.util.concurrent.Semaphore", w.object, ref("sync"))
			head := w.New(node, map[string]any{"next": w.chain(node, "thread", "next", items)})
			return w.New(q, map[string]any{"sync": w.New(fair, map[string]any{"head": head})})
		},
		"writes that were not flushed": func(w *world, items []heapdump.ID) heapdump.ID {
			entry := w.Class("io.netty.channel.ChannelOutboundBuffer$Entry", w.object, ref("next"))
			q := w.Class("io.netty.channel.ChannelOutboundBuffer", w.object, ref("flushedEntry"), ref("unflushedEntry"))
			return w.New(q, map[string]any{"unflushedEntry": w.chain(entry, "", "next", items)})
		},
		"an array inside another queue": func(w *world, items []heapdump.ID) heapdump.ID {
			heap := w.Class("java.util.PriorityQueue", w.object, ref("queue"), num("size"))
			q := w.Class("java.util.concurrent.DelayQueue", w.object, ref("q"))
			return w.New(q, map[string]any{"q": w.New(heap, map[string]any{"queue": w.Array(w.objects, append(slices.Clone(items), 0, 0)...), "size": 3})})
		},
		"a base that has gone round": func(w *world, items []heapdump.ID) heapdump.ID {
			q := w.Class("java.util.concurrent.ForkJoinPool$WorkQueue", w.object, ref("array"), num("base"), num("top"))
			return w.New(q, map[string]any{"array": w.Array(w.objects, items[1], items[2], 0, 0, 0, 0, 0, items[0]), "base": 8*1000 + 7, "top": 8*1000 + 10})
		},
	} {
		w := newWorld()
		items := w.some(w.order, 3)
		f := w.read(build(w, items))
		if f.n != 3 || f.cut != "" || !f.unbounded && f.capacity == nil {
			t.Errorf("%s: %+v", name, f.entries)
			continue
		}
		if !strings.Contains(name, "writes") && !slices.Equal(f.ids, items) {
			t.Errorf("%s: out of order", name)
		}
	}
}

// A number alone: the callers of HikariCP.
func TestQueueThatIsANumber(t *testing.T) {
	w := newWorld()
	bag := w.Class("com.zaxxer.hikari.util.ConcurrentBag", w.object, ref("waiters"))
	base := w.Class("com.zaxxer.hikari.pool.PoolBase", w.object, ref("poolName"))
	pool := w.Class("com.zaxxer.hikari.pool.HikariPool", base, ref("connectionBag"))
	w.some(w.object, 1000)
	id := w.New(bag, map[string]any{"waiters": w.New(w.atomic, map[string]any{"value": 790})})
	w.New(pool, map[string]any{"connectionBag": id, "poolName": w.Text("orders")})
	r := Analyze(w.Heap(), Options{})
	if r.Verdict.Answer != PileUp || r.Queues[0].Entries != 790 || !strings.HasPrefix(r.Verdict.Sentence, `790 callers wait in the queue for a connection of HikariPool "orders"`) {
		t.Errorf("%s\n%+v", r.Verdict.Sentence, r.Queues)
	}
	if f, ok := rulesOf(r)["HEP-09"]; !ok || f.Remediation != "maximumPoolSize" {
		t.Errorf("%+v", r.Findings)
	}
	// A larger pool is not the first thing to do, and never a limit for the callers.
	if s := r.Queues[0].Setting; s == nil || s.Value != "" || s.Today != "" || !strings.Contains(s.Note, "bound the wait") || !strings.HasPrefix(r.Verdict.Change, "bound the wait") {
		t.Errorf("%+v, %q", s, r.Verdict.Change)
	}
	for _, n := range []int{-5, 1<<31 - 1} {
		w.Set(id, "waiters", w.New(w.atomic, map[string]any{"value": n}))
		if r := Analyze(w.Heap(), Options{}); r.Verdict.Answer == PileUp || len(r.Queues) != 0 {
			t.Errorf("%d callers: %+v", n, r.Queues)
		}
	}
}

// An array of queues makes the pool the owner of each.
func TestOwnerOfEach(t *testing.T) {
	w := newWorld()
	work := w.Class("java.util.concurrent.ForkJoinPool$WorkQueue", w.object, ref("array"), num("base"))
	pool := w.Class("java.util.concurrent.ForkJoinPool", w.object, ref("queues"))
	first := w.New(work, map[string]any{"array": w.Array(w.objects, w.some(w.order, 150)...)})
	w.New(pool, map[string]any{"queues": w.Array(w.objects, 0, first, 0)})
	r := Analyze(w.Heap(), Options{})
	if len(r.Queues) != 1 || r.Queues[0].Owner != "java.util.concurrent.ForkJoinPool" || r.Queues[0].Name != "work queue of ForkJoinPool" {
		t.Errorf("%+v", r.Queues)
	}
}

// The threads of the pool that drains a queue, and the capacity that follows from
// them and a service time.
func TestPoolOfAQueue(t *testing.T) {
	w := newWorld()
	queue := w.linked(5_000, 3_000, w.orders(3_000, 12, 1))
	pool := w.New(w.tpe, map[string]any{"workQueue": queue, "corePoolSize": 4, "maximumPoolSize": 4})
	thread := w.Class("java.lang.Thread", w.object, ref("target"))
	worker := w.Class("java.util.concurrent.ThreadPoolExecutor$Worker", w.object, ref("this$0"), ref("thread"))
	for _, name := range []string{"pool-1-thread-1", "pool-1-thread-2", "pool-1-thread-3", "pool-1-thread-4"} {
		id := w.New(thread, nil)
		w.New(worker, map[string]any{"this$0": pool, "thread": id})
		w.Thread(heapdump.Thread{ID: id, Name: name, Frames: []heapdump.Frame{
			{Class: "java.util.concurrent.CountDownLatch", Method: "await"}, {Class: "shop.Order", Method: "run", Line: 7},
			{Class: "java.util.concurrent.ThreadPoolExecutor", Method: "runWorker"}, {Class: "java.util.concurrent.ThreadPoolExecutor$Worker", Method: "run"},
			{Class: "java.lang.Thread", Method: "run"},
		}})
	}
	r := Analyze(w.Heap(), Options{ServiceTime: p(0.02), Timeout: p(2.0)})
	q := r.Queues[0]
	if q.Pool == nil {
		t.Fatalf("no pool among %+v", r.Workers)
	}
	if got := r.Workers[*q.Pool]; got.Total != 4 || *got.Busy != 4 || *got.Max != 4 {
		t.Errorf("%+v", got)
	}
	if *q.Throughput != 200 || q.ThroughputFrom != FromServiceTime || *q.WaitOfNew != 15 {
		t.Errorf("%v/s from %s, wait %v", *q.Throughput, q.ThroughputFrom, *q.WaitOfNew)
	}
	if *q.UsefulPositions > 400 || *q.UsefulPositions < 300 || !strings.HasPrefix(q.Setting.Value, "new LinkedBlockingQueue<>(") {
		t.Errorf("useful %d, set %+v", *q.UsefulPositions, q.Setting)
	}
	if !strings.Contains(strings.Join(r.Verdict.Why, " "), "all 4 threads") {
		t.Errorf("%q", r.Verdict.Why)
	}
	if len(r.Groups) == 0 || r.Groups[0].Count != 4 {
		t.Errorf("groups %+v", r.Groups)
	}

	// A thread dump beside it knows no objects; the names of the threads do.
	beside := workers.Input{}
	for i := range 4 {
		beside.Threads = append(beside.Threads, stacks.Thread{Name: fmt.Sprintf("pool-1-thread-%d", i+1), Java: true, Frames: []stacks.Frame{
			{Class: "java.net.SocketInputStream", Method: "read"}, {Class: "shop.Order", Method: "run"}, {Class: "java.lang.Thread", Method: "run"},
		}})
	}
	r = Analyze(w.Heap(), Options{Threads: &beside})
	if q := r.Queues[0]; q.Pool == nil || *r.Workers[*q.Pool].Busy != 4 {
		t.Errorf("with a thread dump: %+v, %+v", q.Pool, r.Workers)
	}
}

// A long chain is followed by an index of its nodes; a node of another class, or
// one that is out of order, is found all the same.
func TestLongChain(t *testing.T) {
	w := newWorld()
	items := w.some(w.order, 3*indexAfter)
	other := w.Class("app.Node", w.object, ref("item"), ref("next"))
	var next heapdump.ID
	for i, id := range slices.Backward(items) {
		class := w.lbqNode
		if i == 2*indexAfter {
			class = other
		}
		next = w.New(class, map[string]any{"item": id, "next": next})
	}
	f := w.read(w.New(w.lbq, map[string]any{"head": next, "capacity": 1 << 20}))
	if f.n != int64(len(items)) || f.cut != "" {
		t.Fatalf("%d of %d entries, cut %q", f.n, len(items), f.cut)
	}
	for i, id := range f.ids {
		if id != items[int64(i)*f.step] {
			t.Fatalf("entry %d is not in its place", i)
		}
	}
}
