package gc

import (
	"fmt"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// machine finds what keeps the collector from running at all.
func (f *finder) machine() {
	f.starved()
	f.waits()
}

const (
	// starvedTimes and starvedShare are how many of the pauses that can be compared
	// must be starved.
	starvedTimes = 3
	starvedShare = 0.1
	// starvedTime is the part of the observed time from which it is an error.
	starvedTime = 0.01
)

func (f *finder) starved() {
	g, c := &f.a.signs[signStarved], &f.a.cpu
	if g.count < starvedTimes || float64(g.count) < starvedShare*float64(c.known) {
		return
	}
	severity := finding.Warning
	if f.log.Observed > 0 && seconds(g.ns) >= starvedTime*f.log.Observed {
		severity = finding.Error
	}
	fix := "check the machine for swapping (vmstat: si, so) and for processors that others take; set vm.swappiness=1"
	if f.platform() == jvm {
		fix += " and -XX:+AlwaysPreTouch"
	}
	f.add(starvedRule, severity, g.first, g.last,
		fmt.Sprintf("the collector did not get to run in %s of up to %s (swapping, or no processor)", many(g.count, "pause"), long(g.longest)),
		fix, append(f.evidence(g),
			finding.Evidence{Name: "pauses of 100ms or more with CPU times", Value: units.Count(c.known)},
			finding.Evidence{Name: "their time", Value: fmt.Sprintf("user %s, sys %s, real %s", long(c.user), long(c.sys), long(c.real))},
			finding.Evidence{Name: "with more sys than user", Value: units.Count(c.sysHeavy)}),
		"in %s of up to %s the collector used less than half a processor", many(g.count, "pause"), long(g.longest))
}

func (f *finder) quota() {
	var workers int32
	for _, r := range f.res.Runs {
		workers = max(workers, r.ParallelWorkers)
	}
	q, ok := f.a.cpu.quota(workers)
	if !ok {
		return
	}
	set := fmt.Sprintf("-XX:ActiveProcessorCount=%d", max(int(q.cpus+0.5), 1))
	if f.platform() == goRuntime {
		set = fmt.Sprintf("GOMAXPROCS=%d", max(int(q.cpus+0.5), 1))
	}
	f.always(quotaRule, fmt.Sprintf("%d GC threads share %.1f processors", q.workers, q.cpus),
		"set "+set+", or raise the container's CPU limit",
		[]finding.Evidence{
			{Name: "pauses of 200ms or more", Value: units.Count(q.pauses)},
			{Name: "processors used, median", Value: fmt.Sprintf("%.2f", q.cpus)},
			{Name: "GC threads", Value: units.Count(q.workers)},
		},
		"%d GC threads had %.1f processors in each of %d long pauses, as under a CPU quota", q.workers, q.cpus, q.pauses)
}

// always adds a finding of the whole log.
func (f *finder) always(r finding.Rule, why, fix string, evidence []finding.Evidence, message string, args ...any) {
	x := found{Finding: r.Found(finding.Location{File: f.log.Name}, r.Name, fmt.Sprintf(message, args...)), why: why, always: true}
	x.Remediation, x.Evidence = fix, evidence
	f.found = append(f.found, x)
}

const (
	waitTimes = 3
	// longWait is one that matters by itself: that of Hadoop's and HBase's pause
	// monitors at info.
	longWait = int64(1e9)
)

func (f *finder) waits() {
	g := &f.a.signs[signWait]
	if g.count < waitTimes && g.longest < longWait {
		return
	}
	f.seen(waitRule, waitRule.Severity, g, fmt.Sprintf("threads took up to %s to stop", long(g.longest)),
		f.waitFix(),
		"threads took 200ms or more to stop %s, up to %s", times(g.count), long(g.longest))
}
