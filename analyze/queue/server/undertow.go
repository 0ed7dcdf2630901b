package server

import (
	"cmp"
	"fmt"
)

var undertow = dialect{
	name: "undertow", title: "Undertow", versions: "2.x",
	write: writeUndertow,
}

const undertowDoc = "Undertow documentation, Built in Handlers and Undertow.Builder"

// writeUndertow limits requests in a handler, since the queue of XNIO's worker
// has no bound.
func writeUndertow(v Values) ([]Item, []Snippet, []string) {
	queue, workers, head := max(v.Queue, 1), v.running(), ""
	if v.Workers == 0 {
		head, queue = "// "+allRun+"\n", 1
	}
	items := []Item{
		{Kind: Queue, Key: "RequestLimit(maximumConcurrentRequests, queueSize)", Value: fmt.Sprintf("%d, %d", workers, queue), Unit: "requests", Default: "no handler: the worker's queue is unbounded", Source: undertowDoc},
		v.workersItem(Item{Key: "Undertow.Builder.setWorkerThreads", Unit: "threads", Default: "8 × processors", Source: undertowDoc}),
		{Kind: AcceptQueue, Key: "Undertow.Builder.setSocketOption(Options.BACKLOG, n)", Value: count(v.AcceptQueue), Unit: "connections", Default: "1000", Source: undertowDoc},
		v.poolItem(Item{Key: "LoadBalancingProxyClient.setConnectionsPerThread", Unit: "connections per client and I/O thread", Default: "10", Source: undertowDoc}),
		{Kind: RateLimit, Note: fmt.Sprintf("no limit per second; put one in front at %d/s, burst %d", v.Rate, v.Burst), Source: undertowDoc},
	}
	code := head + fmt.Sprintf(`RequestLimit limit = new RequestLimit(%d, %d); // running, waiting
Undertow.builder()
    .addHttpListener(8080, "0.0.0.0")
    .setSocketOption(Options.BACKLOG, %d)
%s    .setHandler(new RequestLimitingHandler(limit, new BlockingHandler(application)))
    .build()
    .start();
`, workers, queue, cmp.Or(v.AcceptQueue, 1000), v.ifWorkers(fmt.Sprintf("    .setWorkerThreads(%d)\n", workers)))
	notes := []string{"RequestLimit answers 503 when its queue is full. A queueSize of 0 or less means no limit."}
	return items, []Snippet{{File: "Server.java", Lang: "java", Code: code}}, notes
}
