package histoonly

import (
	"fmt"
	"time"

	"example.com/kneeline/heapdump/classhisto"
	"example.com/kneeline/internal/units"
)

// interval is the time between the first histogram and the last.
func (j *judge) interval() (time.Duration, bool) {
	if j.first == nil {
		return 0, false
	}
	if d, ok := classhisto.Between(j.first, j.now); ok && d > 0 {
		return d, true
	}
	steps := len(j.in.histograms()) - 1
	return time.Duration(steps) * j.in.Interval, j.in.Interval > 0
}

// grow tells how what waits grew from the first histogram to the last. What came
// and was served meanwhile is not in either, so the growth is the least that the
// arrival rate can be.
func (j *judge) grow(e *evidence) {
	if j.first == nil || e.class == "" {
		return
	}
	before := j.first.ByName()[e.class].Instances
	more := j.counts[e.class].Instances - before
	if bytes := j.now.Total().Bytes - j.first.Total().Bytes; more >= j.o.MinEntries && bytes > 0 && j.now.Complete() && j.first.Complete() {
		// What the heap grew by for each is all that one holds, arrays and texts too,
		// unless the heap grew by something else meanwhile.
		e.setBytes(float64(bytes)/float64(more), "the growth of the heap for each that came", j)
	}
	d, timed := j.interval()
	switch {
	case !timed:
		e.why = append(e.why, fmt.Sprintf("%s more than in the first histogram, which had %s", units.Count(more), units.Count(before)))
	case more > 0:
		rate := float64(more) / d.Seconds()
		e.ArrivalRate = &rate
		e.why = append(e.why, fmt.Sprintf("they grew by %s in %s: at least %s more come than are served", units.Count(more), units.Seconds(d.Seconds()), units.Rate(rate)))
	default:
		e.why = append(e.why, fmt.Sprintf("they did not grow in %s: %s before, %s now", units.Seconds(d.Seconds()), units.Count(before), units.Count(before+more)))
	}
}
