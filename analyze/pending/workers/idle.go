package workers

import (
	"strings"

	"example.com/kneeline/heapdump/stacks"
)

// call is a method of a class; a star at the end of a class stands for any
// characters, an empty method for all methods.
type call struct{ class, method string }

func (c call) is(f stacks.Frame) bool {
	if c.method != "" && f.Method != c.method {
		return false
	}
	if begin, ok := strings.CutSuffix(c.class, "*"); ok {
		return strings.HasPrefix(f.Class, begin)
	}
	return f.Class == c.class
}

func onStack(frames []stacks.Frame, c call) bool {
	for _, f := range frames {
		if c.is(f) {
			return true
		}
	}
	return false
}

// idleRow is a call in which a worker waits for work of its own pool. No code of an
// application runs below it.
type idleRow struct {
	call
	// source is the repository and file that declares it.
	source string
}

// idleRows are where workers wait for work.
var idleRows = []idleRow{
	{call{"java.util.concurrent.ThreadPoolExecutor", "getTask"}, "OpenJDK, java.util.concurrent.ThreadPoolExecutor"},
	{call{"java.util.concurrent.ForkJoinPool", "awaitWork"}, "OpenJDK, java.util.concurrent.ForkJoinPool"},
	{call{"java.util.concurrent.DelayScheduler", "loop"}, "OpenJDK 25, java.util.concurrent.DelayScheduler"},
	{call{"jdk.internal.net.http.HttpClientImpl$SelectorManager", "run"}, "OpenJDK, jdk.internal.net.http.HttpClientImpl"},
	{call{"org.apache.tomcat.util.threads.ThreadPoolExecutor", "getTask"}, "apache/tomcat, java/org/apache/tomcat/util/threads/ThreadPoolExecutor.java"},
	{call{"org.apache.tomcat.util.threads.TaskQueue", "take"}, "apache/tomcat, java/org/apache/tomcat/util/threads/TaskQueue.java"},
	{call{"org.apache.tomcat.util.threads.TaskQueue", "poll"}, "apache/tomcat, java/org/apache/tomcat/util/threads/TaskQueue.java"},
	{call{"org.eclipse.jetty.util.thread.QueuedThreadPool*", "idleJobPoll"}, "jetty/jetty.project, jetty-util/src/main/java/org/eclipse/jetty/util/thread/QueuedThreadPool.java"},
	{call{"org.eclipse.jetty.util.thread.ReservedThreadExecutor*", "reservedWait"}, "jetty/jetty.project 9.4 to 11, jetty-util/src/main/java/org/eclipse/jetty/util/thread/ReservedThreadExecutor.java"},
	{call{"org.eclipse.jetty.util.thread.ReservedThreadExecutor*", "waitForTask"}, "jetty/jetty.project 12, jetty-core/jetty-util/src/main/java/org/eclipse/jetty/util/thread/ReservedThreadExecutor.java"},
	{call{"io.netty.channel.nio.NioEventLoop", "select"}, "netty/netty, transport/src/main/java/io/netty/channel/nio/NioEventLoop.java"},
	{call{"io.netty.channel.nio.NioIoHandler", "select"}, "netty/netty 4.2, transport/src/main/java/io/netty/channel/nio/NioIoHandler.java"},
	{call{"io.netty.channel.epoll.EpollEventLoop", "epollWait"}, "netty/netty, transport-classes-epoll/src/main/java/io/netty/channel/epoll/EpollEventLoop.java"},
	{call{"io.netty.channel.epoll.Native", "epollWait"}, "netty/netty, transport-classes-epoll/src/main/java/io/netty/channel/epoll/Native.java"},
	{call{"io.netty.channel.epoll.Native", "epollWait0"}, "netty/netty, transport-classes-epoll/src/main/java/io/netty/channel/epoll/Native.java"},
	{call{"io.netty.channel.kqueue.KQueueEventLoop", "kqueueWait"}, "netty/netty, transport-classes-kqueue/src/main/java/io/netty/channel/kqueue/KQueueEventLoop.java"},
	{call{"io.netty.util.concurrent.SingleThreadEventExecutor", "takeTask"}, "netty/netty, common/src/main/java/io/netty/util/concurrent/SingleThreadEventExecutor.java"},
	{call{"io.netty.util.concurrent.GlobalEventExecutor", "takeTask"}, "netty/netty, common/src/main/java/io/netty/util/concurrent/GlobalEventExecutor.java"},
	{call{"io.netty.util.HashedWheelTimer$Worker", "waitForNextTick"}, "netty/netty, common/src/main/java/io/netty/util/HashedWheelTimer.java"},
	{call{"org.jboss.threads.EnhancedQueueExecutor$PoolThreadNode", "park"}, "jbossas/jboss-threads, src/main/java/org/jboss/threads/EnhancedQueueExecutor.java"},
	{call{"kafka.network.RequestChannel", "receiveRequest"}, "apache/kafka, core/src/main/scala/kafka/network/RequestChannel.scala"},
	{call{"okhttp3.internal.concurrent.TaskRunner", "awaitTaskToRun"}, "square/okhttp, okhttp/src/main/kotlin/okhttp3/internal/concurrent/TaskRunner.kt"},
	{call{"okhttp3.ConnectionPool", "lambda$new$0"}, "square/okhttp 3, okhttp/src/main/java/okhttp3/ConnectionPool.java"},
	{call{"okio.AsyncTimeout*", "awaitTimeout"}, "square/okio, okio/src/jvmMain/kotlin/okio/AsyncTimeout.kt"},
	{call{"kotlinx.coroutines.scheduling.CoroutineScheduler$Worker", "park"}, "Kotlin/kotlinx.coroutines, kotlinx-coroutines-core/jvm/src/scheduling/CoroutineScheduler.kt"},
	{call{"weblogic.work.ExecuteThread", "waitForRequest"}, "Oracle, Troubleshooting WebLogic Server: stacks of idle ExecuteThreads"},
}

// ownerRows are calls around a wait that is idle only where it is the worker's own:
// the wait stands directly on them.
var ownerRows = []idleRow{
	{call{"java.util.TimerThread", "mainLoop"}, "OpenJDK, java.util.Timer"},
	{call{"java.util.concurrent.ForkJoinPool", "runWorker"}, "OpenJDK 8, java.util.concurrent.ForkJoinPool"},
	{call{"org.jboss.threads.EnhancedQueueExecutor*", ""}, "jbossas/jboss-threads, src/main/java/org/jboss/threads/EnhancedQueueExecutor.java"},
	{call{"org.xnio.nio.WorkerThread", "run"}, "xnio/xnio, nio-impl/src/main/java/org/xnio/nio/WorkerThread.java"},
	{call{"org.apache.tomcat.util.net.NioEndpoint$Poller", "run"}, "apache/tomcat, java/org/apache/tomcat/util/net/NioEndpoint.java"},
	{call{"com.lmax.disruptor.BatchEventProcessor", "processEvents"}, "LMAX-Exchange/disruptor, src/main/java/com/lmax/disruptor/BatchEventProcessor.java"},
}

// kindRow tells the kind of a pool by a call at the ground of its threads' stacks.
type kindRow struct {
	call
	kind string
}

// kindRows are in order: the more special first.
var kindRows = []kindRow{
	{call{"org.eclipse.jetty.util.thread.QueuedThreadPool*", ""}, "Jetty QueuedThreadPool"},
	{call{"org.apache.tomcat.util.threads.ThreadPoolExecutor*", ""}, "Tomcat executor"},
	{call{"org.apache.tomcat.util.threads.TaskThread*", ""}, "Tomcat executor"},
	{call{"io.netty.channel.nio.NioEventLoop", ""}, "Netty event loop"},
	{call{"io.netty.channel.epoll.EpollEventLoop", ""}, "Netty event loop"},
	{call{"io.netty.channel.kqueue.KQueueEventLoop", ""}, "Netty event loop"},
	{call{"io.netty.channel.SingleThreadIoEventLoop", ""}, "Netty event loop"},
	{call{"io.netty.util.concurrent.SingleThreadEventExecutor*", ""}, "Netty event executor"},
	{call{"org.xnio.nio.WorkerThread", "run"}, "XNIO I/O threads"},
	{call{"org.jboss.threads.EnhancedQueueExecutor*", ""}, "JBoss EnhancedQueueExecutor"},
	{call{"java.util.concurrent.ScheduledThreadPoolExecutor*", ""}, "ScheduledThreadPoolExecutor"},
	{call{"java.util.concurrent.ThreadPoolExecutor$Worker", "run"}, "ThreadPoolExecutor"},
	{call{"java.util.concurrent.ForkJoinWorkerThread", "run"}, "ForkJoinPool"},
	{call{"java.util.concurrent.ThreadPerTaskExecutor*", ""}, "a thread for each task"},
	{call{"kotlinx.coroutines.scheduling.CoroutineScheduler$Worker", "run"}, "Kotlin coroutine scheduler"},
	{call{"kafka.server.KafkaRequestHandler", "run"}, "Kafka request handlers"},
	{call{"weblogic.work.ExecuteThread", "run"}, "WebLogic execute threads"},
}

// idle says whether a stack is that of a worker which waits for work of its pool.
func idle(frames []stacks.Frame) bool {
	for _, f := range frames {
		for _, r := range idleRows {
			if r.is(f) {
				return true
			}
		}
	}
	ground := waitEnd(frames)
	if ground == 0 || ground == len(frames) {
		return false
	}
	for _, r := range ownerRows {
		if r.is(frames[ground]) {
			return true
		}
	}
	return false
}

// waiting are the classes whose calls only carry out a wait.
var waiting = []string{
	"jdk.internal.misc.Unsafe", "sun.misc.Unsafe", "java.util.concurrent.locks.", "java.lang.Object", "java.lang.VirtualThread",
	"java.util.concurrent.SynchronousQueue", "java.util.concurrent.LinkedTransferQueue", "java.util.concurrent.LinkedBlockingQueue",
	"java.util.concurrent.LinkedBlockingDeque", "java.util.concurrent.ArrayBlockingQueue", "java.util.concurrent.PriorityBlockingQueue",
	"java.util.concurrent.DelayQueue", "sun.nio.ch.", "com.lmax.disruptor.ProcessingSequenceBarrier", "com.lmax.disruptor.BlockingWaitStrategy",
	"com.lmax.disruptor.TimeoutBlockingWaitStrategy", "com.lmax.disruptor.SleepingWaitStrategy", "com.lmax.disruptor.YieldingWaitStrategy",
	"java.util.concurrent.ForkJoinPool$ManagedBlocker",
}

// waitEnd is the index of the first frame behind those that carry out a wait, 0
// where the stack does not begin with a wait.
func waitEnd(frames []stacks.Frame) int {
	for i, f := range frames {
		carries := f.Class == "java.util.concurrent.ForkJoinPool" && (f.Method == "managedBlock" || f.Method == "unmanagedBlock")
		for _, begin := range waiting {
			carries = carries || f.Class == begin || strings.HasPrefix(f.Class, begin) && strings.HasSuffix(begin, ".") || strings.HasPrefix(f.Class, begin+"$")
		}
		if !carries {
			return i
		}
	}
	return len(frames)
}

func kindOf(frames []stacks.Frame) string {
	for _, r := range kindRows {
		if onStack(frames, r.call) {
			return r.kind
		}
	}
	return ""
}
