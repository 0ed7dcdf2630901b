package pending

import (
	"slices"

	"example.com/kneeline/internal/finding"
)

// Rules returns the rules by which heaps are judged.
func Rules() []finding.Rule {
	return slices.Clone([]finding.Rule{
		pileRule, deadRule, unboundedRule, fullRule, longRule, heapRule, staleRule, growthRule, waitersRule, unsentRule,
		retainRule, manyRule, loaderRule, localsRule, alsoHeldRule,
	})
}

// sources that several rules rest on.
const (
	littleSource = "J. D. C. Little, A proof for the queuing formula L = λW (1961)"
	feedSource   = "LinkedIn Engineering on the FollowFeed incident (2018): requests that waited in a queue of 5,000 filled the old generation"
	methodSource = "docs/methods/heap-pending.md"
	ageSource    = "docs/methods/heap-ages.md"
	queueSource  = "docs/methods/queueing.md: the useful queue"
	jdkPool      = "OpenJDK, java.util.concurrent.ThreadPoolExecutor, Queuing"
)

var pileRule = finding.Rule{
	ID: "HEP-01", Name: "requests-pile-up", Severity: finding.Error, Since: "0.1",
	Title: "requests pile up in a queue",
	Why: `More requests came than were served, and those that wait are in the heap, each with its connection, buffers and session.
They make every later request wait behind them, and the collector's work longer.

Each pending request is held from two or three places at once: the selector's keys, a scheduler of timeouts, the pool's queue.
So no single object retains them, and a list of the largest retained sizes does not name the queue.`,
	Formula: `a queue that work waits in, by the table of patterns or by its shape, with min-entries entries or more, and one of:
  its entries are known to stand for requests
  its head has been waiting longer than the timeout (1 s where none is given)
  all threads of its pool are busy, or threads are inside its entries' class
  it belongs to an executor and is 90% full
wait of a new request = entries / throughput`,
	Sources: []string{methodSource, littleSource, feedSource},
	Bad:     "19,491 requests in the job queue of QueuedThreadPool \"web\", the first for 74 s, all 12 threads busy",
	Good:    "no queue holds more than a few entries; what cannot be served in time is refused at once",
	Fix: `Limit the queue to what can be served within the clients' timeout; the report has the setting and, with --capacity and
--timeout, its value. Then look at what the busy threads wait for: the limit keeps the service alive, it does not make it faster.`,
}

var deadRule = finding.Rule{
	ID: "HEP-02", Name: "pending-longer-than-timeout", Severity: finding.Error, Since: "0.1",
	Title: "requests wait longer than their clients do",
	Why: `A request whose client has given up costs as much as any other and helps nobody. A queue that holds such requests serves
them first, so that those behind them come too late as well: throughput stays high, and goodput falls to nothing.

Clients that retry make it worse, as each attempt takes a place of its own.`,
	Formula: `age of the head > timeout, or entries > useful positions
useful positions = safe part of capacity × timeout, less what the workers hold`,
	Sources: []string{ageSource, queueSource, feedSource},
	Bad:     "the head waits for 74 s, the clients for 400 ms",
	Good:    "the head waits for 310 ms, the clients for 400 ms",
	Fix: `Give the queue the useful length, or bound the time in it (jetty.qos.maxSuspendDuration; a check of the request's age
when a worker takes it). Take the newest first while overloaded.`,
}

var unboundedRule = finding.Rule{
	ID: "HEP-03", Name: "queue-without-limit", Severity: finding.Warning, Since: "0.1",
	Title: "a queue of requests has no limit",
	Why: `A queue without limit never says no: it turns an overload of seconds into one of minutes, and ends when the heap is full.
Executors.newFixedThreadPool, Jetty's QueuedThreadPool and Tomcat's executor have such queues by default.`,
	Formula: `capacity 2,147,483,647 or none, and work piles up in it`,
	Sources: []string{jdkPool, methodSource},
	Bad:     "new LinkedBlockingQueue<>()",
	Good:    "new ArrayBlockingQueue<>(402)",
	Fix:     "Give it the useful length and a policy for what finds it full: refuse at once, with 503 and Retry-After.",
}

var fullRule = finding.Rule{
	ID: "HEP-04", Name: "queue-full", Severity: finding.Error, Since: "0.1",
	Title: "a queue is full and refuses what comes",
	Why: `What finds the queue full is refused: by an exception, by closing the connection, or by a response of 503. Servers also put
work of their own into that queue; where that is refused, connections may stay open for ever.`,
	Formula: `entries ≥ capacity`,
	Sources: []string{"jetty/jetty.project issue 1705: close tasks that a full pool refused left endpoints behind", methodSource},
	Bad:     "60,000 of 60,000 places taken",
	Good:    "12 of 402 places taken",
	Fix: `A full queue of the useful length does what it is for; look at the capacity. A full queue that is longer than that: see
HEP-02. In Jetty use QoSHandler, which counts requests alone.`,
}

var longRule = finding.Rule{
	ID: "HEP-05", Name: "limit-beyond-use", Severity: finding.Warning, Since: "0.1",
	Title: "a queue's limit is far beyond what is of use",
	Why: `The limit was set by memory or by habit and not by time: whoever waits in the last place has no client left when the turn
comes.`,
	Formula: `capacity > 2 × useful positions`,
	Sources: []string{queueSource, feedSource},
	Bad:     "60,000 places, of which 402 are of use at 1,200/s and 400 ms",
	Good:    "402 places",
	Fix:     "Set it to the useful positions: kneeline queuesize gives the value and the text for many servers.",
}

var heapRule = finding.Rule{
	ID: "HEP-06", Name: "full-queue-fills-heap", Severity: finding.Warning, Since: "0.1",
	Title: "a full queue would take much of the heap",
	Why:   `The limit of a queue is one of memory too. Where a full queue takes more than the heap has to spare, the process ends with OutOfMemoryError before the queue says no.`,
	Formula: `bytes each × capacity > half of the heap as dumped, and at least twice what the queue holds now
bytes each: what comes in equal numbers with an entry`,
	Sources: []string{methodSource},
	Bad:     "60,000 places × 17.6 kB = 1.06 GB in a heap of 1 GB",
	Good:    "402 places × 17.6 kB = 7 MB",
	Fix:     "Set the useful length. Where that is still too much memory, less of each request must be kept while it waits.",
}

var staleRule = finding.Rule{
	ID: "HEP-07", Name: "count-does-not-agree", Severity: finding.Note, Since: "0.1",
	Title: "a queue's count differs from the entries it holds",
	Why: `A count that is too high makes a queue refuse work though it has room, one that is too low lets it grow past its limit. It
also happens when a dump is taken of a process that does not stand still, or ends too early.`,
	Formula: `|count field − entries counted| > 1% of the entries, and at least 2`,
	Sources: []string{methodSource},
	Bad:     "count 5,000, entries 0",
	Good:    "count 402, entries 402",
	Fix:     "Take a second dump. If it says the same, look for entries that are removed without the count, and update the library.",
}

var growthRule = finding.Rule{
	ID: "HEP-08", Name: "pool-never-grows", Severity: finding.Warning, Since: "0.1",
	Title: "a pool cannot grow because its queue has no limit",
	Why: `A ThreadPoolExecutor adds a thread beyond corePoolSize only when its queue refuses a task. A queue without limit never does,
so that maximumPoolSize means nothing.`,
	Formula: `corePoolSize < maximumPoolSize, and the queue's capacity is none`,
	Sources: []string{jdkPool},
	Bad:     "new ThreadPoolExecutor(2, 200, 60, SECONDS, new LinkedBlockingQueue<>())",
	Good:    "new ThreadPoolExecutor(200, 200, 60, SECONDS, new ArrayBlockingQueue<>(402))",
	Fix:     "Set corePoolSize = maximumPoolSize, allowCoreThreadTimeOut(true), and a limit for the queue.",
}

var waitersRule = finding.Rule{
	ID: "HEP-09", Name: "callers-wait", Severity: finding.Warning, Since: "0.1",
	Title: "many callers wait for a connection, permit or future",
	Why: `The requests are inside the service and wait for something that is short: a connection of a pool, a permit, a lock, the
answer of another service. More threads would only make more of them wait.`,
	Formula: `waiting callers ≥ min-entries`,
	Sources: []string{methodSource, littleSource},
	Bad:     "1,190 threads wait for a permit of a Semaphore that 10 hold",
	Good:    "callers wait for milliseconds, and give up after the connection timeout",
	Fix: `Bound the wait (HikariCP connectionTimeout, Semaphore.tryAcquire, HttpClient connectionRequestTimeout) below the clients'
timeout, and admit no more requests than the resource serves in that time.`,
}

var unsentRule = finding.Rule{
	ID: "HEP-10", Name: "responses-not-sent", Severity: finding.Warning, Since: "0.1",
	Title: "responses pile up that could not be sent",
	Why: `The peer reads more slowly than the service writes. What was written and not yet sent is kept in memory, for each
connection, without limit unless the program looks at it.`,
	Formula: `writes not yet sent ≥ min-entries`,
	Sources: []string{"netty/netty, io.netty.channel.WriteBufferWaterMark", methodSource},
	Bad:     "29,904 writes in the ChannelOutboundBuffer of one channel, which writes on though isWritable() is false",
	Good:    "the program stops writing when isWritable() turns false, and goes on at channelWritabilityChanged",
	Fix:     "Stop at the high water mark (WriteBufferWaterMark), close connections that do not read for the idle timeout.",
}
