package gc

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/kneeline/gcparse"
)

func TestOverloadIsSaid(t *testing.T) {
	p := newTape(t, gcparse.Parallel)
	p.wall = someDay
	p.calm(0, 600)
	for i := range 40 {
		p.full(600+float64(i)*4, 3.8, heapMiB(1000, 990, 1024))
	}
	p.calm(760, 1200)
	l := p.judge()
	if l.Verdict.Answer != Overload || len(l.Incidents) != 1 {
		t.Fatalf("%+v", l.Verdict)
	}
	wantIn(t, l.Verdict.Sentence, "GC was the overload", "2026-11-28 10:10:", "97% of the heap", "-Xmx3072m", "95%")
	in := l.Incidents[0]
	// 10% of 30 s are reached after 3 s of the first pause; the tier of 10% is left
	// when less than 8% of the window are pauses again.
	if in.Begin.Uptime == nil || math.Abs(*in.Begin.Uptime-602.8) > 0.3 || in.Tier != 4 || in.Violations != 4 {
		t.Errorf("%+v", in)
	}
	if v := in.worst; v.Full != 40 || v.Heap == nil || v.Heap.Last != 990<<20 || v.Causes[0].Name != "Ergonomics" {
		t.Errorf("evidence %+v", in.worst)
	}
	for _, r := range []string{"GCO-01", "GCO-03", "GCO-04"} {
		if has(l, r) == nil {
			t.Errorf("no finding of %s", r)
		}
	}
	if f := has(l, "GCO-01"); f.Location.File != "gc.log" || f.Location.Line == 0 || f.Location.Span == "" || f.Remediation != "set -Xmx3072m" {
		t.Errorf("%+v", f)
	}
}

func TestHealthIsSaid(t *testing.T) {
	p := newTape(t, gcparse.G1)
	p.calm(0, 3600)
	l := p.judge()
	if l.Verdict.Answer != NoOverload || len(l.Findings) != 0 || len(l.Violations) != 0 {
		t.Errorf("%+v %v", l.Verdict, l.Findings)
	}
	wantIn(t, l.Verdict.Sentence, "GC was not the overload", "at most 1.1%", "longest pause 10ms")
}

// The throughput of a whole log hides what a window shows: judged against brute
// force over each log's milliseconds.
func TestHiddenIncidents(t *testing.T) {
	hidden, quiet := 0, 0
	for seed := range 40 {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		p := newTape(t, gcparse.Parallel)
		length := 1800 + r.Float64()*1800
		busyFrom, busyFor := 600+r.Float64()*600, r.Float64()*150
		share := 0.4 + 0.6*r.Float64()
		if seed%3 == 0 {
			busyFor, share = 600, 0.09*r.Float64()
		}
		for at := 1.0; at < length; {
			gap, dur := 0.5+2*r.Float64(), 0.002+0.02*r.Float64()
			if at > busyFrom && at < busyFrom+busyFor {
				gap = 0.5 * r.Float64()
				dur = gap * share / (1 - share + 1e-3)
			}
			p.young(at, math.Round(dur*1000)/1000)
			at = math.Round((at+dur+gap)*1000) / 1000
		}
		l := p.judge()
		overall, peak, half := brute(p)
		if got := 1 - *l.Pauses.Throughput; math.Abs(got-overall) > 1e-6 {
			t.Errorf("seed %d: overall %v, want %v", seed, got, overall)
		}
		s := series(t, l, Pauses)
		if math.Abs(*s.Peak-peak) > 1e-6 {
			t.Errorf("seed %d: peak %v, want %v", seed, *s.Peak, peak)
		}
		if math.Abs(s.Tiers[2].Above-half) > 0.2 {
			t.Errorf("seed %d: %v s at 50%%, want %v", seed, s.Tiers[2].Above, half)
		}
		if overall < 0.05 && half >= 60 {
			hidden++
			if l.Verdict.Answer != Overload || l.Incidents[0].Threshold < 0.5 {
				t.Errorf("seed %d: overall %v, %v s at 50%%: %+v", seed, overall, half, l.Verdict)
			}
		}
		if peak < 0.1 {
			quiet++
			if l.Verdict.Answer != NoOverload || len(l.Violations) > 0 {
				t.Errorf("seed %d: peak %v: %+v", seed, peak, l.Verdict)
			}
		}
	}
	if hidden < 5 || quiet < 5 {
		t.Errorf("%d hidden incidents and %d quiet logs: too few to test with", hidden, quiet)
	}
}

// brute looks at every millisecond of a tape's pauses.
func brute(p *tape) (overall, peak, half float64) {
	last := p.events[len(p.events)-1]
	n := int((last.Start.Uptime + last.Duration) / 1e6)
	sum := make([]int32, n+1)
	for _, e := range p.events {
		for t := e.Start.Uptime / 1e6; t < (e.Start.Uptime+e.Duration)/1e6; t++ {
			sum[t+1] = 1
		}
	}
	for t := range n {
		sum[t+1] += sum[t]
	}
	for t := 10_000; t < n; t++ {
		low := max(0, t-30_000)
		o := float64(sum[t]-sum[low]) / float64(t-low)
		peak = max(peak, o)
		if o >= 0.5 {
			half += 0.001
		}
	}
	low := max(0, n-30_000)
	peak = max(peak, float64(sum[n]-sum[low])/float64(n-low))
	return float64(sum[n]) / float64(n), peak, half
}

// Concurrent work is a share of the processors, and counts where it is asked for.
func TestConcurrentShare(t *testing.T) {
	for _, count := range []bool{false, true} {
		p := newTape(t, gcparse.G1)
		p.cfg.CountConcurrent = count
		for at := 0.0; at < 300; at += 10 {
			p.young(at, 0.1, workers(8))
			p.event(gcparse.Concurrent, at+1, 8, workers(4), titled("Concurrent Mark Cycle", ""))
		}
		l := p.judge()
		if !count && len(l.Overhead) != 1 {
			t.Errorf("a CPU series that nobody asked for: %+v", l.Overhead)
		}
		if count {
			// (0.1 + 8 × 4/8) of 10 s.
			if s := series(t, l, CPU); math.Abs(s.Overall-0.41*300/299) > 0.01 || !s.Counts {
				t.Errorf("%+v", s)
			}
		}
		if got := l.Verdict.Answer == Overload; got != count {
			t.Errorf("count %v: %s", count, l.Verdict.Sentence)
		}
		if series(t, l, Pauses).Overall > 0.011 {
			t.Errorf("pauses %v", series(t, l, Pauses).Overall)
		}
	}
}

// Pauses before the first concurrent work are in the CPU share too.
func TestCPUBeginsAsPauses(t *testing.T) {
	p := newTape(t, gcparse.CMS)
	p.cfg.CountConcurrent = true
	p.busy(0, 100, 0.2)
	p.event(gcparse.Concurrent, 100, 10, workers(2), procs(4), titled("Concurrent Mark", ""))
	l := p.judge()
	if got, want := series(t, l, CPU).Busy, 20+5.0; math.Abs(got-want) > 1e-6 {
		t.Errorf("busy %v, want %v", got, want)
	}
}

// Go's assists belong to the cycle with their number, wherever they stand.
func TestGoAssists(t *testing.T) {
	for _, order := range []string{"assist first", "cycle first"} {
		p := newTape(t, gcparse.Go)
		for i := range int64(100) {
			at := float64(3 * i)
			assist := func() { p.event(gcparse.Assist, at, 1.6, id(i), procs(4)) }
			if order == "assist first" {
				assist()
			}
			// Two seconds with 2 s of 8 s of background work: a quarter.
			p.event(gcparse.Concurrent, at, 2, id(i), procs(4), cpuTimes(2, 0, 2))
			if order == "cycle first" {
				assist()
			}
		}
		l := p.judge()
		// Assists: 1.6 s of 8 s over 2 s of each 3.
		if s := series(t, l, Assists); math.Abs(s.Busy-100*0.4) > 0.01 {
			t.Errorf("%s: assists %v", order, s.Busy)
		}
		if s := series(t, l, CPU); math.Abs(s.Busy-100*0.9) > 0.01 || !s.Counts {
			t.Errorf("%s: CPU %v", order, s.Busy)
		}
		wantIn(t, l.Verdict.Sentence, "GOGC")
	}
}

// A stall stops one thread: several at once are one time without memory, and none
// of them is a pause.
func TestStallsAreNoPauses(t *testing.T) {
	p := newTape(t, gcparse.ZGC)
	p.calm(0, 100)
	for i := range 50 {
		at := 100 + float64(i)
		for k := range 8 {
			p.event(gcparse.Stall, at, 0.6+float64(k)/100, func(e *gcparse.Event) { e.Thread = fmt.Sprint("worker-", k) })
		}
	}
	p.calm(150, 300)
	l := p.judge()
	if s := series(t, l, Stalls); math.Abs(s.Busy-50*0.67) > 0.01 || !s.Counts {
		t.Errorf("stalls %+v", s)
	}
	if l.Pauses.Longest > 0.02 || series(t, l, Pauses).Overall > 0.02 {
		t.Errorf("pauses %+v", l.Pauses)
	}
	wantIn(t, l.Verdict.Sentence, "thread stalled for memory", "67%", "waited for memory")
	if f := has(l, "GCO-17"); f == nil || f.Severity.String() != "error" {
		t.Errorf("%+v", f)
	}
}

// Steps of incremental marking stop the program too; when is not known.
func TestIncrementalSteps(t *testing.T) {
	p := newTape(t, gcparse.V8)
	for at := 1.0; at < 100; at++ {
		p.event(gcparse.Pause, at, 0.05, func(e *gcparse.Event) { e.Incremental = ns(0.25) })
	}
	l := p.judge()
	if s := series(t, l, Pauses); math.Abs(s.Busy-99*0.3) > 0.01 || len(l.Violations) == 0 {
		t.Errorf("busy %v, %d violations", s.Busy, len(l.Violations))
	}
}

// A safepoint covers the pause in it.
func TestSafepointsAreNotAddedToPauses(t *testing.T) {
	p := newTape(t, gcparse.G1)
	for at := 0.0; at < 100; at++ {
		p.young(at+0.1, 0.2)
		p.event(gcparse.Safepoint, at, 0.35, waited(0.1))
	}
	l := p.judge()
	if s := series(t, l, Stopped); math.Abs(s.Busy-35) > 1e-6 || s.Counts {
		t.Errorf("stopped %+v", s)
	}
	if s := series(t, l, ToSafepoint); math.Abs(s.Busy-10) > 1e-6 {
		t.Errorf("to safepoint %+v", s)
	}
	if l.Waits == nil || l.Waits.Count != 100 {
		t.Errorf("waits %+v", l.Waits)
	}
}

// Events without a time are counted and said.
func TestEventsWithoutTime(t *testing.T) {
	p := newTape(t, gcparse.Serial)
	for range 5 {
		p.young(0, 0.2, func(e *gcparse.Event) { e.Start = gcparse.Stamp{} })
	}
	l := p.judge()
	if l.Pauses.Stops != 5 || l.Verdict.Answer != Unknown || len(l.Warnings) == 0 {
		t.Errorf("%+v %v", l.Verdict, l.Warnings)
	}
	wantIn(t, l.Verdict.Sentence, "no times", "5 pauses")
}

func TestNothingToSay(t *testing.T) {
	p := newTape(t, gcparse.AnyCollector)
	p.res.Runs = nil
	if l := p.judge(); l.Verdict.Answer != Unknown || l.Observed != 0 {
		t.Errorf("%+v", l.Verdict)
	}
	p = newTape(t, gcparse.G1)
	p.young(1, 0.01)
	p.young(3, 0.01)
	wantIn(t, p.judge().Verdict.Sentence, "no answer", "3.01s", "too short", "2 pauses")
	// Too short for a verdict on the overhead, and bad all the same.
	p = newTape(t, gcparse.CMS)
	p.full(3, 2, flags(gcparse.ConcurrentModeFailure))
	wantIn(t, p.judge().Verdict.Sentence, "no answer", "concurrent mode failure", "CMSInitiatingOccupancyFraction=60")
	p = newTape(t, gcparse.G1)
	p.calm(0, 10)
	p.busy(10, 20, 0.9)
	wantIn(t, p.judge().Verdict.Sentence, "no answer", "of the", "that are a violation")
}

// Wall-clock only logs, as of containers.
func TestWallClockOnly(t *testing.T) {
	p := newTape(t, gcparse.Go)
	p.wall = someDay
	for at := 0.0; at < 200; at++ {
		p.event(gcparse.Pause, at, 0.3, func(e *gcparse.Event) { e.Start.HasUptime = false; e.Start.Uptime = 0 })
	}
	l := p.judge()
	if l.Origin.Time != "2026-11-28T10:00:00.000Z" || l.Origin.Uptime != nil || math.Abs(l.Observed-199.3) > 1e-6 {
		t.Errorf("%+v, %v", l.Origin, l.Observed)
	}
	if len(l.Violations) == 0 || l.Violations[0].Begin.Log < 9.9 {
		t.Errorf("%+v", l.Violations)
	}
}

// With a wall clock runs stand where they were, with the gap between them.
func TestRunsOnTheWallClock(t *testing.T) {
	p := newTape(t, gcparse.G1)
	p.wall = someDay
	p.calm(0, 100)
	p.ends(100)
	p.restart(gcparse.NewHeader)
	p.wall += ns(500)
	p.calm(0, 100)
	l := p.judge()
	if got := l.Runs[1].Begin; got.Log != 500 || got.Time != "2026-11-28T10:08:20.000Z" {
		t.Errorf("%+v", got)
	}
	if math.Abs(l.Observed-199.01) > 1e-6 {
		t.Errorf("observed %v", l.Observed)
	}
}

// Hodor's way and the exact one agree on what matters.
func TestEventMode(t *testing.T) {
	p := newTape(t, gcparse.G1)
	p.calm(0, 100)
	p.busy(100, 200, 0.6)
	p.calm(200, 300)
	exact := p.judge()
	p.cfg.OnEvents = true
	event := p.judge()
	for k := range 3 {
		a, b := series(t, exact, Pauses).Violations[k], series(t, event, Pauses).Violations[k]
		if a != 1 || b != 1 {
			t.Errorf("tier %d: %d and %d violations", k+1, a, b)
		}
	}
}
