package promtext

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

const (
	// maxLine bounds a line.
	maxLine = 1 << 20
	// maxSeries bounds the series that a selector may name.
	maxSeries = 100_000
)

// Reading is what an exposition says of the series of one selector.
type Reading struct {
	// Series are their values, by labels.
	Series map[string]float64
	// Samples counts all lines of values, Bad those that could not be read, and
	// FirstBad says what is wrong with the first of them.
	Samples, Bad int
	FirstBad     error
}

// Sum is the sum over all series.
func (r *Reading) Sum() float64 {
	sum := 0.0
	for _, v := range r.Series {
		sum += v
	}
	return sum
}

// Read reads an exposition. Lines that cannot be read are counted; the rest counts.
// It is an error when there is no line of values at all.
func Read(in io.Reader, sel *Selector) (*Reading, error) {
	r := &Reading{Series: map[string]float64{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	n := 0
	for lines.Scan() {
		n++
		line := lines.Text()
		if strings.HasPrefix(line, "# EOF") {
			break
		}
		sample, ok, err := parseLine(line)
		if err != nil {
			if r.Bad++; r.FirstBad == nil {
				r.FirstBad = fmt.Errorf("line %d, %w", n, err)
			}
			continue
		}
		if !ok {
			continue
		}
		r.Samples++
		if !sel.Match(&sample) {
			continue
		}
		if len(r.Series) == maxSeries {
			return r, fmt.Errorf("line %d: expected at most %d series of %s, found more", n, maxSeries, sel)
		}
		r.Series[sample.key()] = sample.Value
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("line %d: expected at most %d bytes, found more", n+1, maxLine)
		}
		return r, err
	}
	if r.Samples == 0 {
		if r.FirstBad != nil {
			return r, fmt.Errorf("expected metrics in the text format of Prometheus: %w", r.FirstBad)
		}
		return r, errors.New("expected metrics in the text format of Prometheus, found none")
	}
	return r, nil
}

// Growth is by how much counters grew between two readings.
type Growth struct {
	// Sum is the growth of all series together. Where a counter went down it began
	// again at 0, and what it shows is the least by which it grew.
	Sum float64
	// Restarts counts series that went down, Gone those that are no longer there,
	// New those that were not there before and counted from 0.
	Restarts, Gone, New int
	// Unknown counts series that were or are no finite number: nobody knows by how
	// much they grew, and they are in none of the other counts.
	Unknown int
}

func unknown(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// Between returns the growth from one reading to a later one.
func Between(before, after *Reading) Growth {
	var g Growth
	for key, v := range after.Series {
		was, had := before.Series[key]
		switch {
		case unknown(v) || had && unknown(was):
			g.Unknown++
		case !had:
			g.New++
			g.Sum += v
		case v < was:
			g.Restarts++
			g.Sum += v
		default:
			g.Sum += v - was
		}
	}
	for key := range before.Series {
		if _, still := after.Series[key]; !still {
			g.Gone++
		}
	}
	return g
}
