package pending

import "example.com/kneeline/internal/finding"

// graphSource is what the rules of the graph rest on.
const graphSource = "docs/methods/heap-graph.md"

var retainRule = finding.Rule{
	ID: "HEP-11", Name: "one-object-retains-much", Severity: finding.Warning, Since: "0.2",
	Title: "one object retains a large part of the heap",
	Why: `What one object retains would all be freed if nothing referred to that object any more: a map without limit, a queue, a
cache, a session, or the local variable of a thread that does not end. It is where to look first, and mostly the whole cause.

The accumulation point is the innermost object that still retains most of it: the table of the map rather than the singleton
that holds the map.`,
	Formula: `retained size ≥ 10% of what roots reach and ≥ 1 MiB; the accumulation point is found by going to the largest child as long as
it retains 70% of its parent or more`,
	Sources: []string{graphSource, "T. Lengauer and R. E. Tarjan, A fast algorithm for finding dominators in a flowgraph (1979)", "Eclipse MAT, leak suspects: find_leaks"},
	Bad:     "a static HashMap retains 72% of the heap: 1,400,000 sessions, none of which ever ends",
	Good:    "what is kept has a limit, and the limit times the size of an entry fits into the heap several times",
	Fix:     "Bound what accumulates there, by count and by time, and find out who stops taking it out.",
}

var manyRule = finding.Rule{
	ID: "HEP-12", Name: "many-objects-retain-much", Severity: finding.Warning, Since: "0.2",
	Title: "many objects of one class retain a large part of the heap",
	Why: `No single object holds them, so a list of the largest shows none of them: requests that a selector, a timer and a pool hold
at once, or sessions in several maps.`,
	Formula: `objects of one class that nothing dominates, each below 10% of what roots reach, retain 10% or more together, and 1 MiB or more`,
	Sources: []string{graphSource, "Eclipse MAT, leak suspects: find_leaks"},
	Bad:     "19,500 HttpConnection, each held from three places, retain 62% of the heap",
	Good:    "as many as are served at once",
	Fix:     "Look at how many there are against how many the service should have, and at what limits their number.",
}

var loaderRule = finding.Rule{
	ID: "HEP-13", Name: "class-loaders-pile-up", Severity: finding.Warning, Since: "0.2",
	Title: "class loaders of one kind pile up",
	Why: `A class loader is freed with all its classes or not at all. An application that is redeployed, or a script that is compiled
for every request, leaves a loader with its classes and their static fields behind when one thread, driver or listener still
refers to any of it.`,
	Formula: `a class of which two loaders or more have a copy, and all such loaders retain 10% or more of what roots reach,
and 1 MiB or more, as a set with the classes they loaded and the objects of these`,
	Sources: []string{graphSource, "Apache Tomcat documentation, memory leak protection"},
	Bad:     "14 ParallelWebappClassLoader, each with the same 2,100 classes",
	Good:    "one a deployed application",
	Fix:     "Ask who holds the old ones (heap path DUMP ADDRESS), and end its threads, timers and registered drivers on undeployment.",
}

var localsRule = finding.Rule{
	ID: "HEP-14", Name: "thread-locals-retain-much", Severity: finding.Warning, Since: "0.2",
	Title: "thread-local variables retain a large part of the heap",
	Why: `What a thread-local variable holds lives as long as its thread, which in a pool is for ever: a buffer that grew once for one
large request stays, times the number of threads.`,
	Formula: `ThreadLocalMaps retain 10% or more of what roots reach, and 1 MiB or more`,
	Sources: []string{graphSource, "OpenJDK, java.lang.ThreadLocal"},
	Bad:     "200 threads hold 8 MiB each in thread-local buffers",
	Good:    "buffers are given back, or have a greatest size from which they are not kept",
	Fix:     "Remove the variable when the request ends (ThreadLocal.remove), or bound what is kept in it.",
}

var alsoHeldRule = finding.Rule{
	ID: "HEP-15", Name: "pending-held-elsewhere", Severity: finding.Note, Since: "0.2",
	Title: "others than the queue hold the pending requests as well",
	Why: `Emptying the queue would not free them: a scheduler of timeouts, a map of requests under way or the keys of a selector
refer to them too. They go only when all of those let go, and a timeout that is longer than the wait keeps them for its time.`,
	Formula: `entries that would be freed with the queue < half of the entries`,
	Sources: []string{graphSource, "docs/methods/heap-pending.md"},
	Bad:     "19,491 requests in the queue of the pool, each also in a scheduler's heap for 30 s",
	Good:    "a request that is taken from the queue or refused is cancelled everywhere",
	Fix:     "Cancel the timer and remove the entry of the map when a request is refused or answered.",
}
