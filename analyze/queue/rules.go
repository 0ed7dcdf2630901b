package queue

import (
	"slices"

	"example.com/kneeline/internal/finding"
)

// Rules returns the rules that [Audit] can find broken.
func Rules() []finding.Rule {
	return slices.Clone([]finding.Rule{
		beyondUse, tooSmall, unbounded, backlogTiny, backlogBeyondUse, workersVsLittle,
		poolSum, poolTooSmall, noBudget, budgetShared, budgetOverHeadroom,
	})
}

// Rule returns the rule with an ID that [Rules] has. Checks of settings in files share
// pages with the audit where they object to the same thing.
func Rule(id string) finding.Rule {
	all := Rules()
	return all[slices.IndexFunc(all, func(r finding.Rule) bool { return r.ID == id })]
}

const (
	littleSource     = "J. D. C. Little, A proof for the queuing formula L = λW (1961)"
	followFeedSource = "LinkedIn Engineering on the FollowFeed incident (2018): a queue of 5,000 where 480 were of use"
	metastableSource = "N. Bronson et al., Metastable failures in distributed systems, HotOS (2021)"
)

var beyondUse = finding.Rule{
	ID: "QUE-01", Name: "useless-queue", Title: "the request queue is longer than clients wait",
	Why: `A request that enters behind more than capacity × timeout others is served after its client has
left. While the queue is full, which it is for as long as more arrives than capacity, every answer is
late: the server works at full speed for nobody, and clients that retry keep it there.

A little past the break point is as bad as far past it: with 500 in place of 480, 34% of capacity is
answered in time at 1.1 times the capacity; with 400, all of it.`,
	Formula: `break point  K = capacity × timeout          requests in the system
safe value   K − 3√K
queue        safe value − workers                waiting positions
error over 4 times the break point, warning over it,
note over the safe value where goodput suffers or clients hedge`,
	Sources: []string{littleSource, followFeedSource},
	Bad:     "queue 5,000 at 1,200/s and a client timeout of 400ms: useful 480, drained in 4.17s",
	Good:    "queue 402 with 12 workers",
	Fix: `Set the queue to the safe value without the workers, so that what cannot be answered in time is refused at
once and the client can go elsewhere. Where the queue must stay, drop requests that have waited for longer than the
timeout when they leave it, or serve the newest first.`,
	Severity: finding.Warning, Since: "0.1",
}

var tooSmall = finding.Rule{
	ID: "QUE-03", Name: "queue-too-small", Title: "the request queue refuses requests at normal load",
	Why: `Requests do not arrive evenly. A queue that is too short for ordinary bursts refuses requests although
the server has capacity for them on average.`,
	Formula: `refused = π_K of M/M/c/K at the peak, c workers, K = workers + queue
found where refused > 0.1% and a longer queue is still useful`,
	Sources:  []string{"L. Kleinrock, Queueing Systems I (1975), section 3.6"},
	Bad:      "queue 2 with 12 workers, 1,200/s capacity and a peak of 950/s: 5.5% of the requests are refused",
	Good:     "queue 402: none is refused at the peak, none is late past it",
	Fix:      "Set the queue to the safe value without the workers.",
	Severity: finding.Warning, Since: "0.1",
}

var unbounded = finding.Rule{
	ID: "QUE-04", Name: "unbounded-queue", Title: "the request queue has no limit",
	Why: `Past capacity a queue without a limit grows until memory is gone. Long before that every request in it
has been given up by its client, and it stays so after the overload has ended until the whole backlog is worked off.

Without a limit is the default of Jetty's thread pool, of Tomcat's executor and of Java's own executors.`,
	Formula: `growth = arrival rate − capacity, requests per second, without end`,
	Sources: []string{
		"Jetty QueuedThreadPool, Tomcat Executor maxQueueSize, java.util.concurrent.Executors: defaults in their documentation",
		followFeedSource,
	},
	Bad:  "maxQueueSize unset: 2,147,483,647",
	Good: "maxQueueSize=\"402\"",
	Fix:  "Set a limit: capacity × timeout less three standard deviations and the workers.", Severity: finding.Error, Since: "0.1",
}

var backlogTiny = finding.Rule{
	ID: "LSN-01", Name: "tiny-accept-queue", Title: "the accept queue overflows in a pause",
	Why: `While the process does not accept, as in a pause of the garbage collector, connections wait in the
kernel. When its queue is full the kernel drops their handshakes; clients try again after a second, which for
most is later than their timeout.`,
	Formula: `needed = connections per second × longest pause
at worst every request opens a connection`,
	Sources: []string{
		"listen(2) and tcp(7) of the Linux manual pages",
		"OpenJDK: a backlog below 1 becomes 50",
	},
	Bad:  "accept queue 50, 950 new connections/s, pauses of 100ms: 95 arrive",
	Good: "accept queue 66, pauses of 60ms",
	Fix: `Set the accept queue to what arrives in a pause, but to no more than can still be answered in time;
beyond that shorten the pause, or let clients keep their connections open.`,
	Severity: finding.Warning, Since: "0.1",
}

var backlogBeyondUse = finding.Rule{
	ID: "LSN-02", Name: "useless-accept-queue", Title: "the accept queue is beyond use, or cut by the kernel",
	Why: `Connections in the accept queue wait before those in the request queue, so the waits add up. Neither the
server nor its metrics see the first one.

A backlog over net.core.somaxconn is cut to it without a message, so the setting says one thing and the kernel
does another.`,
	Formula: `wait  = accept queue / capacity + request queue / capacity
room  = break point − workers − request queue, at least break point − safe value
found where accept queue > room, or > somaxconn`,
	Sources:  []string{"listen(2) of the Linux manual pages", followFeedSource},
	Bad:      "accept queue 2,000 before a request queue of 5,000 at 1,200/s: 1.67s + 4.17s = 5.83s",
	Good:     "accept queue 66 before a request queue of 402: 0.39s",
	Fix:      "Set the accept queue to the margin between break point and safe value, and net.core.somaxconn to no less.",
	Severity: finding.Warning, Since: "0.1",
}

var workersVsLittle = finding.Rule{
	ID: "CON-01", Name: "workers-against-little", Title: "the number of workers does not fit Little's law",
	Why: `Capacity × service time workers are busy at capacity. Fewer than peak × service time cannot carry the
peak. Far more let requests pile up inside the server, in front of a processor, a lock or a database, where they
are slow, hold memory and cannot be refused any more.`,
	Formula: `busy = rate × mean service time
found where workers < busy at the peak, or > 2 × busy at capacity;
without the service time where workers > capacity × timeout`,
	Sources:  []string{littleSource},
	Bad:      "200 workers, 1,200/s × 10ms = 12 busy",
	Good:     "15 workers: 12 busy and a sixth free",
	Fix:      "Set capacity × service time × 1.2 workers, and measure capacity again: it may be higher.",
	Severity: finding.Warning, Since: "0.1",
}
