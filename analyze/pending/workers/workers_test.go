package workers

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/stacks"
)

// park is how a stack begins that waits in java.util.concurrent.
const park = "jdk.internal.misc.Unsafe.park java.util.concurrent.locks.LockSupport.park "

// The stacks of workers, the innermost call first.
const (
	executorIdle = park + "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await java.util.concurrent.LinkedBlockingQueue.take " +
		"java.util.concurrent.ThreadPoolExecutor.getTask " + executorGround
	executorGround = "java.util.concurrent.ThreadPoolExecutor.runWorker java.util.concurrent.ThreadPoolExecutor$Worker.run java.lang.Thread.run"
	latch          = park + "java.util.concurrent.CountDownLatch.await "
	jettyGround    = "org.eclipse.jetty.util.thread.QueuedThreadPool.runJob org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run java.lang.Thread.run"
	selecting      = "sun.nio.ch.EPoll.wait sun.nio.ch.EPollSelectorImpl.doSelect sun.nio.ch.SelectorImpl.select "
)

// thread makes a thread of Java; calls are package.Class.method, by spaces.
func thread(name, calls string, locks ...stacks.Lock) stacks.Thread {
	t := stacks.Thread{Name: name, Java: true, Locks: locks}
	for i, c := range strings.Fields(calls) {
		dot := strings.LastIndexByte(c, '.')
		f := stacks.Frame{Class: c[:dot], Method: c[dot+1:], File: "X.java", Line: int32(i + 1)}
		switch f.Method {
		case "park", "wait0", "accept0", "socketRead0", "readBytes":
			f.File, f.Line = "Native Method", 0
		}
		if f.Class == "sun.nio.ch.EPoll" {
			f.File, f.Line = "Native Method", 0
		}
		t.Frames = append(t.Frames, f)
	}
	return t
}

func pooled(n int, name string, calls string) []stacks.Thread {
	var out []stacks.Thread
	for i := range n {
		out = append(out, thread(fmt.Sprintf(name, i+1), calls))
	}
	return out
}

func TestBusyAndIdle(t *testing.T) {
	for _, c := range []struct {
		name, calls string
		busy, own   int64
	}{
		{"executor waits for work", executorIdle, 0, 0},
		{"executor works", latch + "example.Shop.buy " + executorGround, 1, 0},
		{"application takes from its own queue", park + "java.util.concurrent.LinkedBlockingQueue.take example.Shop.loop " + executorGround, 1, 0},
		{"Tomcat waits for work", park + "java.util.concurrent.LinkedBlockingQueue.poll org.apache.tomcat.util.threads.TaskQueue.poll org.apache.tomcat.util.threads.TaskThread$WrappingRunnable.run java.lang.Thread.run", 0, 0},
		{"Jetty waits for work", park + "org.eclipse.jetty.util.BlockingArrayQueue.poll org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll " + jettyGround, 0, 0},
		{"Jetty keeps a thread in reserve", park + "org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.reservedWait org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.run " + jettyGround, 0, 0},
		{"a reserved thread works", latch + "example.Shop.buy org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.run " + jettyGround, 1, 0},
		{"Jetty selects", selecting + "org.eclipse.jetty.io.ManagedSelector$SelectorProducer.select " + jettyGround, 1, 1},
		{"Jetty accepts", "sun.nio.ch.Net.accept0 sun.nio.ch.ServerSocketChannelImpl.accept org.eclipse.jetty.server.AbstractConnector$Acceptor.run " + jettyGround, 1, 1},
		{"Netty selects", selecting + "io.netty.channel.nio.NioEventLoop.select io.netty.channel.nio.NioEventLoop.run java.lang.Thread.run", 0, 0},
		{"Netty works", latch + "example.Shop.buy io.netty.channel.nio.NioEventLoop.run java.lang.Thread.run", 1, 0},
		{"XNIO selects", selecting + "org.xnio.nio.WorkerThread.run", 0, 0},
		{"fork-join waits for work", "jdk.internal.misc.Unsafe.park java.util.concurrent.ForkJoinPool.awaitWork java.util.concurrent.ForkJoinPool.runWorker java.util.concurrent.ForkJoinWorkerThread.run", 0, 0},
		{"fork-join works", latch + "example.Shop.buy java.util.concurrent.ForkJoinTask.doExec java.util.concurrent.ForkJoinPool.runWorker java.util.concurrent.ForkJoinWorkerThread.run", 1, 0},
		{"JBoss waits for work", park + "org.jboss.threads.EnhancedQueueExecutor$PoolThreadNode.park org.jboss.threads.EnhancedQueueExecutor$ThreadBody.run java.lang.Thread.run", 0, 0},
		{"disruptor waits for work", park + "com.lmax.disruptor.BlockingWaitStrategy.waitFor com.lmax.disruptor.ProcessingSequenceBarrier.waitFor com.lmax.disruptor.BatchEventProcessor.processEvents java.lang.Thread.run", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Of(Input{Threads: pooled(2, "w-%d", c.calls)})
			p := o.Pools[0]
			if p.Total != 2 || p.Busy != 2*c.busy || p.Own != 2*c.own || p.Idle != 2-2*c.busy {
				t.Errorf("got busy %d, own %d, idle %d of %d", p.Busy, p.Own, p.Idle, p.Total)
			}
		})
	}
}

func TestWhatTheyWaitFor(t *testing.T) {
	for _, c := range []struct{ calls, state string }{
		{latch + "example.Shop.buy", Latch},
		{park + "java.util.concurrent.Semaphore.acquire example.Shop.buy", Permit},
		{park + "java.util.concurrent.locks.ReentrantLock$Sync.lock example.Shop.buy", Lock},
		{park + "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await example.Shop.buy", Condition},
		{park + "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await java.util.concurrent.ArrayBlockingQueue.put example.Shop.buy", QueueFull},
		{park + "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await java.util.concurrent.ArrayBlockingQueue.take example.Shop.buy", QueueEmpty},
		{park + "java.util.concurrent.CompletableFuture$Signaller.block java.util.concurrent.CompletableFuture.join example.Shop.buy", Result},
		{park + "java.util.concurrent.SynchronousQueue.poll com.zaxxer.hikari.util.ConcurrentBag.borrow com.zaxxer.hikari.pool.HikariPool.getConnection example.Shop.buy", DatabasePool},
		{park + "org.apache.http.pool.AbstractConnPool.getPoolEntryBlocking example.Shop.buy", ClientPool},
		{park + "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject example.Shop.buy", ObjectPool},
		{"java.net.SocketInputStream.socketRead0 org.postgresql.core.PGStream.receiveChar example.Shop.buy", Database},
		{"java.net.SocketInputStream.socketRead0 okhttp3.internal.http1.Http1Codec.read example.Shop.buy", Client},
		{"java.net.SocketInputStream.socketRead0 example.Shop.buy", SocketRead},
		{"java.lang.Thread.sleep example.Shop.buy", Sleep},
		{"java.lang.Object.wait0 java.lang.Object.wait java.lang.Thread.join example.Shop.buy", Join},
		{"java.lang.Object.wait0 java.lang.Object.wait example.Shop.buy", Condition},
		{"java.io.FileInputStream.readBytes example.Shop.buy", File},
		{"example.Shop.buy com.zaxxer.hikari.pool.HikariPool.getConnection", Running},
		{park + "example.Shop.buy", Parked},
	} {
		o := Of(Input{Threads: pooled(2, "w-%d", c.calls+" "+executorGround)})
		g := o.Pools[0].Groups
		if len(g) != 1 || g[0].State != c.state || g[0].Place[:len("example.Shop.buy")] != "example.Shop.buy" || g[0].Count != 2 {
			t.Errorf("%s: got %+v", c.calls, g)
		}
	}
}

func TestStems(t *testing.T) {
	for name, want := range map[string]string{
		"http-nio-8080-exec-12":                    "http-nio-8080-exec-*",
		"http-nio-8080-exec-12 GET /orders/7":      "http-nio-8080-exec-*",
		"pool-1-thread-2":                          "pool-1-thread-*",
		"qtp246-14-acceptor-0@13a2-Server@6{x1}":   "qtp246-*",
		"qtp246-13":                                "qtp246-*",
		"DefaultDispatcher-worker-3 @coroutine#12": "DefaultDispatcher-worker-*",
		"[ACTIVE] ExecuteThread: '12' for queue: 'weblogic.kernel.Default (self-tuning)'": "ExecuteThread: '*' for queue: 'weblogic.kernel.Default (self-tuning)'",
		"OkHttp http://shop.example/...": "OkHttp *",
		"main":                           "main",
		"7":                              "7",
	} {
		if got, _ := stem(name); got != want {
			t.Errorf("%q: want %q, got %q", name, want, got)
		}
	}
}

func TestLockAndItsHolder(t *testing.T) {
	monitor := func(k stacks.LockKind) stacks.Lock {
		return stacks.Lock{Kind: k, Object: "0x1", Class: "example.Till"}
	}
	threads := []stacks.Thread{
		thread("db-1", "java.lang.Thread.sleep example.Till.count "+executorGround, monitor(stacks.Locked)),
		thread("db-2", "example.Till.pay "+executorGround, monitor(stacks.Entering)),
		thread("db-3", "example.Till.pay "+executorGround, monitor(stacks.Entering)),
		// It has let go of the monitor while it waits.
		thread("db-4", "java.lang.Object.wait0 example.Till.await "+executorGround, monitor(stacks.WaitingOn), monitor(stacks.Locked)),
	}
	groups := Of(Input{Threads: threads}).Pools[0].Groups
	g := groups[0]
	if g.Count != 2 || g.State != Lock || g.Holder != "db-1" || g.WaitsFor != "a lock of Till" || !strings.Contains(g.HolderDoes, "example.Till.count") {
		t.Errorf("got %+v", g)
	}
}

func TestDeadlocks(t *testing.T) {
	holds := func(o string) stacks.Lock { return stacks.Lock{Kind: stacks.Locked, Object: o, Class: "a.A"} }
	wants := func(o string) stacks.Lock { return stacks.Lock{Kind: stacks.Entering, Object: o, Class: "a.A"} }
	threads := []stacks.Thread{
		thread("waits for the circle", "a.A.f", wants("1")),
		thread("x", "a.A.f", wants("2"), holds("1")),
		thread("y", "a.A.f", wants("3"), holds("2")),
		thread("z", "a.A.f", wants("1"), holds("3")),
		thread("free", "a.A.f", holds("4")),
		thread("waits for the free", "a.A.f", wants("4")),
	}
	want := []stacks.Deadlock{{Waits: []stacks.Wait{
		{Thread: "x", Holder: "y", Object: "2", Class: "a.A"}, {Thread: "y", Holder: "z", Object: "3", Class: "a.A"}, {Thread: "z", Holder: "x", Object: "1", Class: "a.A"},
	}}}
	if d := cmp.Diff(want, Of(Input{Threads: threads}).Deadlocks); d != "" {
		t.Error(d)
	}
	// One that the virtual machine reports is told once.
	if d := cmp.Diff(want, Of(Input{Threads: threads, Deadlocks: want}).Deadlocks); d != "" {
		t.Error(d)
	}
}

func TestVirtualThreads(t *testing.T) {
	var threads []stacks.Thread
	for i := range 20 {
		v := thread("", latch+"example.Shop.buy java.util.concurrent.ThreadPerTaskExecutor$ThreadBoundFuture.run java.lang.VirtualThread.run")
		v.Virtual, v.ID, v.Container = true, int64(i), "java.util.concurrent.ThreadPerTaskExecutor@1"
		threads = append(threads, v)
	}
	threads = append(threads, thread("Finalizer", "java.lang.Object.wait0"), stacks.Thread{Name: "GC Thread#0"}, thread("main", "java.lang.Thread.sleep example.Main.main"))
	o := Of(Input{Threads: threads})
	if o.Threads != 21 || o.Virtual != 20 || o.System != 2 || len(o.Pools) != 1 || o.Others.Total != 1 {
		t.Fatalf("got %+v", o)
	}
	if p := o.Pools[0]; p.Name != "virtual threads" || p.Busy != 20 || p.Class != "java.util.concurrent.ThreadPerTaskExecutor" {
		t.Errorf("got %+v", p)
	}
}

// A heap's pools are told apart by their executors even where the threads' names are
// the same, and the classes on the stacks are told, but no values.
func TestFromHeap(t *testing.T) {
	b := heapdump.NewBuilder(time.Unix(1_700_000_000, 0))
	object := b.Named("java.lang.Object")
	ref := heapdump.Type(2)
	executor := b.Class("java.util.concurrent.ThreadPoolExecutor", object)
	worker := b.Class("java.util.concurrent.ThreadPoolExecutor$Worker", object, heapdump.Field{Name: "thread", Type: ref}, heapdump.Field{Name: "this$0", Type: ref})
	class := b.Class("java.lang.Thread", object)
	order := b.Class("example.Order", object)
	frame := func(class, method string, line int32) heapdump.Frame {
		return heapdump.Frame{Class: class, Method: method, Source: "X.java", Line: line}
	}
	ground := []heapdump.Frame{frame("java.util.concurrent.ThreadPoolExecutor", "runWorker", 9), frame("java.util.concurrent.ThreadPoolExecutor$Worker", "run", 10)}
	for pool := range 2 {
		e := b.New(executor, nil)
		for i := range 3 {
			id := b.New(class, nil)
			b.New(worker, map[string]any{"thread": id, "this$0": e})
			th := heapdump.Thread{ID: id, Name: fmt.Sprintf("w-%d", i+1), Class: class.Index,
				Frames: append([]heapdump.Frame{frame("jdk.internal.misc.Unsafe", "park", -3), frame("java.util.concurrent.CountDownLatch", "await", 3), frame("example.Shop", "buy", 5)}, ground...),
				Locals: []heapdump.Local{{ID: b.New(order, nil), Frame: 2}, {ID: b.Text("secret"), Frame: 2}, {ID: id, Frame: -1}}}
			if pool == 1 && i == 0 {
				th.Frames = append([]heapdump.Frame{frame("jdk.internal.misc.Unsafe", "park", -3), frame("java.util.concurrent.ThreadPoolExecutor", "getTask", 8)}, ground...)
			}
			b.Thread(th)
		}
	}
	o := Of(FromHeap(b.Heap()))
	if len(o.Pools) != 2 {
		t.Fatalf("got %+v", o.Pools)
	}
	first, second := o.Pools[0], o.Pools[1]
	if first.Total != 3 || first.Busy != 3 || second.Busy != 2 || second.Idle != 1 || first.Executor == second.Executor || first.Class != "java.util.concurrent.ThreadPoolExecutor" {
		t.Errorf("got %+v and %+v", first, second)
	}
	g := first.Groups[0]
	if d := cmp.Diff([]LocalCount{{"example.Order", 3}}, g.Locals); d != "" || g.State != Latch || g.Place != "example.Shop.buy(X.java:5)" {
		t.Errorf("%s\n%+v", d, g)
	}
}

func TestKeep(t *testing.T) {
	if f, ok := Keep([]string{"java.util.concurrent.ThreadPoolExecutor$Worker", "java.lang.Object"}); !ok || len(f) != 2 {
		t.Errorf("got %v", f)
	}
	if f, ok := Keep([]string{"my.Worker", "java.util.concurrent.ForkJoinWorkerThread", "java.lang.Thread"}); !ok || f[0] != "pool" {
		t.Errorf("got %v", f)
	}
	if _, ok := Keep([]string{"my.Worker"}); ok {
		t.Error("want nothing")
	}
}

// Whatever the threads, every one is counted once, and each group's members are
// threads of its pool.
func TestEveryThreadCountsOnce(t *testing.T) {
	calls := []string{"", executorIdle, latch + "a.B.c " + executorGround, "a.B.c", selecting + "a.B.c", selecting + jettyGround, "java.lang.Thread.sleep a.B.c", park}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "n")
		in := Input{Threads: make([]stacks.Thread, n)}
		for i := range in.Threads {
			in.Threads[i] = thread(rapid.SampledFrom([]string{"w-1", "w-2", "x-1", "main", "Finalizer", ""}).Draw(t, "name"), rapid.SampledFrom(calls).Draw(t, "calls"))
			in.Threads[i].Java = rapid.Bool().Draw(t, "java")
			in.Threads[i].Virtual = rapid.Bool().Draw(t, "virtual")
			in.Threads[i].State = stacks.State(rapid.IntRange(0, 6).Draw(t, "state"))
			for range rapid.IntRange(0, 3).Draw(t, "locks") {
				in.Threads[i].Locks = append(in.Threads[i].Locks, stacks.Lock{Kind: stacks.LockKind(rapid.IntRange(1, 5).Draw(t, "kind")), Object: rapid.StringMatching("[a-c]?").Draw(t, "object"), Class: "a.B"})
			}
		}
		o := Of(in)
		seen, total, noStack := map[int]bool{}, int64(0), int64(0)
		for _, p := range append(o.Pools, o.Others) {
			if p.Busy+p.Idle+p.NoStack != p.Total || int64(len(p.Members)) != p.Total || p.Own > p.Busy {
				t.Fatalf("pool %+v", p)
			}
			members, busy := map[int]bool{}, int64(0)
			for _, m := range p.Members {
				if seen[m] {
					t.Fatalf("thread %d counts twice", m)
				}
				seen[m], members[m] = true, true
			}
			for _, g := range p.Groups {
				busy += g.Count
				if int64(len(g.Threads)) != g.Count || g.Place == "" || g.State == "" {
					t.Fatalf("group %+v", g)
				}
				for _, m := range g.Threads {
					if !members[m] {
						t.Fatalf("thread %d of a group is not of its pool", m)
					}
				}
			}
			if busy != p.Busy {
				t.Fatalf("groups of %d, busy %d", busy, p.Busy)
			}
			total, noStack = total+p.Total, noStack+p.NoStack
		}
		if total != o.Threads || noStack != o.NoStack || o.Threads+o.System != int64(n) {
			t.Fatalf("%d of %d threads in pools, %d system", total, n, o.System)
		}
	})
}

// Every row of the tables has what it needs.
func TestTables(t *testing.T) {
	for _, r := range append(append([]idleRow{}, idleRows...), ownerRows...) {
		if r.class == "" || r.source == "" {
			t.Errorf("got %+v", r)
		}
	}
	for _, rows := range [][]waitRow{poolRows, remoteRows} {
		for _, r := range rows {
			if r.class == "" || r.source == "" || r.state == "" || r.words == "" {
				t.Errorf("got %+v", r)
			}
		}
	}
}
