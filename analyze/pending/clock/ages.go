package clock

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Queue is the entries of a queue, its head first.
type Queue struct {
	// Entries is how many there are; the columns may hold an even sample of them.
	Entries int64
	// Positions are the places of the sample in the queue, rising; nil is all of
	// them in order.
	Positions []int64
	Columns   []Column
}

// Ages is how long the entries of a queue have been waiting.
type Ages struct {
	// Head and Tail are the ages of the first and the last entry, Oldest is the
	// greatest, which differs from Head a little where entries came side by side.
	Head, Median, Tail, Oldest time.Duration
	// Steps are the ages of entries at even distances in the order of their age, from the
	// youngest to the oldest.
	Steps []time.Duration
	// Source is the field they follow from, Unit what it counts.
	Source string
	Unit   Unit
	Hops   int
	// AtLeast is true when the clock is known only as a bound: the true ages are
	// those given, or more.
	AtLeast bool
	// Known is the share of entries with a plausible stamp, Monotone the share that
	// stands in the order of its stamps.
	Known, Monotone float64
	// Spread is how well a counter could be calibrated, 0 for wall-clock stamps.
	Spread time.Duration
	// Reversed is true when the newest entry comes first, as in a stack.
	Reversed bool
	// ArrivalRate is the entries per second that came between tail and head and are
	// still there: (n-1)/(head-tail).
	ArrivalRate float64
	// Throughput is n/head: what a queue that neither grows nor shrinks is drained
	// at, by Little's law. While it grows this is an upper bound.
	Throughput float64
}

// Refusal is a field that gives no ages, and why.
type Refusal struct {
	Source string
	Why    string
}

// Ages finds the field that tells best when the entries of a queue came. It
// returns nil when there is none. The refusals are those fields that looked like
// stamps at all.
func (c Config) Ages(q Queue) (*Ages, []Refusal) {
	c = c.withDefaults()
	var best *Ages
	var bestRank [4]float64
	var refused []Refusal
	for i := range q.Columns {
		col := &q.Columns[i]
		got, why := c.column(q, col)
		if got == nil {
			if why != "" {
				refused = append(refused, Refusal{Source: col.Source, Why: why})
			}
			continue
		}
		if rank := rankOf(got, col); best == nil || slices.Compare(rank[:], bestRank[:]) > 0 {
			best, bestRank = got, rank
		}
	}
	slices.SortStableFunc(refused, func(a, b Refusal) int { return cmp.Compare(a.Source, b.Source) })
	return best, refused
}

// rankOf orders fields that all pass: by what the name says, the entry's own
// before what it refers to, wall clock before counter, the better ordered first.
func rankOf(a *Ages, col *Column) [4]float64 {
	m := meaningOf(col.Source)
	if col.Preferred {
		m = known
	}
	clock := 1.0
	if a.Unit == Nano {
		clock = 0
	}
	return [4]float64{float64(m), -float64(a.Hops), clock, a.Monotone * a.Known}
}

// column judges one field. Why is empty when it does not look like a stamp.
func (c Config) column(q Queue, col *Column) (*Ages, string) {
	if len(col.Values) < minEntries || q.Positions != nil && len(q.Positions) != len(col.Values) {
		return nil, ""
	}
	unit, share := c.epochUnit(col)
	offset, slack := int64(0), epochSlack
	if share < 0.5 { // else it is a wall-clock stamp, be it a good one or not
		if c.Calibration == nil || !c.mayBeNano(col) {
			return nil, ""
		}
		unit, offset, slack = Nano, c.Calibration.offsetFor(c.Now, col), nanoSlack+c.Calibration.Spread
	}
	if meaningOf(col.Source) == noStamp && !col.Preferred {
		return nil, "its name is not that of a time of arrival"
	}
	if meaningOf(col.Source) == lastUse && !col.Preferred {
		return nil, "its name is that of a time of last use, and what waits may have come long after it, or long before"
	}
	s := c.stamps(q, col, unit, offset, slack)
	if unit == Nano && len(s.at) < len(col.Values)/2 {
		return nil, ""
	}
	if why := c.refuse(s, col, unit); why != "" {
		return nil, why
	}
	return c.ages(q, s, col, unit)
}

// minEntries is how many stamps are too few to see an order in.
const minEntries = 20

// maxRate is the arrival rate above which values are no stamps: no queue of
// objects is filled ten million times a second for long.
const maxRate = 1e7

// minSpan is how much of the age of its head a counter's values must span when
// the field has no partner of its own. Sizes, offsets and numbers, read as a
// counter of nanoseconds, all lie close to the moment when the machine started.
const minSpan = 0.01

// ages orders the stamps and reads the ages off them.
func (c Config) ages(q Queue, s stamps, col *Column, unit Unit) (*Ages, string) {
	rise, reversed := order(s.at)
	monotone := float64(len(rise)) / float64(len(col.Values))
	if monotone < c.MinKnown || concordance(s.at, reversed) < c.MinKnown {
		return nil, fmt.Sprintf("its values do not rise along the queue: %.1f %% are in order, %.0f %% are needed", 100*monotone, 100*c.MinKnown)
	}
	at := make([]int64, len(rise))
	for i, r := range rise {
		at[i] = s.at[r]
	}
	// What is first in the queue, and what is last: where the outermost entries have
	// no stamp, theirs follow from the mean distance of the others.
	first, last := rise[0], rise[len(rise)-1]
	oldest, newest := s.at[first], s.at[last]
	covered := float64(abs(s.pos[last] - s.pos[first]))
	span := float64(newest-oldest) / 1e9
	if span <= 0 || covered/span > maxRate {
		return nil, "its values are too close together to be times of arrival"
	}
	step := span * 1e9 / covered
	before, after := s.pos[first], q.Entries-1-s.pos[last]
	if reversed {
		before, after = q.Entries-1-s.pos[first], s.pos[last]
	}
	now := c.Now.UnixNano()
	head := age(now - oldest + int64(step*float64(max(before, 0))))
	tail := age(now - newest - int64(step*float64(max(after, 0))))
	if unit == Nano && !c.Calibration.paired[col.Source] && (head-tail).Seconds() < minSpan*head.Seconds() {
		return nil, "its values are too close together to be a clock's, and no other field confirms them"
	}
	slices.Sort(at)
	a := &Ages{
		Head: head, Median: age(now - quantile(at, 0.5)), Tail: tail, Oldest: max(age(now-at[0]), head),
		Steps: steps(now, at), Source: col.Source, Unit: unit, Hops: col.Hops,
		Known: s.known, Monotone: float64(len(rise)) / float64(len(s.at)), Reversed: reversed,
	}
	if unit == Nano {
		a.Spread, a.AtLeast = c.Calibration.Spread, c.Calibration.AtMost
	}
	if d := (head - tail).Seconds(); d > 0 {
		a.ArrivalRate = float64(q.Entries-1) / d
	}
	if head > 0 {
		a.Throughput = float64(q.Entries) / head.Seconds()
	}
	return a, ""
}

// ageSteps is how many steps there are.
const ageSteps = 1000

// steps are the ages of sorted stamps, from the youngest.
func steps(now int64, at []int64) []time.Duration {
	out := make([]time.Duration, min(ageSteps, len(at)-1)+1)
	for i := range out {
		out[len(out)-1-i] = age(now - at[i*(len(at)-1)/max(len(out)-1, 1)])
	}
	return out
}

// order returns a longest rise through the stamps in steps of a hundredth of
// their range, from the oldest to the newest, and whether it runs against the
// queue.
func order(at []int64) (rise []int, reversed bool) {
	steps := coarse(at, grainOf(at))
	rise = longestRise(steps)
	back := slices.Clone(steps)
	slices.Reverse(back)
	if other := longestRise(back); len(other) > len(rise) {
		for i := range other {
			other[i] = len(at) - 1 - other[i]
		}
		return other, true
	}
	return rise, false
}

// grainOf returns the step in which order is judged: a hundredth of the range of
// the middle nine tenths, at most a second.
func grainOf(at []int64) int64 {
	sorted := sortedCopy(at)
	return min((quantile(sorted, 0.95)-quantile(sorted, 0.05))/100, int64(time.Second))
}

// concordance returns the share of pairs of entries far apart whose stamps are in
// order, among those whose stamps differ. A column of mostly one value rises, but
// says nothing; this does not count equal values.
func concordance(at []int64, reversed bool) float64 {
	steps := coarse(at, grainOf(at))
	n := len(steps)
	in, all := 0, 0
	for _, distance := range []int{n / 2, n / 3, n / 7} {
		for i := 0; distance > 0 && i+distance < n; i++ {
			a, b := steps[i], steps[i+distance]
			if reversed {
				a, b = b, a
			}
			if a != b {
				all++
				if a < b {
					in++
				}
			}
		}
	}
	return float64(in) / float64(max(all, 1))
}

// age is never negative: a stamp may lie a little past the dump's time.
func age(nanos int64) time.Duration { return time.Duration(max(nanos, 0)) }

func abs(v int64) int64 { return max(v, -v) }
