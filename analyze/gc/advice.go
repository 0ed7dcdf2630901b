package gc

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/kneeline/gcparse"
)

// What a finding advises must exist where it is pasted: a virtual machine does not
// start with a flag that its version does not know, and does nothing with one that
// belongs to another collector. The settings of this file are those that differ.

// latest stands for a release that a log does not limit.
const latest = 1 << 10

// releases are the JDK releases that the log can be of: one if it states its
// version, else those that write its format.
func (f *finder) releases() (least, most int) {
	least, most = 0, latest
	for _, r := range f.res.Runs {
		if n := release(r.Version); n > 0 {
			least, most = n, n
			continue
		}
		switch r.Family {
		case "unified":
			least, most = 9, latest
		case "legacy":
			least, most = 0, 8
		}
	}
	return least, most
}

// release is the number of the JDK in a version: 8 of "1.8.0_352-b08", 17 of
// "17.0.12+7 (release)", 0 where there is none.
func release(version string) int {
	version = strings.TrimPrefix(version, "1.")
	end := strings.IndexFunc(version, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(version)
	}
	n, err := strconv.Atoi(version[:end])
	if err != nil || n >= latest {
		return 0
	}
	return n
}

// collector is the one that the log is of: CMS where young collections stand
// beside it, else that of the last run that shows one.
func (f *finder) collector() gcparse.Collector {
	c := f.a.first
	for _, r := range f.res.Runs {
		if r.Collector == gcparse.CMS {
			return gcparse.CMS
		}
		if r.Collector != gcparse.AnyCollector {
			c = r.Collector
		}
	}
	return c
}

// between reports whether all releases that the log can be of lie in a range.
func (f *finder) between(from, to int) bool {
	least, most := f.releases()
	return from <= least && most <= to
}

// explicitFix keeps the program from asking for collections.
func (f *finder) explicitFix() string {
	switch f.platform() {
	case goRuntime:
		return "take the calls of runtime.GC out of the program"
	case v8:
		return "take the calls of gc() out of the program, and --expose-gc"
	case openJ9:
		return "set -Xdisableexplicitgc"
	}
	switch f.collector() {
	case gcparse.G1, gcparse.CMS, gcparse.Shenandoah, gcparse.GenerationalShenandoah:
		return "set -XX:+ExplicitGCInvokesConcurrent, or -XX:+DisableExplicitGC"
	}
	return "set -XX:+DisableExplicitGC"
}

// concurrentModeFix lets CMS begin earlier.
func (f *finder) concurrentModeFix() string {
	fix := "set -XX:CMSInitiatingOccupancyFraction=60 -XX:+UseCMSInitiatingOccupancyOnly, or " + f.heapFlag(0)
	if least, most := f.releases(); least >= 8 || most >= 8 {
		fix += ", or move to -XX:+UseG1GC"
	}
	return fix
}

// evacuationFix keeps regions of G1 free. From JDK 9 on the occupancy at which
// marking begins is learned, and a figure is no more than where it starts.
func (f *finder) evacuationFix() string {
	if least, _ := f.releases(); least >= 9 {
		return f.heapFlag(0) + ", or set -XX:G1ReservePercent=20 and -XX:-G1UseAdaptiveIHOP -XX:InitiatingHeapOccupancyPercent=35"
	}
	return f.heapFlag(0) + ", or set -XX:InitiatingHeapOccupancyPercent=35 and -XX:G1ReservePercent=20"
}

// stallFix gives a collector that works beside the program more room or threads.
func (f *finder) stallFix() string {
	fix := f.heapFlag(0) + ", or set " + f.moreThreads()
	if f.collector() == gcparse.ZGC && f.between(21, 23) {
		fix += ", or -XX:+ZGenerational"
	}
	return fix
}

// moreThreads is the setting for twice as many concurrent threads.
func (f *finder) moreThreads() string {
	var workers int32
	for _, r := range f.res.Runs {
		workers = max(workers, r.ConcurrentWorkers)
	}
	if workers > 0 {
		return fmt.Sprintf("-XX:ConcGCThreads=%d in place of %d", 2*workers, workers)
	}
	return "-XX:ConcGCThreads higher"
}

// degeneratedFix lets Shenandoah begin earlier.
func (f *finder) degeneratedFix() string {
	return f.heapFlag(0) + ", or set " + f.moreThreads() + " and -XX:+UnlockExperimentalVMOptions -XX:ShenandoahMinFreeThreshold=20"
}

// metaspaceFix sets the limits of class metadata.
func (f *finder) metaspaceFix() string {
	switch {
	case f.platform() != jvm:
		return "look for leaking class loaders"
	case f.between(1, 7):
		return "set -XX:MaxPermSize=256m or larger; look for leaking class loaders (jmap -permstat PID)"
	case f.between(0, 8):
		return "set -XX:MetaspaceSize=256m and raise -XX:MaxMetaspaceSize where it is set; look for leaking class loaders (jmap -clstats PID)"
	}
	return "set -XX:MetaspaceSize=256m and raise -XX:MaxMetaspaceSize where it is set; look for leaking class loaders (jcmd PID VM.classloader_stats)"
}

// humongousFix makes large objects ordinary ones. Up to JDK 17 regions are of 32
// MiB at most.
func (f *finder) humongousFix() string {
	const mib, most = 1 << 20, 32
	var region int64
	for _, r := range f.res.Runs {
		region = max(region, r.RegionSize)
	}
	switch {
	case region <= 0:
		return "set -XX:G1HeapRegionSize=16m, or 32m where it is, or allocate smaller buffers"
	case region < most*mib:
		return fmt.Sprintf("set -XX:G1HeapRegionSize=%dm in place of %dm, or allocate smaller buffers", min(4*max(region/mib, 1), most), max(region/mib, 1))
	}
	if least, _ := f.releases(); least >= 18 && region < 512*mib {
		return fmt.Sprintf("set -XX:G1HeapRegionSize=%dm in place of %dm, or allocate smaller buffers", 2*region/mib, region/mib)
	}
	return "allocate smaller buffers: regions are as large as they can be"
}

// remarkFix makes the pauses that end marking shorter.
func (f *finder) remarkFix() string {
	look, fix := "-Xlog:gc+phases+ref*=debug", ""
	if f.between(0, 8) {
		look = "-XX:+PrintReferenceGC"
	}
	switch f.collector() {
	case gcparse.CMS:
		fix = "set -XX:+ParallelRefProcEnabled -XX:+CMSScavengeBeforeRemark and "
	case gcparse.G1:
		if least, _ := f.releases(); least < 17 { // the default from then on
			fix = "set -XX:+ParallelRefProcEnabled and "
		}
	}
	return fix + "look at the references with " + look
}

// promotionFix lets objects die young.
func (f *finder) promotionFix() string {
	switch {
	case f.platform() == v8:
		return "set --max-semi-space-size=64"
	case f.platform() == openJ9:
		return "set a larger nursery (-Xmn)"
	case f.collector() == gcparse.G1:
		return "set -XX:MaxGCPauseMillis=400, which lets the young generation grow, or " + f.heapFlag(0)
	}
	return "set a larger young generation (-Xmn or a lower -XX:NewRatio) and -XX:SurvivorRatio=6"
}

// allocationFix makes young collections rarer.
func (f *finder) allocationFix() string {
	const less = "allocate less on the path of a request, or "
	switch {
	case f.platform() == v8:
		return less + "set --max-semi-space-size=64"
	case f.platform() == goRuntime:
		return less + "raise GOGC"
	case f.platform() == openJ9:
		return less + "set a larger nursery (-Xmn)"
	case f.collector() == gcparse.G1:
		return less + f.heapFlag(0) + ", or set -XX:MaxGCPauseMillis=400"
	case f.collector().PauseFree():
		return less + f.heapFlag(0)
	}
	return less + "set a larger young generation (-Xmn)"
}

// waitFix finds the thread that all others wait for.
func (f *finder) waitFix() string {
	if f.platform() == openJ9 {
		return "find the thread that is late: the log names it, lastname= of response-info"
	}
	const timeout = "-XX:+SafepointTimeout -XX:SafepointTimeoutDelay=200"
	if f.between(0, 8) {
		return "find the thread that is late with -XX:+PrintSafepointStatistics -XX:PrintSafepointStatisticsCount=1 or " + timeout
	}
	return "find the thread that is late with -Xlog:safepoint*=debug or " + timeout
}

// shorter is the setting for shorter pauses than a timeout in milliseconds.
func (f *finder) shorter(timeout float64) string {
	switch f.platform() {
	case goRuntime, v8:
		return "hold and allocate less in the heap"
	case openJ9:
		return "set -Xgc:concurrentScavenge, or move to -Xgcpolicy:balanced"
	}
	target := fmt.Sprintf("-XX:MaxGCPauseMillis=%d", max(int(timeout/2), 1))
	fix := ""
	switch c := f.collector(); {
	case c == gcparse.G1:
		fix = "set " + target
	case c.PauseFree():
		return "see where the pauses come from with -Xlog:gc*,safepoint"
	default:
		fix = "move to a collector with shorter pauses: -XX:+UseG1GC " + target
	}
	// A product since JDK 15.
	switch least, most := f.releases(); {
	case least >= 15:
		fix += ", or move to -XX:+UseZGC"
	case most > 8:
		fix += ", or move to -XX:+UseZGC (JDK 15 and later)"
	}
	return fix
}

// pauseGoal is the option of a goal for pauses below that of G1 by itself, empty
// without one.
func (f *finder) pauseGoal() string {
	const option, usual = "-XX:MaxGCPauseMillis=", 200
	for _, r := range f.res.Runs {
		for _, o := range strings.Fields(r.Options) {
			if n, err := strconv.Atoi(strings.TrimPrefix(o, option)); err == nil && strings.HasPrefix(o, option) && n < usual {
				return o
			}
		}
	}
	return ""
}

// unifiedLogging is the logging that shows everything, from JDK 9 on.
const unifiedLogging = "log with -Xlog:gc*,safepoint:file=gc.log:time,uptime,level,tags:filecount=10,filesize=20m"

// loggingFix is the logging that shows everything.
func (f *finder) loggingFix() string {
	switch {
	case f.platform() == goRuntime:
		return "log with GODEBUG=gctrace=1 of Go 1.5 or later"
	case f.platform() == v8:
		return "log with --trace-gc"
	case f.platform() == openJ9:
		return "log with -Xverbosegclog:gc.log"
	case f.between(0, 8):
		return "log with -Xloggc:gc.log -XX:+PrintGCDetails -XX:+PrintGCDateStamps -XX:+PrintGCApplicationStoppedTime"
	}
	return unifiedLogging
}
