package gc

import "example.com/kneeline/internal/finding"

var allocationRule = finding.Rule{
	ID: "GCO-08", Name: "allocation-rate", Severity: finding.Warning, Since: "0.1",
	Title: "the program allocates faster than is cheap to collect",
	Why: `Young collections come as often as allocation fills the young generation. When they come every second and together take more
than a twentieth of the time, it is the rate of allocation that costs capacity, whatever the length of a single pause.`,
	Formula: `rate = (heap before a collection − heap after the one before) / time between
found: one young collection a second at least, over a minute at least, and young collections take 5% of the time at least`,
	Sources: []string{"SAP Solution Manager and GlassFish documentation: 5% of the time in GC is where attention begins",
		tuningSource + ": throughput and the size of the young generation"},
	Bad:  "3.1GiB/s allocated, 4 young collections a second, 11% of the time",
	Good: "200MiB/s allocated, a young collection every 5 s, 0.4% of the time",
	Fix: `Allocate less on the path of a request (a profiler shows where), or make the young generation larger: a higher -Xmx, -Xmn with
Serial, Parallel and CMS, -XX:MaxGCPauseMillis=300 with G1, --max-semi-space-size=64 for Node, a higher GOGC for Go.`,
}

var promotionRule = finding.Rule{
	ID: "GCO-09", Name: "premature-promotion", Severity: finding.Warning, Since: "0.1",
	Title: "garbage reaches the old generation",
	Why: `An object that dies in the young generation costs nothing. One that is moved to the old generation and dies there is copied, and
waits for a collection of all of the heap. When full collections come often and free most of the old generation each time, what
they free should not have been there.`,
	Formula: `full collections that nobody asked for: 5 at least, 60 s apart or less on average,
which free half of the old generation or more; time from first to last: 60 s at least`,
	Sources: []string{huntSource + "; the same chapter on the sizes of survivor spaces"},
	Bad:     "a full collection every 20 s frees 71% of the old generation",
	Good:    "a full collection a day",
	Fix: `Give objects time to die young: a larger young generation (-Xmn, or a lower -XX:NewRatio), larger survivor spaces
(-XX:SurvivorRatio=6), -XX:MaxTenuringThreshold=15. Requests that wait for long in a queue are promoted too: bound the queue.`,
}

var humongousRule = finding.Rule{
	ID: "GCO-10", Name: "humongous-churn", Severity: finding.Warning, Since: "0.1",
	Title: "large objects set off collections",
	Why: `An object larger than half a region of G1 is allocated straight in the old generation, in regions of its own whose rest is wasted.
Each such allocation may begin a concurrent cycle, and many of them scatter the heap until a full collection is needed.`,
	Formula: "pauses caused by \"G1 Humongous Allocation\": 5 at least, and 10% of all pauses at least",
	Sources: []string{g1Source + ": Humongous Object Fragmentation"},
	Bad:     "41 of 160 pauses were set off by humongous allocations",
	Good:    "no pause was set off by a humongous allocation",
	Fix: `Make the regions larger, so that fewer objects are humongous: -XX:G1HeapRegionSize=16m (a power of two up to 32m; up to 512m from
JDK 18), or allocate smaller buffers.`,
}

var metaspaceRule = finding.Rule{
	ID: "GCO-11", Name: "metaspace", Severity: finding.Warning, Since: "0.1",
	Title: "class metadata sets off collections",
	Why: `When class metadata reaches a limit that grows with it, the heap is collected to unload classes. While a program starts that is
normal. Later it means that classes are loaded all the time, as by leaking class loaders or generated classes; at the hard limit
the collector ends in full collections, and the program in OutOfMemoryError: Metaspace.`,
	Formula: "pauses with cause \"Metadata GC Threshold\" more than 5 minutes after the start: 3 at least;\nerror when a last-ditch collection followed",
	Sources: []string{tuningSource + ": Class Metadata"},
	Bad:     "\"Metadata GC Threshold\" 14 times in the third hour",
	Good:    "\"Metadata GC Threshold\" twice in the first minute",
	Fix: `Set the first limit above what is used in normal operation (-XX:MetaspaceSize=256m), and raise -XX:MaxMetaspaceSize where one is
set. If metadata grows all the time, look for class loaders that leak: jcmd PID VM.classloader_stats (JDK 8: jmap -clstats PID). Up to JDK 7 the limit is
-XX:MaxPermSize.`,
}

var explicitRule = finding.Rule{
	ID: "GCO-12", Name: "explicit-gc", Severity: finding.Note, Since: "0.1",
	Title: "the program asks for full collections",
	Why: `A call of System.gc() stops the program for a full collection at a time that has nothing to do with need. Old versions of RMI call
it every hour, some libraries in order to free native memory.`,
	Formula: `full pauses that were asked for: 1 at least; of Go, collections by runtime.GC from their first pause to their last
warning where they take 1% of the observed time or more, or one stops the program for 1 s or more`,
	Sources: []string{tuningSource + ": Explicit Garbage Collection"},
	Bad:     "24 full collections by System.gc(), up to 4.2 s",
	Good:    "System.gc() with -XX:+ExplicitGCInvokesConcurrent: pauses of 20 ms",
	Fix: `Set -XX:+ExplicitGCInvokesConcurrent (G1, CMS, Shenandoah: with others it does nothing), or -XX:+DisableExplicitGC where no direct buffers depend on it. For RMI set
-Dsun.rmi.dgc.server.gcInterval and -Dsun.rmi.dgc.client.gcInterval to a day or more.`,
}

var remarkRule = finding.Rule{
	ID: "GCO-13", Name: "slow-reference-processing", Severity: finding.Warning, Since: "0.1",
	Title: "the pauses that end marking are slow",
	Why: `Concurrent marking ends with a pause in which weak, soft and phantom references and finalizers are worked off and classes are
unloaded. With many such references, as caches and direct buffers make, it is by far the longest of the concurrent cycle.`,
	Formula: "remark pauses of 200 ms or more: 3 at least",
	Sources: []string{g1Source + ": Reference Object Processing Takes Too Long"},
	Bad:     "12 remark pauses of up to 1.4 s",
	Good:    "remark pauses of 15 ms",
	Fix: `Set -XX:+ParallelRefProcEnabled (the default of G1 from JDK 17 on), and see in the log with -Xlog:gc+phases+ref*=debug, or
-XX:+PrintReferenceGC before JDK 9, which references there are. With CMS add -XX:+CMSScavengeBeforeRemark.`,
}
