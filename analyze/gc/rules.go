package gc

import (
	"slices"

	"example.com/kneeline/internal/finding"
)

// Rules returns the rules by which GC logs are judged.
func Rules() []finding.Rule {
	return slices.Clone([]finding.Rule{
		overloadRule, leakRule, smallRule, stormRule, concurrentModeRule, promotionFailedRule, evacuationRule,
		allocationRule, promotionRule, humongousRule, metaspaceRule, explicitRule, remarkRule, waitRule,
		starvedRule, quotaRule, stallRule, tightGoRule, timeLimitRule, degeneratedRule, blindRule, deadlineRule,
	})
}

// sources that several rules rest on.
const (
	hodorSource   = "LinkedIn Engineering, Hodor: Detecting and addressing overload in LinkedIn microservices (2022): the GC overhead detector"
	elasticSource = "Elasticsearch, JvmGcMonitorService: GC overhead of 10, 25 and 50% is logged at debug, info and warn"
	tuningSource  = "Oracle, HotSpot Virtual Machine Garbage Collection Tuning Guide"
	g1Source      = "Oracle, HotSpot Virtual Machine Garbage Collection Tuning Guide, Garbage-First Garbage Collector Tuning"
	huntSource    = "C. Hunt and B. John, Java Performance (2011), chapter 7: a heap of 3 to 4 times the live data after a full collection"
	goSource      = "A Guide to the Go Garbage Collector, go.dev/doc/gc-guide: GOGC, memory limit, and the 50% limit on GC CPU time"
	feedSource    = "LinkedIn Engineering on the FollowFeed incident (2018): requests that waited in a queue of 5,000 filled the old generation"
)

var overloadRule = finding.Rule{
	ID: "GCO-01", Name: "gc-overload", Severity: finding.Error, Since: "0.1",
	Title: "garbage collection takes too much time for too long",
	Why: `While the collector has the processors, requests do not: at a GC overhead of 50% a service has half of its capacity left, and a
load that it bore a minute ago is an overload now. The requests that wait meanwhile are live objects, which make the next
collection longer.

The throughput over a whole log, which most tools print, does not show it: a log with 99.75% throughput can contain two
minutes in which almost nothing but the collector ran.`,
	Formula: `O(t) = time in GC within the last 30 s / 30 s, exactly, at every instant
tier entered at O ≥ threshold, left at O < 0.8 × threshold
violation: a tier occupied for its period (10%: 60s, 25%: 20s, 50%: 10s, 80%: 5s)
error from the tier of 50%, warning below it`,
	Sources: []string{hodorSource, elasticSource, "docs/methods/gc-overhead.md"},
	Bad:     "94% of the time in pauses from 10:02:11 to 10:04:40, tier 80% violated at 10:02:16",
	Good:    "at most 6% of any 30 s in pauses",
	Fix: `The report names the cause that the log shows, and the setting that belongs to it. Where it shows none: give the heap more
room (-Xmx, GOMEMLIMIT, --max-old-space-size), allocate less, or admit less load at once, since every request in the system
holds memory.`,
}

var leakRule = finding.Rule{
	ID: "GCO-02", Name: "old-generation-fills", Severity: finding.Warning, Since: "0.1",
	Title: "what survives collections grows towards the heap's end",
	Why: `What is left after a collection of old objects is what the program holds on to. If that grows all the time, the heap will be
full at a time that can be computed, and long before it the collector runs more and more often for less and less.

It need not be a leak in the code: a queue that is longer than its clients wait fills the heap in the same way, with requests
that nobody waits for any more.`,
	Formula: `samples: the least heap after a collection, between collections of old objects
slope: Theil–Sen, with its 95% interval; of the whole run and of its later half
found: both intervals are above 0, over 10 minutes at least, and the growth is 5% of the capacity at least;
the line reaches the capacity within 10 times the time watched
time until full = (capacity − level) / slope
without a known capacity: the live set has grown by half
error: full within a day by an hour of samples at least, or over 90% already`,
	Sources: []string{feedSource, "P. K. Sen, Estimates of the regression coefficient based on Kendall's tau (1968)"},
	Bad:     "live set 2.1GiB on Monday, 3.4GiB on Friday, of 4GiB: full in 41h (36h to 48h)",
	Good:    "live set 1.2GiB all week, of 4GiB",
	Fix: `Take a heap dump (jcmd PID GC.heap_dump FILE, or the heap profile of Go or Node) and look at what there is most of. If it is
requests, bound the queue that they wait in. A larger -Xmx only moves the day.`,
}

var smallRule = finding.Rule{
	ID: "GCO-03", Name: "heap-too-small", Severity: finding.Error, Since: "0.1",
	Title: "the heap is too small for what lives in it",
	Why: `A collection costs about as much as what lives, and frees what does not. When 90% of the heap lives, each full collection buys a
tenth of a heap of allocation, and the next one follows at once: cost per allocated byte grows like live / (capacity − live).`,
	Formula: `full collections with heap after ≥ 90% of the capacity: 2 at least
cost of collection per byte ∝ live / (capacity − live)
advice: capacity ≥ 3 × live set`,
	Sources: []string{huntSource, tuningSource + ": GCHeapFreeLimit"},
	Bad:     "heap after full collections 3.9GiB of 4GiB, 12 times",
	Good:    "heap after full collections 1.2GiB of 4GiB",
	Fix: `Set -Xmx (--max-old-space-size for Node) to three times the live set, or hold less: bound caches and queues. If the live set
grows all the time, look for what grows first.`,
}

var stormRule = finding.Rule{
	ID: "GCO-04", Name: "full-gc-storm", Severity: finding.Warning, Since: "0.1",
	Title: "full collections follow each other",
	Why: `A full collection stops the program for as long as it takes to go through all of the heap. It is the last resort of a
collector: several within half a minute say that it cannot keep up, or that each frees too little for the next to be avoided.`,
	Formula: `3 full collections or more, none of them asked for by the program, each within 30 s of the one before,
that take 5% of the time from the first to the last at least; error from 25%`,
	Sources: []string{g1Source + ": Observing Full GCs", "SAP Solution Manager documentation: up to 5% of the time in GC is normal"},
	Bad:     "41 full collections from 10:02:11 to 10:04:40 took 139 s of 149 s",
	Good:    "one full collection of 1.2 s a day",
	Fix: `Find out why from what else the report shows: a heap too small for the live set, a leak, failed evacuations or a concurrent
collection that begins too late.`,
}

var concurrentModeRule = finding.Rule{
	ID: "GCO-05", Name: "concurrent-mode-failure", Severity: finding.Error, Since: "0.1",
	Title: "concurrent collection lost the race against allocation",
	Why: `The concurrent collector (CMS) frees the old generation while the program runs. When the old generation is full before it has
finished, the program is stopped and the whole heap is collected and compacted by one thread.`,
	Formula: "pauses that the log marks \"concurrent mode failure\": 1 at least",
	Sources: []string{tuningSource + " (JDK 8): Concurrent Mode Failure"},
	Bad:     "concurrent mode failure, 14.2 s stopped",
	Good:    "concurrent cycles begin at 70% and end with room to spare",
	Fix: `Begin earlier: -XX:CMSInitiatingOccupancyFraction=60 -XX:+UseCMSInitiatingOccupancyOnly, or give the old generation more room
(-Xmx). CMS has been removed in JDK 14: -XX:+UseG1GC.`,
}

var promotionFailedRule = finding.Rule{
	ID: "GCO-06", Name: "promotion-failed", Severity: finding.Warning, Since: "0.1",
	Title: "the old generation had no room for survivors",
	Why: `A young collection moves what has survived for long enough to the old generation. If that has no room, or none in one piece, the
collection is undone and a full one follows, with the program stopped.`,
	Formula: "pauses that the log marks \"promotion failed\": 1 at least; error where they stopped the program for 1 s or more at once",
	Sources: []string{tuningSource + " (JDK 8): Concurrent Mark Sweep Collector"},
	Bad:     "promotion failed 3 times, up to 8.1 s stopped",
	Good:    "no failed promotion",
	Fix: `Leave more room in the old generation: raise -Xmx, or begin concurrent collection earlier
(-XX:CMSInitiatingOccupancyFraction=60 -XX:+UseCMSInitiatingOccupancyOnly). A smaller young generation (-Xmn) promotes less at
once.`,
}

var evacuationRule = finding.Rule{
	ID: "GCO-07", Name: "evacuation-failure", Severity: finding.Warning, Since: "0.1",
	Title: "no free region was left to copy objects to",
	Why: `G1 frees regions by copying what lives in them to free ones. When there is no free region left (older versions say "to-space
exhausted") objects stay where they are, the pause takes several times as long, and often a full collection follows.

Regions that cannot be evacuated because native code has pinned them are another matter and are left out.`,
	Formula: "pauses that the log marks \"Evacuation Failure\", \"To-space exhausted\" or \"to-space overflow\", not for pinned\nregions: 1 at least; error from 5 that are 5% of all pauses, or where one takes 1 s or more",
	Sources: []string{g1Source + ": Observing Full GCs", "JEP 423: Region Pinning for G1"},
	Bad:     "To-space exhausted in 12 of 200 pauses",
	Good:    "the reserve of 10% was never used up",
	Fix: `Raise -Xmx, begin concurrent marking earlier (-XX:InitiatingHeapOccupancyPercent=35, from JDK 9 on with
-XX:-G1UseAdaptiveIHOP, since it is learned otherwise), or keep a larger reserve (-XX:G1ReservePercent=20).`,
}
