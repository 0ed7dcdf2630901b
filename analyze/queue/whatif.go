package queue

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// WhatIf varies one input over some values.
type WhatIf struct {
	// Input is queue, timeout, capacity or workers.
	Input string
	// Values are positions, seconds, requests per second or workers, ascending.
	Values []float64
}

// Sweep is what the values of a [WhatIf] do.
type Sweep struct {
	Input string     `json:"input"`
	Rows  []SweepRow `json:"rows"`
}

// SweepRow is one value of the input that is varied.
type SweepRow struct {
	// Value is in the base unit of the input: positions, seconds, requests per
	// second, workers.
	Value float64 `json:"value"`
	// Advised is the request queue to set at this value.
	Advised int64 `json:"advised_queue_positions"`
	// Queue is the length for which the rest holds: the value, today's, or the
	// advised one where today's is not known.
	Queue     int64       `json:"queue_positions"`
	Unbounded bool        `json:"unbounded"`
	Goodput   []LoadShare `json:"goodput"`
	// QueueWait is the wait of the last position; absent without a limit.
	QueueWait *float64 `json:"queue_wait_seconds,omitempty"`
	Dead      *int64   `json:"dead_on_arrival,omitempty"`
	Memory    *int64   `json:"queue_memory_bytes,omitempty"`
}

// sweepInputs are the inputs that can be varied, with how their values are read
// and written.
var sweepInputs = map[string]struct {
	parse  func(string) (float64, error)
	format func(float64) string
	whole  bool
}{
	"queue":    {parseCount, formatCount, true},
	"workers":  {parseCount, formatCount, true},
	"capacity": {units.ParseRate, units.Rate, false},
	"timeout": {func(s string) (float64, error) {
		d, err := units.ParseDuration(s)
		return d.Seconds(), err
	}, units.Seconds, false},
}

func parseCount(s string) (float64, error) {
	n, err := units.ParseCount(s)
	return float64(n), err
}

func formatCount(v float64) string { return units.Count(int64(v)) }

// FormatValue writes a value of the input that was varied.
func (s *Sweep) FormatValue(v float64) string { return sweepInputs[s.Input].format(v) }

const (
	sweepSteps = 10
	maxSweep   = 1000
)

// ParseWhatIf reads "queue=500..5000", "timeout=100ms..1s", with the number of
// steps after a slash as in "queue=500..5000/20", or values as in
// "workers=8,12,16".
func ParseWhatIf(text string) (*WhatIf, error) {
	const want = "such as queue=500..5000, timeout=100ms..1s, capacity=900/s,1200/s or workers=8..16/4"
	name, list, ok := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	in, known := sweepInputs[name]
	switch {
	case !ok:
		return nil, fault.Usagef("what-if %q: expected an input and its values, %s", text, want)
	case !known:
		return nil, fault.Usagef("what-if %q: expected queue, timeout, capacity or workers before '=', found %q", text, name)
	}
	w := &WhatIf{Input: name}
	from, rest, isRange := strings.Cut(list, "..")
	if !isRange {
		for _, part := range strings.Split(list, ",") {
			v, err := in.parse(part)
			if err != nil {
				return nil, fault.Usagef("what-if %s: %w", name, err)
			}
			w.Values = append(w.Values, v)
		}
	} else {
		to, n, err := splitSteps(rest)
		if err != nil {
			return nil, fault.Usagef("what-if %q: %w", text, err)
		}
		// "900..1300/s": the unit stands once, at the end.
		if name == "capacity" && !strings.ContainsAny(from, "/r") {
			from = strings.TrimSpace(from) + "/s"
		}
		low, err := in.parse(from)
		if err != nil {
			return nil, fault.Usagef("what-if %s: %w", name, err)
		}
		high, err := in.parse(to)
		if err != nil {
			return nil, fault.Usagef("what-if %s: %w", name, err)
		}
		if high <= low {
			return nil, fault.Usagef("what-if %q: expected ascending ends, found %s to %s", text, in.format(low), in.format(high))
		}
		w.Values = spread(low, high, n, in.whole)
	}
	slices.Sort(w.Values)
	w.Values = slices.Compact(w.Values)
	if name != "queue" && w.Values[0] == 0 {
		return nil, fault.Usagef("what-if %q: expected values over 0, found 0: nothing would be answered", text)
	}
	if len(w.Values) > maxSweep {
		return nil, fault.Usagef("what-if %q: expected at most %d values, found %d", text, maxSweep, len(w.Values))
	}
	return w, nil
}

// splitSteps splits "5000/20" into the end and the number of values. A rate's
// unit has a slash of its own.
func splitSteps(text string) (end string, n int, err error) {
	i := strings.LastIndexByte(text, '/')
	if i < 0 || i == len(text)-1 || text[i+1] < '0' || text[i+1] > '9' {
		return text, sweepSteps, nil
	}
	count, err := units.ParseCount(text[i+1:])
	if err != nil {
		return "", 0, err
	}
	if count < 2 || count > maxSweep {
		return "", 0, fmt.Errorf("expected 2 to %d values after the slash, found %d", maxSweep, count)
	}
	return text[:i], int(count), nil
}

// spread returns n values from low to high: evenly up to a factor of ten, by a
// constant factor beyond.
func spread(low, high float64, n int, whole bool) []float64 {
	even := low == 0 || high/low <= 10
	out := make([]float64, n)
	for i := range out {
		part := float64(i) / float64(n-1)
		v := low + part*(high-low)
		if !even {
			v = low * math.Pow(high/low, part)
		}
		if !even {
			v = twoDigits(v)
		}
		if whole {
			v = math.Round(v)
		}
		out[i] = v
	}
	out[0], out[n-1] = low, high
	return out
}

// twoDigits rounds to two significant digits, as people choose settings.
func twoDigits(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	return math.Round(v/unit) * unit
}

// sweep computes every value.
func (w *WhatIf) sweep(c Config) (*Sweep, error) {
	s := &Sweep{Input: w.Input}
	for _, v := range w.Values {
		row, err := w.row(c, v)
		if err != nil {
			return nil, fault.WithHint(fault.Usagef("what-if %s=%s: %w", w.Input, s.FormatValue(v), err), fault.HintOf(err))
		}
		s.Rows = append(s.Rows, row)
	}
	return s, nil
}

func (w *WhatIf) row(c Config, v float64) (SweepRow, error) {
	switch w.Input {
	case "queue":
		c.Queue = &Length{Positions: int64(v)}
	case "timeout":
		c.Timeout = time.Duration(math.Round(v * float64(time.Second)))
	case "capacity":
		c.Capacity = queuecalc.Interval{Estimate: v}
	case "workers":
		c.Workers = int(v)
	}
	m, err := newModel(c)
	if err != nil {
		return SweepRow{}, err
	}
	q := Length{Positions: int64(m.set.Positions)}
	if c.Queue != nil {
		q = *c.Queue
	}
	row := SweepRow{Value: v, Advised: int64(m.set.Positions), Queue: q.Positions, Unbounded: q.Unbounded}
	for _, load := range queuecalc.Loads() {
		g, err := m.goodput(q, load)
		if err != nil {
			return SweepRow{}, err
		}
		row.Goodput = append(row.Goodput, LoadShare{load, g})
	}
	if !q.Unbounded {
		wait := float64(q.Positions) / m.Capacity.Estimate
		dead := min(max(q.Positions+int64(m.workers)-m.breakPoint(), 0), q.Positions)
		row.QueueWait, row.Dead = &wait, &dead
		if c.BytesPerRequest > 0 {
			bytes := satMul(q.Positions, c.BytesPerRequest)
			row.Memory = &bytes
		}
	}
	return row, nil
}
