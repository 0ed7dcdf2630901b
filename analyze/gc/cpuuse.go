package gc

import (
	"slices"

	"example.com/kneeline/gcparse"
)

// cpuUse compares the CPU time of pauses with their length.
type cpuUse struct {
	// known are pauses with CPU times that are long enough to compare.
	known, sysHeavy int64
	user, sys, real int64
	// parallel are pauses that were long enough to meet a quota twice, by how many
	// processors they had.
	ratios  []float64
	workers []int32
}

const (
	// quotaPause is two periods of the quota of Linux's scheduler.
	quotaPause = int64(200e6)
	maxRatios  = 512
)

func (c *cpuUse) add(e *gcparse.Event) {
	if !e.HasCPU || e.Real < timed {
		return
	}
	c.known++
	c.user, c.sys, c.real = c.user+e.User, c.sys+e.Sys, c.real+e.Real
	if e.Sys > e.User {
		c.sysHeavy++
	}
	if e.Real >= quotaPause && len(c.ratios) < maxRatios && parallel(e) {
		c.ratios = append(c.ratios, float64(e.User+e.Sys)/float64(e.Real))
		c.workers = append(c.workers, e.Workers)
	}
}

// parallel tells a pause whose work several threads share.
func parallel(e *gcparse.Event) bool {
	switch e.Collector {
	case gcparse.Serial:
		return false
	case gcparse.CMS, gcparse.ParNew:
		return !e.Flags.Any(gcparse.Full)
	}
	return true
}

// quota is what pauses look like in a container whose CPU time is limited.
type quota struct {
	pauses  int
	cpus    float64 // processors that the pauses had
	workers int32
}

// quota looks for pauses that all had the same number of processors, well below
// that of the threads. Workers is the number of threads where pauses do not state it.
func (c *cpuUse) quota(workers int32) (quota, bool) {
	var most int32
	for _, w := range c.workers {
		most = max(most, w)
	}
	if most == 0 {
		most = workers
	}
	if len(c.ratios) < 5 || most < 2 {
		return quota{}, false
	}
	sorted := slices.Sorted(slices.Values(c.ratios))
	at := func(q float64) float64 { return sorted[int(q*float64(len(sorted)-1)+0.5)] }
	median, spread := at(0.5), at(0.75)-at(0.25)
	if median < 0.5 || median > 0.5*float64(most) || spread > 0.2*median {
		return quota{}, false
	}
	return quota{len(sorted), median, most}, true
}

// goHeap looks for Go collections that are forced on the program by a heap goal
// close to the live heap.
type goHeap struct {
	streak, worst goStreak
}

// goStreak is a row of such collections.
type goStreak struct {
	first, last spot
	cycles      int64
	ratio       float64 // the least of goal over live heap
	live, goal  int64
}

// tightGoal is the heap goal over the live heap below which collections follow
// each other: with GOGC=100 it is 2.
const tightGoal = 1.25

func (g *goHeap) add(e *gcparse.Event, p spot) {
	if e.Collector != gcparse.Go || !e.Heap.HasAfter || !e.Heap.HasCapacity || e.Heap.After <= 0 {
		return
	}
	ratio := float64(e.Heap.Capacity) / float64(e.Heap.After)
	s := &g.streak
	if ratio >= tightGoal || s.cycles > 0 && s.last.run != p.run {
		*s = goStreak{}
	}
	if ratio >= tightGoal {
		return
	}
	if s.cycles == 0 {
		s.first, s.ratio = p, ratio
	}
	s.cycles++
	s.last, s.ratio, s.live, s.goal = p, min(s.ratio, ratio), e.Heap.After, e.Heap.Capacity
	if s.last.at-s.first.at >= g.worst.last.at-g.worst.first.at || g.worst.cycles == 0 {
		g.worst = *s
	}
}
