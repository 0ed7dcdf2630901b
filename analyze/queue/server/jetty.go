package server

import (
	"fmt"
	"strings"
)

var jetty = dialect{
	name: "jetty", title: "Jetty", versions: "9.4 to 12",
	threads: 200, write: writeJetty,
}

const (
	jettyPool      = "Jetty javadoc, QueuedThreadPool"
	jettyConnector = "Jetty javadoc, ServerConnector.setAcceptQueueSize; java.nio ServerSocketChannel.bind"
)

// jettyOwn is how many threads of the pool Jetty keeps for accepting, selecting
// and reserve; they come on top of the workers.
const jettyOwn = 8

// writeJetty bounds the job queue of the thread pool. Jetty puts more into it
// than requests, so it cannot be 0.
func writeJetty(v Values) ([]Item, []Snippet, []string) {
	threads, queue := v.threadPool(200, jettyOwn)
	if v.Threads > 0 {
		threads = v.Threads
	}
	items := []Item{
		{Kind: Queue, Key: "queue of QueuedThreadPool (4th argument of its constructor)", Value: fmt.Sprintf("new BlockingArrayQueue<>(%d)", queue),
			Unit: "jobs", Default: "grows without limit", Source: jettyPool},
		v.workersItem(Item{Key: "jetty.threadPool.maxThreads", Unit: "threads", Default: "200", Source: jettyPool,
			Note: fmt.Sprintf("Jetty needs some %d threads of the pool for itself; the snippet adds them", jettyOwn)}),
		{Kind: AcceptQueue, Key: "jetty.http.acceptQueueSize", Value: count(v.AcceptQueue), Unit: "connections", Default: "0, for which Java takes 50", Source: jettyConnector},
		v.poolItem(Item{Key: "HttpClient.setMaxConnectionsPerDestination", Unit: "connections per client", Default: "64", Source: "Jetty javadoc, HttpClient"}),
		{Kind: RateLimit, Note: fmt.Sprintf("no limit per second for the whole server; DoSFilter and DoSHandler limit each client. The limit to set is %d/s, burst %d", v.Rate, v.Burst),
			Source: "Jetty javadoc, DoSFilter"},
	}
	snippets := []Snippet{
		{File: "etc/jetty-threadpool.xml", Lang: "xml", Code: jettyXML(queue, threads, v)},
		{File: "start.d/http.ini", Lang: "ini", Code: fmt.Sprintf("--module=http\njetty.http.acceptQueueSize=%d\n", v.AcceptQueue)},
		{File: "start.d/qos.ini (Jetty 12 with the module qos)", Lang: "ini", Code: strings.Join([]string{
			"--module=qos",
			fmt.Sprintf("jetty.qos.maxRequestCount=%d", max(v.workers(1), 1)),
			fmt.Sprintf("jetty.qos.maxSuspendedRequestCount=%d", queue),
			fmt.Sprintf("jetty.qos.maxSuspendDuration=%d", millis(v.QueueWait)),
			"",
		}, "\n")},
	}
	if v.Workers == 0 {
		snippets = snippets[:2]
	}
	return items, snippets, []string{
		"A full thread pool queue makes Jetty close the connection without an answer. QoSHandler of Jetty 12 answers 503 and counts requests alone, not Jetty's own jobs; use it where you can, and leave the thread pool's queue a little longer.",
	}
}

// jettyIdle is how many milliseconds a thread of the pool may be idle by default.
const jettyIdle = 60_000

// jettyXML names the arguments of the constructor, as Jetty's own file does. What
// the pool has today stays as it is.
func jettyXML(queue, threads int64, v Values) string {
	least, idle := min(threads, 10), int64(jettyIdle)
	if v.MinThreads > 0 {
		least = min(v.MinThreads, threads)
	}
	if v.IdleTimeout > 0 {
		idle = millis(v.IdleTimeout)
	}
	return fmt.Sprintf(`<?xml version="1.0"?>
<!DOCTYPE Configure PUBLIC "-//Jetty//Configure//EN" "https://www.eclipse.org/jetty/configure_9_3.dtd">
<Configure>
  <New id="threadPool" class="org.eclipse.jetty.util.thread.QueuedThreadPool">
    <Arg type="int">%d</Arg> <!-- maxThreads -->
    <Arg type="int">%d</Arg> <!-- minThreads -->
    <Arg type="int">%d</Arg> <!-- idleTimeout, ms -->
    <Arg>
      <New class="org.eclipse.jetty.util.BlockingArrayQueue">
        <Arg type="int">%d</Arg> <!-- most jobs that wait -->
      </New>
    </Arg>
  </New>
</Configure>
`, threads, least, idle, queue)
}
