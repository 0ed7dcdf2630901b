package clock

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Limits of a calibration.
const (
	// minPairs is how many objects must carry both stamps.
	minPairs = 20
	// maxSpread is how much the differences of half of the pairs may vary. Stamps of
	// last use move after the creation they are paired with; in a queue of waiting
	// requests they were measured 0.5 to 2.6 s later.
	maxSpread = 3 * time.Second
	// spreadShare is how much of the range of the wall-clock stamps the differences
	// may vary. Were the other field a constant or a slow counter, the differences
	// would vary as much as the stamps themselves.
	spreadShare = 0.25
)

// Sample is the fields of objects of one class, read side by side: entry i of
// each column is of object i.
type Sample struct {
	Class   string
	Columns []Column
}

// Calibration turns the VM's counter of nanoseconds into wall-clock time.
type Calibration struct {
	// Offset is the wall-clock time in nanoseconds when the counter was zero.
	Offset int64
	// Spread is the width of the middle half of the differences: how well the two
	// clocks agree.
	Spread time.Duration
	// Pairs is how many objects it rests on, Epoch and Nano their two fields.
	Pairs       int
	Epoch, Nano string
	// AtMost is true when the offset is a bound: ages are at least those that
	// follow from it. See [Config.ByCollector].
	AtMost bool
	// Behind is how long before the dump's own time the collector's clock stood
	// still, by a calibration of pairs; 0 where one of the two is missing. Hours
	// mean that nothing was collected for hours, or that the dump was made later
	// from the core of a process, and its time is not that of the objects.
	Behind time.Duration
	// paired are all fields that agreed with a wall-clock stamp in their own objects.
	paired map[string]bool
	rank   int
}

// Calibrate finds the pair of fields that ties the counter to the wall clock
// best, and reports whether there is one. Of pairs with equally good names that
// with more objects counts, then the one that agrees better.
func (c Config) Calibrate(samples []Sample) (Calibration, bool) {
	c = c.withDefaults()
	paired := make(map[string]bool)
	var best Calibration
	found := false
	for _, s := range samples {
		for e := range s.Columns {
			epoch := &s.Columns[e]
			unit, known := c.epochUnit(epoch)
			if known < c.MinKnown || meaningOf(epoch.Source) == noStamp {
				continue
			}
			for n := range s.Columns {
				nano := &s.Columns[n]
				if n == e || !c.mayBeNano(nano) {
					continue
				}
				got, ok := c.pair(epoch, nano, unit)
				if !ok {
					continue
				}
				paired[nano.Source] = true
				if !found || better(got, best) {
					best, found = got, true
				}
			}
		}
	}
	best.paired = paired
	return best, found
}

// mayBeNano reports whether a column may be of the counter: not by its name
// something else, and not itself a wall-clock stamp.
func (c Config) mayBeNano(col *Column) bool {
	if col.Unit != UnitUnknown && col.Unit != Nano || meaningOf(col.Source) == noStamp {
		return false
	}
	_, known := c.epochUnit(col)
	return known < 0.5
}

func better(a, b Calibration) bool {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Pairs, b.Pairs), cmp.Compare(b.Spread, a.Spread),
		cmp.Compare(b.Nano, a.Nano)) > 0
}

// pair calibrates by two fields of the same objects.
func (c Config) pair(epoch, nano *Column, unit Unit) (Calibration, bool) {
	lo, hi := c.window()
	var stamps, counts, diffs []int64
	for i := range min(len(epoch.Values), len(nano.Values)) {
		if !epoch.valid(i) || !nano.valid(i) {
			continue
		}
		at, ok := toNanos(epoch.Values[i], unit)
		if !ok || at < lo || at > hi {
			continue
		}
		if nano.Values[i] < math.MinInt64/2 || nano.Values[i] > math.MaxInt64/2 {
			continue // no counter gets there in a lifetime, and the difference would overflow
		}
		stamps, counts, diffs = append(stamps, at), append(counts, nano.Values[i]), append(diffs, at-nano.Values[i])
	}
	if len(diffs) < minPairs {
		return Calibration{}, false
	}
	slices.Sort(stamps)
	slices.Sort(counts)
	slices.Sort(diffs)
	offset, width := shorth(diffs)
	ran, counted := quantile(stamps, 0.95)-quantile(stamps, 0.05), quantile(counts, 0.95)-quantile(counts, 0.05)
	switch {
	case width > int64(maxSpread), float64(width) > spreadShare*float64(ran):
		return Calibration{}, false
	case counted < ran/2 || counted > 2*ran+int64(maxSpread):
		return Calibration{}, false
	}
	return Calibration{
		Offset: offset,
		Spread: time.Duration(quantile(diffs, 0.75) - quantile(diffs, 0.25)),
		Pairs:  len(diffs),
		Epoch:  epoch.Source,
		Nano:   nano.Source,
		rank:   int(meaningOf(epoch.Source)) + int(meaningOf(nano.Source)),
	}, true
}

// shorth returns the median of the shortest interval that holds half of sorted
// values, and its width. Where one of two stamps is sometimes taken late, the
// differences have a tail on one side; the shortest half leaves it out, which the
// plain median does not (Andrews et al., Robust Estimates of Location, 1972).
func shorth(sorted []int64) (center, width int64) {
	half := len(sorted)/2 + 1
	from := 0
	for i := 1; i+half <= len(sorted); i++ {
		if sorted[i+half-1]-sorted[i] < sorted[from+half-1]-sorted[from] {
			from = i
		}
	}
	in := sorted[from : from+half]
	return in[len(in)/2], in[len(in)-1] - in[0]
}

// toNanos turns a wall-clock stamp into nanoseconds, and reports whether they fit.
func toNanos(v int64, unit Unit) (int64, bool) {
	n := unit.nanos()
	if v > math.MaxInt64/n || v < math.MinInt64/n {
		return 0, false
	}
	return v * n, true
}
