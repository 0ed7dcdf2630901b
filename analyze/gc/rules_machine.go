package gc

import "example.com/kneeline/internal/finding"

var waitRule = finding.Rule{
	ID: "GCO-14", Name: "safepoint-waits", Severity: finding.Warning, Since: "0.1",
	Title: "threads take long to stop",
	Why: `A pause begins when the last thread has come to a safepoint. Until then all others stand and wait, and the log of pauses does not
count it. Counted loops without a safepoint, large copies, page faults on mapped files and threads without a processor keep it
waiting.`,
	Formula: "time to safepoint of 200 ms or more: 3 times at least, or once of 1 s or more",
	Sources: []string{"E. Jones, The four month bug: JVM statistics cause garbage collection pauses (2015)",
		"OpenJDK, JDK-5014723 and JDK-8186027: safepoints in counted loops, loop strip mining"},
	Bad:  "threads took up to 2.3 s to stop, 14 times over 200 ms",
	Good: "threads stop within 1 ms",
	Fix: `Find the thread that is late: -Xlog:safepoint*=debug (up to JDK 8 -XX:+PrintSafepointStatistics
-XX:PrintSafepointStatisticsCount=1), or -XX:+SafepointTimeout -XX:SafepointTimeoutDelay=200. Before JDK 10 set
-XX:+UseCountedLoopSafepoints; where /tmp is on a disk, -XX:+PerfDisableSharedMem.`,
}

var starvedRule = finding.Rule{
	ID: "GCO-15", Name: "starved-pauses", Severity: finding.Error, Since: "0.1",
	Title: "in pauses the collector waits for memory or processors",
	Why: `A collector that runs uses at least as much CPU time as its pause is long. If user and system time together are less than half of
the pause, its threads did not run: they waited for pages to come back from swap, for the log to be written, or for a processor
that others had. No GC setting helps against that.`,
	Formula: "pauses of 100 ms or more with user + sys < real / 2: 3 at least, and 10% of the pauses of that length at least\nerror where they take 1% of the observed time or more",
	Sources: []string{g1Source + ": Unusual System or Real-Time Usage"},
	Bad:     "[Times: user=0.31 sys=0.22, real=9.87 secs]",
	Good:    "[Times: user=3.10 sys=0.02, real=0.41 secs]",
	Fix: `Look at swap first (vmstat: si and so over 0): swapoff, or vm.swappiness=1, or less memory for others. Then at the steal time
and the run queue of the machine. Reserve memory at the start with -XX:+AlwaysPreTouch, and write GC logs to a disk that is not
busy (-Xlog:async from JDK 17 on).`,
}

var quotaRule = finding.Rule{
	ID: "GCO-16", Name: "cpu-quota-pauses", Severity: finding.Warning, Since: "0.1",
	Title: "a CPU quota stretches pauses",
	Why: `A container with a CPU limit gets its share of each period of 100 ms, and stands for the rest of it once that is used up. Many GC
threads use it up at once: with 8 threads and a limit of 2 processors the collector runs 25 ms and stands 75 ms, while the program
is stopped.`,
	Formula: `(user + sys) / real of parallel pauses of 200 ms or more (two periods): 5 at least,
the median between 0.5 and half of the GC threads, and the middle half of them within 20% of it`,
	Sources: []string{"Linux kernel documentation, CFS Bandwidth Control: the default period is 100 ms",
		"Oracle, java command: -XX:ActiveProcessorCount, -XX:ParallelGCThreads"},
	Bad:  "8 GC threads had 2.0 processors in each of 31 pauses",
	Good: "8 GC threads had 7.6 processors",
	Fix: `Set -XX:ActiveProcessorCount (GOMAXPROCS for Go) to the CPU limit, rounded up, or raise the limit, or take it away and keep the
request. nr_throttled in the cgroup's cpu.stat shows the effect.`,
}

var stallRule = finding.Rule{
	ID: "GCO-17", Name: "allocation-stalls", Severity: finding.Warning, Since: "0.1",
	Title: "threads wait for the collector to free memory",
	Why: `A collector that works beside the program has no long pauses. When it is too slow for the allocation the threads that allocate are
stopped one by one until memory is there. For their requests that is a pause, and the log of pauses shows nothing of it.`,
	Formula: "allocation stalls: 1 at least\nerror where one takes 400 ms or more, or their share of time violates a tier",
	Sources: []string{"OpenJDK wiki, ZGC: the heap must hold the live set and what is allocated while the collector runs", hodorSource},
	Bad:     "211 allocation stalls of up to 1.4 s, longest pause 0.2 ms",
	Good:    "no allocation stall",
	Fix: `Raise -Xmx, or give the collector more threads (-XX:ConcGCThreads), or let it begin earlier (-XX:SoftMaxHeapSize below -Xmx,
-XX:ZAllocationSpikeTolerance=5). Use generational ZGC: -XX:+UseZGC -XX:+ZGenerational in JDK 21 and 22, the default from 23 on.`,
}

var tightGoRule = finding.Rule{
	ID: "GCO-18", Name: "tight-go-heap", Severity: finding.Error, Since: "0.1",
	Title: "GOMEMLIMIT or GOGC leaves no room over the live heap",
	Why: `Go begins a collection so that it ends at the heap goal. Near a memory limit the goal is hardly over the live heap: collections
follow each other and free next to nothing. The runtime stops at half of the CPU time and then lets the heap grow over the limit,
so that the process is slow first and killed later.`,
	Formula: `heap goal / live heap < 1.25 in collections over 10 s or more without another, 10 at least
and a GC CPU share over the window of 25% or more`,
	Sources: []string{goSource, "Go source, runtime/mgclimit.go"},
	Bad:     "live heap 950MiB, goal 960MiB: 30 collections a second, 47% of the CPU time",
	Good:    "live heap 400MiB, goal 800MiB: a collection every 2 s",
	Fix: `Raise GOMEMLIMIT to twice the live heap (and the container's memory with it), or hold less. Without a memory limit raise GOGC. As
a safeguard leave 5 to 10% between GOMEMLIMIT and the container's limit.`,
}

var timeLimitRule = finding.Rule{
	ID: "GCO-19", Name: "gc-time-limit", Severity: finding.Error, Since: "0.1",
	Title: "the virtual machine itself gives up on collecting",
	Why: `HotSpot counts the time of collections and what they free: 98% of the time and less than 2% of the heap, five times in a row, is an
OutOfMemoryError. The note in the log that the limit would be exceeded is the last warning before it. OpenJ9 warns of excessive
GC in the same way, at 95%.`,
	Formula: "the log says so: 1 at least",
	Sources: []string{"Oracle, java command: -XX:+UseGCOverheadLimit, -XX:GCTimeLimit=98, -XX:GCHeapFreeLimit=2",
		"Eclipse OpenJ9 documentation: -Xgc:excessiveGCratio"},
	Bad:  "GC time would exceed GCTimeLimit of 98%",
	Good: "no such line",
	Fix: `Raise -Xmx to three times the live set, or find what holds the memory: -XX:+HeapDumpOnOutOfMemoryError. Do not turn the limit
off: without it the process hangs in place of ending.`,
}

var degeneratedRule = finding.Rule{
	ID: "GCO-20", Name: "degenerated-collections", Severity: finding.Warning, Since: "0.1",
	Title: "concurrent work had to be finished in pauses",
	Why: `When the program allocates faster than a concurrent collection frees, Shenandoah finishes it with the program stopped (Degenerated
GC), and OpenJ9 turns a young collection into one of the whole heap (percolate). Both are pauses that the collector was chosen to
avoid.`,
	Formula: "degenerated or percolated collections: 3 at least, or one of 400 ms or more",
	Sources: []string{"OpenJDK wiki, Shenandoah: failure modes", "Eclipse OpenJ9 documentation, verbose GC logs: percolate-collect"},
	Bad:     "14 degenerated collections of up to 0.9 s",
	Good:    "no degenerated collection",
	Fix: `Raise -Xmx, give the collector more threads (-XX:ConcGCThreads), or let it begin earlier (-XX:+UnlockExperimentalVMOptions
-XX:ShenandoahMinFreeThreshold=20).`,
}

var blindRule = finding.Rule{
	ID: "GCO-21", Name: "no-pause-data", Severity: finding.Warning, Since: "0.1",
	Title: "the log shows collections but no pauses",
	Why: `With -Xlog:gc ZGC logs one line a cycle, with the heap and without the pauses; allocation stalls are not in it either. No
overhead can be computed from that, and 0% would be an invention.`,
	Formula: "collections in the log, and not one pause with a duration",
	Sources: []string{"OpenJDK, JEP 158: Unified JVM Logging; ZGC logs its pauses with the tags gc,phases"},
	Bad:     "-Xlog:gc:file=gc.log",
	Good:    "-Xlog:gc*,safepoint:file=gc.log:time,uptime,level,tags:filecount=10,filesize=20m",
	Fix:     "Log with -Xlog:gc*,safepoint:file=gc.log:time,uptime,level,tags:filecount=10,filesize=20m.",
}

var deadlineRule = finding.Rule{
	ID: "GCO-22", Name: "pauses-over-timeout", Severity: finding.Warning, Since: "0.1",
	Title: "pauses are longer than clients wait",
	Why: `A request that arrives in a pause waits for its end. If that is further away than the client's timeout, the answer is late
whatever the service does. The share of time in which that holds is the share of requests that GC alone makes late; those that
queue up behind the pause come on top.`,
	Formula: `late(t): of the timeout after t, pauses leave less than the service time
found: late for 0.1% of the time or more (the budget of 99.9%); error from 1%`,
	Sources: []string{"docs/methods/gc-overhead.md", "J. Dean and L. A. Barroso, The tail at scale, Communications of the ACM 56 (2013)"},
	Bad:     "timeout 400 ms: 1.3% of the time a request cannot be answered in time",
	Good:    "longest pause 180 ms, timeout 400 ms",
	Fix: `Shorten pauses: -XX:MaxGCPauseMillis with G1, or a collector without long pauses (ZGC, Shenandoah). Until then let clients hedge
or retry elsewhere, within a budget.`,
}
