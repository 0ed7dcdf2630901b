package gc

import (
	"strings"
	"testing"

	"example.com/kneeline/gcparse"
)

func TestRelease(t *testing.T) {
	for version, want := range map[string]int{
		"1.8.0_352-b08": 8, "1.6.0_45": 6, "17.0.12+7-adhoc..jdk17u (release)": 17, "9+181": 9, "25": 25, "": 0,
		"R28_Java8_GA_20150116": 0, "99999.1": 0, "1.": 0,
	} {
		if got := release(version); got != want {
			t.Errorf("%q: %d, want %d", version, got, want)
		}
	}
}

// Advice names settings that the collector and the version of the log have.
func TestAdviceFitsTheVersion(t *testing.T) {
	explicit := func(p *tape) { p.full(60, 2, flags(gcparse.Explicit)) }
	evacuation := func(p *tape) { p.young(60, 0.5, flags(gcparse.EvacuationFailure)) }
	humongous := func(region int64) func(*tape) {
		return func(p *tape) {
			p.some(10, flags(gcparse.Humongous))
			p.res.Runs[0].RegionSize = region << 20
		}
	}
	remark := func(p *tape) { p.remarks(5, 0.5, "Pause Remark") }
	wait := func(p *tape) { p.waits(5, 0.5) }
	late := func(p *tape) {
		p.cfg.Timeout = 400e6
		p.calm(0, 60)
		p.young(60, 2)
		p.calm(62, 100)
	}
	failed := func(p *tape) { p.full(60, 14, flags(gcparse.ConcurrentModeFailure)) }
	for _, c := range []struct {
		rule    string
		coll    gcparse.Collector
		family  string
		version string
		make    func(*tape)
		want    string
		not     string
	}{
		{"GCO-12", gcparse.Parallel, "unified", "17", explicit, "-XX:+DisableExplicitGC", "Concurrent"},
		{"GCO-12", gcparse.Serial, "legacy", "", explicit, "-XX:+DisableExplicitGC", "Concurrent"},
		{"GCO-12", gcparse.CMS, "legacy", "", explicit, "-XX:+ExplicitGCInvokesConcurrent", ""},
		{"GCO-12", gcparse.G1, "unified", "21", explicit, "-XX:+ExplicitGCInvokesConcurrent", ""},
		{"GCO-05", gcparse.CMS, "legacy", "1.6.0_45", failed, "-XX:CMSInitiatingOccupancyFraction", "UseG1GC"},
		{"GCO-05", gcparse.CMS, "legacy", "", failed, "-XX:+UseG1GC", ""},
		{"GCO-07", gcparse.G1, "legacy", "1.8.0_352", evacuation, "-XX:InitiatingHeapOccupancyPercent=35", "AdaptiveIHOP"},
		{"GCO-07", gcparse.G1, "unified", "", evacuation, "-XX:-G1UseAdaptiveIHOP -XX:InitiatingHeapOccupancyPercent=35", ""},
		{"GCO-10", gcparse.G1, "unified", "17.0.1", humongous(2), "-XX:G1HeapRegionSize=8m in place of 2m", ""},
		{"GCO-10", gcparse.G1, "unified", "17.0.1", humongous(16), "-XX:G1HeapRegionSize=32m in place of 16m", ""},
		{"GCO-10", gcparse.G1, "unified", "17.0.1", humongous(32), "smaller buffers", "G1HeapRegionSize"},
		{"GCO-10", gcparse.G1, "unified", "21", humongous(32), "-XX:G1HeapRegionSize=64m in place of 32m", ""},
		{"GCO-13", gcparse.G1, "legacy", "1.8.0_1", remark, "-XX:+ParallelRefProcEnabled and look at the references with -XX:+PrintReferenceGC", "-Xlog"},
		{"GCO-13", gcparse.G1, "unified", "21", remark, "-Xlog:gc+phases+ref*=debug", "ParallelRefProc"},
		{"GCO-13", gcparse.CMS, "unified", "11", remark, "-XX:+CMSScavengeBeforeRemark", ""},
		{"GCO-14", gcparse.G1, "legacy", "1.8.0_422", wait, "-XX:+PrintSafepointStatistics", "-Xlog"},
		{"GCO-14", gcparse.G1, "unified", "11", wait, "-Xlog:safepoint*=debug", "Statistics"},
		{"GCO-14", gcparse.OpenJ9Gencon, "openj9", "", wait, "response-info", "-X"},
		{"GCO-22", gcparse.G1, "legacy", "1.8.0_1", late, "-XX:MaxGCPauseMillis=200", "ZGC"},
		{"GCO-22", gcparse.Parallel, "unified", "17", late, "-XX:+UseG1GC -XX:MaxGCPauseMillis=200, or move to -XX:+UseZGC", "JDK 15"},
		{"GCO-22", gcparse.G1, "unified", "11", late, "-XX:+UseZGC (JDK 15 and later)", ""},
	} {
		p := newTape(t, c.coll)
		p.res.Runs[0].Family, p.res.Runs[0].Version = c.family, c.version
		c.make(p)
		f := has(p.judge(), c.rule)
		if f == nil {
			t.Fatalf("%s of %s %q: not found", c.rule, c.coll, c.version)
		}
		if !strings.Contains(f.Remediation, c.want) || c.not != "" && strings.Contains(f.Remediation, c.not) {
			t.Errorf("%s of %s %q: %q, want %q and not %q", c.rule, c.coll, c.version, f.Remediation, c.want, c.not)
		}
	}
}

// A heap that is to be larger is said from what it is.
func TestHeapAdviceSaysFromWhat(t *testing.T) {
	for _, c := range []struct {
		stated, seen int64
		want         string
	}{
		{1024, 800, "raise -Xmx from 1g to 1536m"},
		{4096, 800, "set -Xms4g: -Xmx allows it, and the heap had only grown to 800m"},
		{0, 800, "raise -Xmx above 800m"},
		{0, 0, "raise -Xmx, or"},
	} {
		p := newTape(t, gcparse.ParNew)
		p.res.Runs[0].HeapMax = c.stated << 20
		p.young(60, 0.5, flags(gcparse.PromotionFailed), func(e *gcparse.Event) {
			if c.seen > 0 {
				heapMiB(300, 200, c.seen)(e)
			}
		})
		wantIn(t, has(p.judge(), "GCO-06").Remediation, c.want)
	}
}

// A log without pauses is told how its runtime logs them.
func TestLoggingAdvice(t *testing.T) {
	for family, want := range map[string]string{"unified": "-Xlog:gc*", "legacy": "-XX:+PrintGCDetails", "openj9": "-Xverbosegclog"} {
		p := newTape(t, gcparse.AnyCollector)
		p.res.Runs[0].Family = family
		p.cycles(3)
		wantIn(t, p.judge().Verdict.Sentence, want)
	}
}

// Where young collections are the load and the log states a goal for pauses that
// keeps them small and many, that is what to change.
func TestPauseGoalIsTheAdvice(t *testing.T) {
	for options, want := range map[string]string{
		"-Xmx4g -XX:MaxGCPauseMillis=50 -XX:+UseG1GC": "take -XX:MaxGCPauseMillis=50 away",
		"-Xmx4g -XX:MaxGCPauseMillis=500":             "raise -Xmx, allocate less",
		"":                                            "raise -Xmx, allocate less",
	} {
		p := newTape(t, gcparse.G1)
		p.res.Runs[0].Options = options
		p.calm(0, 60)
		p.busy(60, 160, 0.3)
		wantIn(t, p.judge().Verdict.Sentence, want)
	}
}
