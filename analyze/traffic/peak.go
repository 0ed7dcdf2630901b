package traffic

import (
	"context"
	"maps"
	"slices"
	"time"

	"example.com/kneeline/internal/accesslog"
	"example.com/kneeline/internal/fault"
)

// Peak is the highest rate over windows of one length.
type Peak struct {
	Window time.Duration
	// Requests is how many arrived in the busiest window, which begins at Start.
	Requests uint64
	Start    time.Time
}

// PerSecond is the rate of the peak.
func (p Peak) PerSecond() float64 { return float64(p.Requests) / p.Window.Seconds() }

// Peaks are the peaks of a log over several windows.
type Peaks struct {
	Reading *Reading
	// From and To are the first arrival and the last, in whole seconds and in the
	// log's own time zone.
	From, To time.Time
	// Windows has a peak for each length that the log covers, in the order asked for.
	Windows []Peak
	// Late counts requests that came so far out of order that their time had been
	// dealt with; they are in no window.
	Late uint64
}

// MaxWindow is the longest window over which a peak is taken.
const MaxWindow = time.Hour

// FindPeaks reads logs and finds the busiest windows of the lengths given, which are
// whole seconds. Windows begin at whole seconds.
func FindPeaks(ctx context.Context, logs *Logs, windows ...time.Duration) (*Peaks, error) {
	c := newCounter(windows)
	reading, err := logs.each(ctx, func(_ int, r *accesslog.Record) {
		c.zone(r.Offset)
		// A time in whole seconds stands for the middle of its second.
		c.add(r.Arrival() + int64(r.Resolution/2))
	})
	if err != nil {
		return nil, err
	}
	p := c.peaks()
	p.Reading = reading
	return p, nil
}

// Of returns the peak over windows of one length, or an error that says why the log
// has none.
func (p *Peaks) Of(window time.Duration) (Peak, error) {
	for _, w := range p.Windows {
		if w.Window == window {
			return w, nil
		}
	}
	return Peak{}, fault.WithHint(
		fault.NoAnswerf("the log covers %s: expected at least the %s of a window", p.To.Sub(p.From)+time.Second, window),
		"take a longer log, or a shorter --peak-window")
}

// hourSeconds is how many seconds are counted together.
const hourSeconds = 3600

// hour is the number of arrivals in each second of an hour.
type hour [hourSeconds]uint32

// maxHours bounds the memory of a counter, to 35 MB: so many hours of a log are kept
// until their windows are counted for good. Logs out of order, of several replicas
// or of rotations read in any order, are exact within them.
const maxHours = 2400

// counter counts arrivals by the second.
type counter struct {
	windows []int64 // seconds
	best    []Peak
	hours   map[int64]*hour
	now     *hour // the one last used
	nowAt   int64
	most    int // hours

	first, last int64 // second
	closed      int64 // hours before this one are counted for good
	any, zoned  bool
	offset      int
	late        uint64
}

func newCounter(windows []time.Duration) *counter {
	c := &counter{hours: map[int64]*hour{}, most: maxHours, closed: -1 << 62}
	for _, w := range windows {
		c.windows = append(c.windows, int64(w/time.Second))
		c.best = append(c.best, Peak{Window: w})
	}
	return c
}

// zone keeps the time zone of the first line.
func (c *counter) zone(offset int) {
	if !c.zoned {
		c.zoned, c.offset = true, offset
	}
}

// add counts an arrival at an instant in ns.
func (c *counter) add(ns int64) {
	second := floorDiv(ns, 1e9)
	h := floorDiv(second, hourSeconds)
	if c.now == nil || h != c.nowAt {
		if h < c.closed {
			c.late++
			return
		}
		if !c.open(h) {
			c.late++
			return
		}
	}
	if !c.any || second < c.first {
		c.first = second
	}
	if !c.any || second > c.last {
		c.last = second
	}
	c.any = true
	c.now[second-h*hourSeconds]++
}

// open makes an hour the one in use. Where there are too many the oldest is counted
// for good; an hour older than that is not opened.
func (c *counter) open(h int64) bool {
	p := c.hours[h]
	if p == nil {
		if len(c.hours) >= c.most {
			oldest := slices.Min(slices.Collect(maps.Keys(c.hours)))
			if h < oldest {
				return false
			}
			c.scan(oldest)
			delete(c.hours, oldest)
			c.closed = oldest + 1
		}
		p = new(hour)
		c.hours[h] = p
	}
	c.now, c.nowAt = p, h
	return true
}

// at is the number of arrivals in a second.
func (c *counter) at(second int64) uint64 {
	h := floorDiv(second, hourSeconds)
	if p := c.hours[h]; p != nil {
		return uint64(p[second-h*hourSeconds])
	}
	return 0
}

// scan counts the windows that begin in an hour.
func (c *counter) scan(h int64) {
	begin := h * hourSeconds
	for i, w := range c.windows {
		sum := uint64(0)
		for s := begin; s < begin+w; s++ {
			sum += c.at(s)
		}
		for s := begin; s < begin+hourSeconds; s++ {
			if sum > c.best[i].Requests {
				c.best[i].Requests, c.best[i].Start = sum, c.time(s)
			}
			sum += c.at(s+w) - c.at(s)
		}
	}
}

// peaks ends the counting.
func (c *counter) peaks() *Peaks {
	for _, h := range slices.Sorted(maps.Keys(c.hours)) {
		c.scan(h)
	}
	p := &Peaks{From: c.time(c.first), To: c.time(c.last), Late: c.late}
	for i, w := range c.windows {
		if c.any && c.last-c.first+1 >= w {
			p.Windows = append(p.Windows, c.best[i])
		}
	}
	return p
}

func (c *counter) time(second int64) time.Time {
	zone := time.UTC
	if c.offset != 0 {
		zone = time.FixedZone("", c.offset)
	}
	return time.Unix(second, 0).In(zone)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
