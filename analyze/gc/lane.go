package gc

import (
	"math"
	"slices"
)

// points is how many points a curve of the result has at most.
const points = 360

// lane keeps the course of a share over a log of any length in a bounded number of
// points: the highest and the mean value of each. When the log outgrows it, two
// points become one.
type lane struct {
	started       bool
	origin, width int64
	max, sum      []float64
	covered       []int64
	// at is the point that was added to last, which goes from since to until.
	at           int
	since, until int64
}

// firstWidth is the length of a point at first, in nanoseconds.
const firstWidth = int64(100e6)

// fit makes room for the instant given.
func (l *lane) fit(at int64) {
	if !l.started {
		l.started, l.origin, l.width = true, at, firstWidth
	}
	for (at-l.origin)/l.width >= points {
		for i := range l.max {
			if i%2 == 0 {
				l.max[i/2], l.sum[i/2], l.covered[i/2] = l.max[i], l.sum[i], l.covered[i]
			} else {
				l.max[i/2] = max(l.max[i/2], l.max[i])
				l.sum[i/2] += l.sum[i]
				l.covered[i/2] += l.covered[i]
			}
		}
		n := (len(l.max) + 1) / 2
		l.max, l.sum, l.covered = l.max[:n], l.sum[:n], l.covered[:n]
		l.width *= 2
		l.until = l.since // what it names has moved
	}
	for int64(len(l.max)) <= (at-l.origin)/l.width {
		l.max, l.sum, l.covered = append(l.max, 0), append(l.sum, 0), append(l.covered, 0)
	}
}

// add takes a stretch in which the value goes from a to b in a line. What lies
// before the origin is left out.
func (l *lane) add(from, to int64, a, b float64) {
	if from >= l.since && to <= l.until && from < to {
		i := l.at
		l.max[i] = max(l.max[i], a, b)
		l.sum[i] += (a + b) / 2 * float64(to-from)
		l.covered[i] += to - from
		return
	}
	if !l.started {
		l.fit(from)
	}
	whole := float64(to - from)
	at := func(t int64) float64 { return a + (b-a)*float64(t-from)/whole }
	if to <= l.origin || to <= from {
		return
	}
	from0 := max(from, l.origin)
	l.fit(to - 1)
	for t := from0; t < to; {
		i := (t - l.origin) / l.width
		l.at, l.since, l.until = int(i), l.origin+i*l.width, l.origin+(i+1)*l.width
		end := min(to, l.until)
		x, y := at(t), at(end)
		l.max[i] = max(l.max[i], x, y)
		l.sum[i] += (x + y) / 2 * float64(end-t)
		l.covered[i] += end - t
		t = end
	}
}

// curve returns the points, nil where nothing was judged.
func (l *lane) curve() (highest, mean []*float64) {
	for i, n := range l.covered {
		if n == 0 {
			highest, mean = append(highest, nil), append(mean, nil)
			continue
		}
		highest = append(highest, rounded(l.max[i]))
		mean = append(mean, rounded(l.sum[i]/float64(n)))
	}
	return highest, mean
}

// rounded is a share with as many digits as a plot can show.
func rounded(v float64) *float64 {
	v = math.Round(v*1e5) / 1e5
	return &v
}

// clone returns a copy that shares nothing with l.
func (l *lane) clone() lane {
	c := *l
	c.max, c.sum, c.covered = slices.Clone(l.max), slices.Clone(l.sum), slices.Clone(l.covered)
	return c
}
