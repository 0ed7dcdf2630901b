package server

import "fmt"

var netty = dialect{
	name: "netty", title: "Netty", versions: "4.1 and 4.2",
	write: writeNetty,
}

const nettyDoc = "Netty javadoc, ChannelOption.SO_BACKLOG and NetUtil.SOMAXCONN"

// writeNetty uses an executor of Java's own: Netty's event executors have a
// queue for each thread, and a request cannot move to a free one.
func writeNetty(v Values) ([]Item, []Snippet, []string) {
	queue, workers, head := max(v.Queue, 1), v.running(), ""
	if v.Workers == 0 {
		head, queue = "// "+allRun+"\n", 1
	}
	items := []Item{
		{Kind: Queue, Key: "new ArrayBlockingQueue<>(n) of the ThreadPoolExecutor that runs requests", Value: count(queue), Unit: "requests", Default: "none: requests run on the event loop",
			Source: "java.util.concurrent javadoc, ThreadPoolExecutor", Note: "DefaultEventExecutorGroup's maxPendingTasks counts for each thread, not for all"},
		v.workersItem(Item{Key: "ThreadPoolExecutor corePoolSize and maximumPoolSize", Unit: "threads", Source: "java.util.concurrent javadoc, ThreadPoolExecutor"}),
		{Kind: AcceptQueue, Key: "ServerBootstrap.option(ChannelOption.SO_BACKLOG, n)", Value: count(v.AcceptQueue), Unit: "connections", Default: "net.core.somaxconn", Source: nettyDoc},
		v.poolItem(Item{Key: "FixedChannelPool(bootstrap, handler, maxConnections)", Unit: "connections per client", Source: "Netty javadoc, FixedChannelPool",
			Note: "the constructor with maxPendingAcquires and acquireTimeoutMillis bounds the wait for a connection as well"}),
		{Kind: RateLimit, Note: fmt.Sprintf("traffic shaping limits bytes, not requests; refuse in a handler at %d/s, burst %d", v.Rate, v.Burst), Source: "Netty javadoc, GlobalTrafficShapingHandler"},
	}
	code := head + fmt.Sprintf(`ThreadPoolExecutor requests = new ThreadPoolExecutor(
    %d, %d, 0, TimeUnit.SECONDS,
    new ArrayBlockingQueue<>(%d),
    new ThreadPoolExecutor.AbortPolicy()); // execute throws: answer 503
ServerBootstrap bootstrap = new ServerBootstrap()
    .option(ChannelOption.SO_BACKLOG, %d);
`, workers, workers, queue, v.AcceptQueue)
	return items, []Snippet{{File: "Server.java", Lang: "java", Code: code}}, []string{
		"Answer a RejectedExecutionException with 503 at once; without that the request is lost and its client waits.",
	}
}
