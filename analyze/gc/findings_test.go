package gc

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/finding"
)

// cases has for each rule logs that have the fault, and logs that nearly have.
var cases = map[string]struct {
	coll gcparse.Collector
	bad  []func(p *tape)
	near []func(p *tape)
	// says is what the message or the remediation says of the first of the bad ones.
	says []string
}{
	"GCO-01": {gcparse.Parallel,
		[]func(*tape){func(p *tape) { p.calm(0, 60); p.busy(60, 160, 0.3) }},
		[]func(*tape){func(p *tape) { p.calm(0, 60); p.busy(60, 600, 0.099) }, func(p *tape) { p.calm(0, 60); p.busy(60, 85, 0.3); p.calm(85, 300) }},
		[]string{"30% at its peak", "-Xmx"}},
	"GCO-02": {gcparse.G1,
		[]func(*tape){
			func(p *tape) { p.live(0, 4*3600, 1000, 3000, 4096, 1) },
			func(p *tape) { p.coll = gcparse.Go; p.res.Runs[0].Family = "go"; p.live(0, 4*3600, 100, 900, 0, 2) }},
		[]func(*tape){
			func(p *tape) { p.live(0, 4*3600, 2000, 2000, 4096, 3) },                                         // as full, and steady
			func(p *tape) { p.live(0, 1800, 500, 2000, 4096, 4); p.live(1800, 4*3600, 2000, 2000, 4096, 5) }, // starts up
			func(p *tape) { p.live(0, 300, 1000, 3000, 4096, 6) },                                            // watched for too short
			func(p *tape) { p.live(0, 4*3600, 1000, 1100, 4096, 7) },                                         // full in ten days
		},
		[]string{"heap dump", "grows by"}},
	"GCO-03": {gcparse.Parallel,
		[]func(*tape){func(p *tape) {
			p.calm(0, 60)
			p.full(60, 1, heapMiB(1000, 960, 1024))
			p.full(300, 1, heapMiB(1000, 970, 1024))
		}},
		[]func(*tape){
			func(p *tape) { p.full(60, 1, heapMiB(1000, 960, 1024)); p.calm(61, 300) },                          // once
			func(p *tape) { p.full(60, 1, heapMiB(1000, 900, 1024)); p.full(300, 1, heapMiB(1000, 910, 1024)) }, // 89%
			func(p *tape) { // the heap can grow
				p.full(60, 1, heapMiB(1000, 960, 1024))
				p.full(300, 1, heapMiB(1000, 970, 1024))
				p.res.Runs[0].HeapMax = 4 << 30
			}},
		[]string{"-Xmx3072m", "970MiB of 1GiB"}},
	"GCO-04": {gcparse.Serial,
		[]func(*tape){func(p *tape) { p.calm(0, 60); p.full(60, 2); p.full(70, 2); p.full(85, 2) }},
		[]func(*tape){
			func(p *tape) { p.full(60, 2); p.full(85, 2); p.full(110, 2) }, // two in each half minute
			func(p *tape) { p.full(60, 2); p.full(61, 2); p.calm(100, 200) },
			func(p *tape) { p.full(60, 0.01); p.full(65, 0.01); p.full(70, 0.01) }, // that cost nothing
			func(p *tape) {
				for i := range 5 {
					p.full(60+float64(5*i), 2, flags(gcparse.Explicit))
				}
			}},
		[]string{"3 full collections took 6s of 27s"}},
	"GCO-05": {gcparse.CMS,
		[]func(*tape){func(p *tape) { p.calm(0, 60); p.full(60, 14, flags(gcparse.ConcurrentModeFailure)) }},
		[]func(*tape){func(p *tape) { p.calm(0, 60); p.full(60, 14) }},
		[]string{"14s", "CMSInitiatingOccupancyFraction=60"}},
	"GCO-06": {gcparse.ParNew,
		[]func(*tape){func(p *tape) { p.young(60, 0.5, flags(gcparse.PromotionFailed)) }},
		[]func(*tape){func(p *tape) { p.young(60, 0.5) }},
		[]string{"once", "-Xmx"}},
	"GCO-07": {gcparse.G1,
		[]func(*tape){
			func(p *tape) { p.young(60, 0.5, flags(gcparse.EvacuationFailure)) },
			func(p *tape) { p.young(60, 0.5, flags(gcparse.ToSpaceExhausted)) }},
		[]func(*tape){func(p *tape) { p.young(60, 0.5, flags(gcparse.EvacuationFailure|gcparse.Pinned)) }},
		[]string{"1 of 1 pause", "G1ReservePercent=20"}},
	"GCO-08": {gcparse.Parallel,
		[]func(*tape){func(p *tape) { p.allocate(100, 1.5, 0.06) }},
		[]func(*tape){
			func(p *tape) { p.allocate(100, 1.5, 0.03) }, // 4.5% of the time
			func(p *tape) { p.allocate(100, 0.9, 0.09) }, // less than one a second
			func(p *tape) { p.allocate(50, 1.5, 0.06) }}, // for less than a minute
		[]string{"1.51 a second", "9.1% of the time"}},
	"GCO-09": {gcparse.Parallel,
		[]func(*tape){func(p *tape) { p.promote(7, 30, 900, 300) }},
		[]func(*tape){
			func(p *tape) { p.promote(7, 90, 900, 300) }, // seldom
			func(p *tape) { p.promote(7, 30, 900, 600) }, // little is freed
			func(p *tape) { p.promote(4, 30, 900, 300) }},
		[]string{"every 30s", "67%", "SurvivorRatio"}},
	"GCO-10": {gcparse.G1,
		[]func(*tape){func(p *tape) { p.some(5, flags(gcparse.Humongous)); p.some(40) }},
		[]func(*tape){
			func(p *tape) { p.some(4, flags(gcparse.Humongous)); p.some(10) },
			func(p *tape) { p.some(5, flags(gcparse.Humongous)); p.some(50) }},
		[]string{"5 of 45 pauses", "G1HeapRegionSize=8m in place of 2m"}},
	"GCO-11": {gcparse.G1,
		[]func(*tape){func(p *tape) { p.calm(0, 301); p.some(3, flags(gcparse.MetadataThreshold)) }},
		[]func(*tape){
			func(p *tape) { p.some(8, flags(gcparse.MetadataThreshold)) }, // while it starts
			func(p *tape) { p.calm(0, 301); p.some(2, flags(gcparse.MetadataThreshold)) }},
		[]string{"3 collections", "MetaspaceSize"}},
	"GCO-12": {gcparse.G1,
		[]func(*tape){
			func(p *tape) { p.full(60, 1.5, flags(gcparse.Explicit)) },
			func(p *tape) { p.runtimeGC(1, 0.04, gcparse.Explicit) },
			func(p *tape) { // marked in steps before the pause
				p.coll = gcparse.V8
				p.event(gcparse.Pause, 60, 0.02, titled("Mark-Compact", "testing"), flags(gcparse.Explicit))
			}},
		[]func(*tape){
			func(p *tape) { p.full(60, 1.5) },
			func(p *tape) { p.young(60, 0.02, flags(gcparse.Explicit|gcparse.InitialMark)) }, // concurrent
			func(p *tape) { p.runtimeGC(100, 0.04, 0) },
			func(p *tape) { p.coll = gcparse.V8; p.young(60, 0.02, flags(gcparse.Explicit)) }},
		[]string{"1 full collection", "ExplicitGCInvokesConcurrent"}},
	"GCO-13": {gcparse.CMS,
		[]func(*tape){func(p *tape) { p.remarks(3, 0.25, "CMS-remark") }, func(p *tape) { p.remarks(3, 0.25, "Pause Remark") }},
		[]func(*tape){
			func(p *tape) { p.remarks(3, 0.199, "CMS-remark") }, func(p *tape) { p.remarks(2, 0.5, "CMS-remark") },
			func(p *tape) { p.remarks(5, 0.5, "CMS-initial-mark") }},
		[]string{"3 remark pauses", "ParallelRefProcEnabled"}},
	"GCO-14": {gcparse.G1,
		[]func(*tape){
			func(p *tape) { p.waits(3, 0.2) }, func(p *tape) { p.waits(1, 1) },
			func(p *tape) { p.some(3, waited(0.3)) }},
		[]func(*tape){func(p *tape) { p.waits(2, 0.9) }, func(p *tape) { p.waits(50, 0.19) }},
		[]string{"to stop", "SafepointTimeout"}},
	"GCO-15": {gcparse.Parallel,
		[]func(*tape){func(p *tape) { p.timed(3, 0.3, 0.1, 9); p.timed(20, 3, 0, 0.4) }},
		[]func(*tape){
			func(p *tape) { p.timed(2, 0.3, 0.1, 9) },
			func(p *tape) { p.timed(3, 0.3, 0.1, 9); p.timed(40, 3, 0, 0.4) }, // 7% of them
			func(p *tape) { p.timed(9, 0.2, 0.1, 0.5) },
			func(p *tape) { p.timed(9, 0.01, 0, 0.09) }}, // too short to tell
		[]string{"3 pauses", "swappiness"}},
	"GCO-16": {gcparse.Parallel,
		[]func(*tape){func(p *tape) { p.quota(6, 2, 8) }},
		[]func(*tape){
			func(p *tape) { p.quota(4, 2, 8) },
			func(p *tape) { p.quota(6, 5, 8) }, // more than half of the threads
			func(p *tape) { // as it comes
				for i := range 10 {
					p.young(float64(10*i), 0.5, workers(8), cpuTimes(0.5*(1+float64(i)/3), 0, 0.5))
				}
			}},
		[]string{"8 GC threads had 2.0 processors", "ActiveProcessorCount=2"}},
	"GCO-17": {gcparse.ZGC,
		[]func(*tape){func(p *tape) { p.calm(0, 60); p.event(gcparse.Stall, 60, 0.014) }},
		[]func(*tape){func(p *tape) { p.calm(0, 60) }},
		[]string{"once, up to 14ms", "-Xmx"}},
	"GCO-18": {gcparse.Go,
		[]func(*tape){func(p *tape) { p.goCycles(200, 950, 1000, 4) }},
		[]func(*tape){
			func(p *tape) { p.goCycles(200, 400, 800, 4) },   // room enough
			func(p *tape) { p.goCycles(90, 950, 1000, 4) },   // for 9 s
			func(p *tape) { p.goCycles(200, 950, 1000, 1) }}, // that cost little
		[]string{"GOMEMLIMIT=2048MiB", "950MiB"}},
	"GCO-19": {gcparse.Parallel,
		[]func(*tape){func(p *tape) { p.full(60, 1, flags(gcparse.TimeLimit)) }},
		[]func(*tape){func(p *tape) { p.full(60, 1) }},
		[]string{"once", "-Xmx"}},
	"GCO-20": {gcparse.Shenandoah,
		[]func(*tape){
			func(p *tape) { p.some(3, flags(gcparse.Degenerated)) },
			func(p *tape) { p.young(60, 0.5, flags(gcparse.Degenerated)) },
			func(p *tape) { p.some(3, flags(gcparse.Percolated)) }},
		[]func(*tape){func(p *tape) { p.some(2, flags(gcparse.Degenerated)) }, func(p *tape) { p.young(60, 0.5) }},
		[]string{"collection"}},
	"GCO-21": {gcparse.ZGC,
		[]func(*tape){
			func(p *tape) { p.cycles(20) },
			func(p *tape) { p.calm(0, 60); p.res.Runs[0].NoPauseData = true }},
		[]func(*tape){func(p *tape) { p.cycles(20); p.calm(0, 60) }},
		[]string{"-Xlog:gc*"}},
	"GCO-22": {gcparse.G1,
		[]func(*tape){func(p *tape) {
			p.cfg.Timeout = 400 * time.Millisecond
			p.calm(0, 600)
			p.young(600, 1.1)
			p.calm(602, 700)
		}},
		[]func(*tape){
			func(p *tape) {
				p.cfg.Timeout = 400 * time.Millisecond
				p.calm(0, 600)
				p.young(600, 0.4)
				p.calm(602, 700)
			},
			func(p *tape) { p.calm(0, 600); p.young(600, 1.1); p.calm(602, 700) }}, // nobody asked
		[]string{"0.1", "400ms", "MaxGCPauseMillis"}},
}

// some adds young collections of 10 ms, one a second.
func (p *tape) some(n int, change ...func(*gcparse.Event)) {
	at := 0.0
	if k := len(p.events); k > 0 {
		at = float64(p.events[k-1].Start.Uptime)/1e9 + 1
	}
	for i := range n {
		p.young(at+float64(i), 0.01, change...)
	}
	p.res.Runs[0].RegionSize = 2 << 20
}

// live adds a mixed collection a minute, whose live set goes from one size to
// another with some noise, and young collections between them.
func (p *tape) live(from, to float64, first, last, capacity int64, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 5))
	for at := from; at < to; at += 60 {
		level := float64(first) + float64(last-first)*(at-from)/(to-from)
		size := func(more float64) func(*gcparse.Event) {
			x := int64(level + more + 40*r.Float64())
			return func(e *gcparse.Event) {
				heapMiB(x+300, x, capacity)(e)
				e.Heap.HasCapacity = capacity > 0
			}
		}
		p.young(at, 0.01, size(200))
		p.young(at+20, 0.01, size(300))
		p.event(gcparse.Pause, at+40, 0.02, size(0), func(e *gcparse.Event) { e.Generation, e.Title = gcparse.Mixed, "Pause Young (Mixed)" })
	}
}

// allocate adds so many young collections a second for so long.
func (p *tape) allocate(length, perSecond, pause float64) {
	for i := range int(length * perSecond) {
		p.young(float64(i)/perSecond, pause, heapMiB(900, 100, 1024))
	}
}

// promote adds full collections.
func (p *tape) promote(n int, every float64, before, after int64) {
	for i := range n {
		at := float64(i) * every
		p.young(at, 0.02, heapMiB(before, before-50, 1024), promoted(40))
		p.full(at+1, 0.2, heapMiB(before, after, 1024))
	}
}

func (p *tape) remarks(n int, dur float64, title string) {
	for i := range n {
		p.event(gcparse.Pause, float64(20*i), dur, titled(title, ""), func(e *gcparse.Event) { e.Generation = gcparse.Old })
	}
}

func (p *tape) waits(n int, wait float64) {
	for i := range n {
		p.event(gcparse.Safepoint, float64(20*i), wait+0.001, waited(wait))
	}
}

func (p *tape) timed(n int, user, sys, real float64) {
	at := 0.0
	if k := len(p.events); k > 0 {
		at = float64(p.events[k-1].Start.Uptime)/1e9 + 20
	}
	for i := range n {
		p.young(at+float64(20*i), real, cpuTimes(user, sys, real))
	}
}

// quota adds pauses that had the processors given, with some noise.
func (p *tape) quota(n int, cpus float64, threads int32) {
	for i := range n {
		real := 0.3 + 0.1*float64(i%4)
		p.young(float64(20*i), real, workers(threads), cpuTimes(real*cpus*(0.97+0.02*float64(i%3)), 0, real))
	}
}

// goCycles adds ten cycles a second that use so many of ten processors for 90 ms.
func (p *tape) goCycles(n int, live, goal int64, cpus float64) {
	for i := range n {
		p.event(gcparse.Concurrent, float64(i)/10, 0.09, id(int64(i)), procs(10), cpuTimes(0.09*cpus, 0, 0.09),
			heapMiB(goal-10, live, goal))
	}
}

// cycles adds cycles without pauses.
func (p *tape) cycles(n int) {
	for i := range n {
		p.event(gcparse.Cycle, float64(10*i), 0.5, heapMiB(900, 300, 1024), titled("Garbage Collection", "Proactive"))
	}
}

func TestRules(t *testing.T) {
	for _, r := range Rules() {
		c, ok := cases[r.ID]
		if !ok {
			t.Errorf("%s has no test", r.ID)
			continue
		}
		for i, make := range c.bad {
			t.Run(fmt.Sprint(r.ID, " bad ", i), func(t *testing.T) {
				p := newTape(t, c.coll)
				make(p)
				f := has(p.judge(), r.ID)
				if f == nil {
					t.Fatalf("%s is not found: %v", r.Name, p.judge().Findings)
				}
				if f.Remediation == "" || f.Fingerprint == "" || f.Location.File != "gc.log" {
					t.Errorf("%+v", f)
				}
				if i == 0 {
					wantIn(t, f.Message+"; "+f.Remediation, c.says...)
				}
				if len(f.Evidence) == 0 && r.ID != blindRule.ID {
					t.Error("no evidence")
				}
			})
		}
		for i, make := range c.near {
			t.Run(fmt.Sprint(r.ID, " near ", i), func(t *testing.T) {
				p := newTape(t, c.coll)
				make(p)
				if f := has(p.judge(), r.ID); f != nil {
					t.Errorf("found: %s", f.Message)
				}
			})
		}
	}
}

func TestRegistryTakesTheRules(t *testing.T) {
	if _, err := finding.NewRegistry(Rules()); err != nil {
		t.Error(err)
	}
}

// Advice names settings of the runtime at hand.
func TestAdviceFitsTheRuntime(t *testing.T) {
	for coll, want := range map[gcparse.Collector]string{
		gcparse.Go: "runtime.GC", gcparse.V8: "--expose-gc", gcparse.OpenJ9Gencon: "-Xdisableexplicitgc", gcparse.G1: "-XX:+DisableExplicitGC",
	} {
		p := newTape(t, coll)
		p.full(60, 2, flags(gcparse.Explicit))
		wantIn(t, has(p.judge(), "GCO-12").Remediation, want)
	}
	p := newTape(t, gcparse.V8)
	p.res.Runs[0].HeapMax = 1 << 30
	p.full(60, 1, heapMiB(1000, 960, 1024))
	p.full(300, 1, heapMiB(1000, 970, 1024))
	wantIn(t, has(p.judge(), "GCO-03").Remediation, "--max-old-space-size=2910")
}

// A storm of runtime.GC is as long as its collections, not as their pauses, and
// each is counted once.
func TestForcedCollectionsOfGo(t *testing.T) {
	for _, c := range []struct {
		every float64
		want  finding.Severity
	}{{10, finding.Note}, {0.1, finding.Warning}} {
		p := newTape(t, gcparse.Go)
		p.res.Runs[0].Family = "go"
		p.runtimeGC(c.every, 0.04, gcparse.Explicit)
		f := has(p.judge(), "GCO-12")
		if f == nil || f.Severity != c.want {
			t.Fatalf("every %v s: %+v", c.every, f)
		}
		n := int(60 / c.every)
		wantIn(t, f.Message, fmt.Sprintf("%d full collections, which took %s, up to 40ms each", n, long(ns(0.04*float64(n)))))
		wantIn(t, f.Remediation, "runtime.GC")
	}
}

// What explains an overload must have cost a part of it that matters: of two
// findings at the same time the one that lost the time is the reason.
func TestReasonsAreWeighed(t *testing.T) {
	for _, c := range []struct {
		explicit float64
		want     bool
	}{{0.02, false}, {3, true}} {
		p := newTape(t, gcparse.Serial)
		p.calm(0, 60)
		for at := 60.0; at < 120; at += 4 {
			p.young(at, 1.5)
			p.full(at+1.6, c.explicit/2, flags(gcparse.Explicit), titled("Pause Full", "System.gc()"))
		}
		v := p.judge().Verdict
		got := len(v.Rules) > 1 && v.Rules[1] == "GCO-12"
		if v.Answer != Overload || got != c.want {
			t.Errorf("explicit collections of %v s: %+v", c.explicit, v)
		}
	}
}
