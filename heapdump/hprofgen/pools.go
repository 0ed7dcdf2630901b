package hprofgen

// running is the state of a ThreadPoolExecutor that runs, above the number of
// workers in the low 29 bits.
const running = -1 << 29

var executorFields = []Field{
	F("ctl", Object), F("workQueue", Object), F("mainLock", Object), F("workers", Object),
	F("largestPoolSize", Int), F("completedTaskCount", Long), F("threadFactory", Object), F("handler", Object),
	F("keepAliveTime", Long), F("allowCoreThreadTimeOut", Boolean), F("corePoolSize", Int), F("maximumPoolSize", Int),
}

// ThreadPoolExecutor makes one of java.util.concurrent.
func (d *Dump) ThreadPoolExecutor(core, maximum int, queue ID, threads ...*Thread) ID {
	return d.executor("java.util.concurrent.ThreadPoolExecutor", core, maximum, queue, threads)
}

func (d *Dump) executor(class string, core, maximum int, queue ID, threads []*Thread, more ...Field) ID {
	c := d.Class(class, d.Class("java.util.concurrent.AbstractExecutorService", nil), append(more, executorFields...)...)
	owner := d.Class("java.util.concurrent.locks.AbstractOwnableSynchronizer", nil, F("exclusiveOwnerThread", Object))
	sync := d.Class("java.util.concurrent.locks.AbstractQueuedSynchronizer", owner, F("head", Object), F("tail", Object), F("state", Int))
	worker := d.Class(class+"$Worker", sync, F("thread", Object), F("firstTask", Object), F("completedTasks", Long), F("this$0", Object))
	pool := d.Object(c, "ctl", d.Atomic(int32(running|len(threads))), "workQueue", queue, "mainLock", d.lock(),
		"largestPoolSize", len(threads), "corePoolSize", core, "maximumPoolSize", maximum, "completedTaskCount", 1000)
	var workers []ID
	for _, t := range threads {
		// a worker that runs a task holds its own lock: state 1
		w := d.Object(worker, "thread", t.ID, "this$0", pool, "state", 1, "completedTasks", 10)
		if target := t.field("target"); target {
			d.Set(t.ID, "target", w)
		}
		workers = append(workers, w)
	}
	d.Set(pool, "workers", d.HashSet(workers...))
	return pool
}

func (t *Thread) field(name string) bool {
	for _, f := range t.d.byID[t.ID].class.all() {
		if f.Name == name {
			return true
		}
	}
	return false
}

// TomcatExecutor makes Tomcat's pool and its TaskQueue with items in it.
func (d *Dump) TomcatExecutor(core, maximum int, capacity int32, items []ID, threads ...*Thread) ID {
	class := d.Class("org.apache.tomcat.util.threads.TaskQueue", d.linkedBlockingQueue(), F("parent", Object))
	queue := d.linked(class, capacity, items)
	pool := d.executor("org.apache.tomcat.util.threads.ThreadPoolExecutor", core, maximum, queue, threads, F("submittedCount", Object))
	d.Set(pool, "submittedCount", d.Atomic(int32(len(items)+len(threads))))
	d.Set(queue, "parent", pool)
	return pool
}

// SocketProcessors makes n requests that wait in Tomcat's queue; read gives the
// time of the last read of each in epoch milliseconds.
func (d *Dump) SocketProcessors(n int, read func(i int) int64) []ID {
	wrapper := d.Class("org.apache.tomcat.util.net.SocketWrapperBase", nil, F("socket", Object), F("readTimeout", Long), F("writeTimeout", Long))
	nio := d.Class("org.apache.tomcat.util.net.NioEndpoint$NioSocketWrapper", wrapper, F("interestOps", Int), F("lastRead", Long), F("lastWrite", Long))
	base := d.Class("org.apache.tomcat.util.net.SocketProcessorBase", nil, F("socketWrapper", Object), F("event", Object))
	processor := d.Class("org.apache.tomcat.util.net.NioEndpoint$SocketProcessor", base, F("this$0", Object))
	items := make([]ID, n)
	for i := range items {
		w := d.Object(nio, "readTimeout", 20_000, "lastRead", read(i), "lastWrite", read(i))
		items[i] = d.Object(processor, "socketWrapper", w)
	}
	return items
}

// BlockingArrayQueue makes Jetty's queue: an int[32] holds head and tail a cache
// line apart.
func (d *Dump) BlockingArrayQueue(maximum, slots int, items ...ID) ID {
	elements, head, tail := ring(slots, items)
	indexes := make([]int32, 32)
	indexes[15], indexes[31] = int32(head), int32(tail)
	list := d.Class("java.util.AbstractList", d.Class("java.util.AbstractCollection", nil), F("modCount", Int))
	return d.Object(d.Class("org.eclipse.jetty.util.BlockingArrayQueue", list,
		F("_maxCapacity", Int), F("_growCapacity", Int), F("_indexes", Object), F("_tailLock", Object),
		F("_size", Object), F("_headLock", Object), F("_notEmpty", Object), F("_elements", Object)),
		"_maxCapacity", maximum, "_growCapacity", slots, "_indexes", d.Ints(indexes...), "_tailLock", d.lock(),
		"_size", d.Atomic(int32(len(items))), "_headLock", d.lock(), "_elements", d.Array("java.lang.Object", elements...))
}

// QueuedThreadPool makes Jetty's pool; idle of its threads are free.
func (d *Dump) QueuedThreadPool(name string, minimum, maximum, idle int, jobs ID, threads ...*Thread) ID {
	base := d.Class("org.eclipse.jetty.util.component.ContainerLifeCycle",
		d.Class("org.eclipse.jetty.util.component.AbstractLifeCycle", nil, F("_state", Int)))
	var ids []ID
	for _, t := range threads {
		ids = append(ids, t.ID)
	}
	long := d.Class("java.util.concurrent.atomic.AtomicLong", nil, F("value", Long))
	bi := d.Class("org.eclipse.jetty.util.AtomicBiInteger", long)
	// high 32 bits: threads; low: free threads less waiting jobs, here idle ones
	counts := d.Object(bi, "value", int64(len(threads))<<32|int64(uint32(idle)))
	return d.Object(d.Class("org.eclipse.jetty.util.thread.QueuedThreadPool", base,
		F("_counts", Object), F("_threads", Object), F("_jobs", Object), F("_name", Object),
		F("_idleTimeout", Int), F("_maxThreads", Int), F("_minThreads", Int), F("_reservedThreads", Int)),
		"_counts", counts, "_threads", d.HashSet(ids...), "_jobs", jobs, "_name", d.String(name),
		"_idleTimeout", 60_000, "_maxThreads", maximum, "_minThreads", minimum, "_reservedThreads", -1)
}

// Endpoints makes n connections of Jetty that are readable and wait in its
// queue; created gives the time of each in epoch milliseconds and nano the
// System.nanoTime of its last activity.
func (d *Dump) Endpoints(n int, created, nano func(i int) int64) []ID {
	idle := d.Class("org.eclipse.jetty.io.IdleTimeout", nil, F("_idleTimeout", Long), F("_idleTimestamp", Long))
	abstract := d.Class("org.eclipse.jetty.io.AbstractEndPoint", idle, F("_created", Long), F("_connection", Object))
	channel := d.Class("org.eclipse.jetty.io.ChannelEndPoint", abstract, F("_currentInterestOps", Int), F("_runFillable", Object))
	socket := d.Class("org.eclipse.jetty.io.SocketChannelEndPoint", channel)
	task := d.Class("org.eclipse.jetty.io.ChannelEndPoint$RunnableTask", nil, F("_operation", Object), F("this$0", Object))
	fillable := d.Class("org.eclipse.jetty.io.ChannelEndPoint$1", d.Class("org.eclipse.jetty.io.ChannelEndPoint$RunnableCloseable", task), F("this$0", Object))
	connection := d.Class("org.eclipse.jetty.io.AbstractConnection", nil, F("_created", Long), F("_endPoint", Object))
	http := d.Class("org.eclipse.jetty.server.HttpConnection", connection, F("_channel", Object), F("_parser", Object))
	items := make([]ID, n)
	for i := range items {
		e := d.Object(socket, "_created", created(i), "_idleTimestamp", nano(i), "_idleTimeout", 30_000)
		d.Set(e, "_connection", d.Object(http, "_created", created(i), "_endPoint", e))
		items[i] = d.Object(fillable, "this$0", e)
		d.Set(items[i], "org.eclipse.jetty.io.ChannelEndPoint$RunnableTask#this$0", e)
		d.Set(e, "_runFillable", items[i])
	}
	return items
}
