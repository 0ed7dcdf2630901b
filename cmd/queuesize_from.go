package cmd

import (
	"fmt"
	"io"
	"math"
	"time"

	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// measured is what queuesize takes from a result of headroom. Its keys are those
// of docs/schema/headroom-v1.schema.json, read here as any other program would.
type measured struct {
	Schema   string   `json:"schema"`
	Complete *bool    `json:"complete"`
	Timeout  *float64 `json:"timeout_seconds"`
	Result   struct {
		Capacity  *interval `json:"capacity_per_second"`
		AtLeast   *float64  `json:"capacity_at_least_per_second"`
		Saturated *interval `json:"saturated_throughput_per_second"`
		Bound     *float64  `json:"queue_bound_in_system"`
		Headroom  *float64  `json:"headroom_ratio"`
		Useful    *struct {
			Workers int `json:"workers"`
		} `json:"useful_queue"`
	} `json:"result"`
	name string
}

// interval is an estimate with its confidence interval.
type interval struct {
	Estimate float64 `json:"estimate"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

func (i *interval) calc() queuecalc.Interval {
	if i.Low <= 0 || i.High <= 0 {
		return queuecalc.Interval{Estimate: i.Estimate}
	}
	return queuecalc.Interval{Estimate: i.Estimate, Low: i.Low, High: i.High}
}

// low is the low end, the estimate where it has none.
func (i *interval) low() float64 {
	if i.Low > 0 {
		return i.Low
	}
	return i.Estimate
}

// readHeadroom reads a result of headroom.
func readHeadroom(path string, stdin io.Reader) (*measured, error) {
	src := input.Source{Name: path, Path: path}
	if path == input.Stdin {
		src.Name = "stdin"
	}
	m := &measured{name: src.Name}
	if err := decodeResult(src, stdin, m, &m.Schema); err != nil {
		return nil, err
	}
	if what := m.wrong(); what != "" {
		return nil, noHeadroomResult("%s: %s", src.Name, what)
	}
	return m, nil
}

// wrong says what in a result of headroom is no figure of a measurement; it is
// empty where nothing is.
func (m *measured) wrong() string {
	r := m.Result
	for _, f := range []struct {
		key   string
		value *interval
	}{{"capacity_per_second", r.Capacity}, {"saturated_throughput_per_second", r.Saturated}} {
		if i := f.value; i != nil && !(i.Estimate > 0 && i.Estimate <= queue.MaxRate && i.Low <= i.Estimate && (i.High == 0 || i.Estimate <= i.High && i.High <= queue.MaxRate)) {
			return fmt.Sprintf("%s: expected an estimate over 0 and at most %v between its ends, found %v from %v to %v", f.key, float64(queue.MaxRate), i.Estimate, i.Low, i.High)
		}
	}
	for _, f := range []struct {
		key         string
		value       *float64
		least, most float64
	}{
		{"timeout_seconds", m.Timeout, queue.MinTimeout.Seconds(), queue.MaxTimeout.Seconds()},
		{"capacity_at_least_per_second", r.AtLeast, 0, queue.MaxRate},
		{"queue_bound_in_system", r.Bound, 0, queue.MaxPlaces},
		{"headroom_ratio", r.Headroom, -1, queue.MaxRate},
	} {
		if v := f.value; v != nil && !(*v >= f.least && *v <= f.most) {
			return fmt.Sprintf("%s: expected %v to %v, found %v", f.key, f.least, f.most, *v)
		}
	}
	if peak, ok := m.peak(); ok && peak > queue.MaxRate {
		return fmt.Sprintf("headroom_ratio: expected one that leaves a peak of at most %v/s, found %v", float64(queue.MaxRate), *r.Headroom)
	}
	return ""
}

// peak is the highest rate of real traffic, and whether it is known.
func (m *measured) peak() (float64, bool) {
	r := m.Result
	if r.Headroom == nil || *r.Headroom <= -1 || r.Capacity == nil {
		return 0, false
	}
	return r.Capacity.low() / (1 + *r.Headroom), true
}

// fill puts what was measured where no flag stands, and says what it took.
func (m *measured) fill(cfg *queue.Config, given func(string) bool) (notes []string, err error) {
	say := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if m.Complete != nil && !*m.Complete {
		say("The measurement in %s did not run to its end.", m.name)
	}
	if !given("capacity") {
		if err := m.capacity(cfg, say); err != nil {
			return nil, err
		}
	}
	if t := m.Timeout; t != nil && !given("timeout") {
		cfg.Timeout = time.Duration(math.Round(*t * float64(time.Second)))
	}
	r := m.Result
	if r.Useful != nil && r.Useful.Workers > 0 && !given("workers") {
		cfg.Workers = r.Useful.Workers
	}
	if peak, ok := m.peak(); ok && !given("peak") {
		cfg.Peak = peak
	}
	if r.Bound != nil && cfg.Workers > 0 && !given("queue") {
		cfg.Queue = &queue.Length{Positions: max(int64(*r.Bound)-int64(cfg.Workers), 0)}
		say("Today's queue of %s is what was measured: the service refused requests when it held %s.",
			units.Count(cfg.Queue.Positions), units.Count(int64(*r.Bound)))
	}
	return notes, nil
}

// capacity takes the rate of completions of the busy service, which decides how
// long a queue is useful, and the capacity under the objective, to which arrivals
// are to be held.
func (m *measured) capacity(cfg *queue.Config, say func(string, ...any)) error {
	r := m.Result
	switch {
	case r.Saturated != nil && r.Saturated.Estimate > 0:
		cfg.Capacity = r.Saturated.calc()
		if r.Capacity != nil {
			cfg.Sustained = r.Capacity.calc()
		}
	case r.Capacity != nil && r.Capacity.Estimate > 0:
		cfg.Capacity = r.Capacity.calc()
	case r.AtLeast != nil && *r.AtLeast > 0:
		cfg.Capacity = queuecalc.Interval{Estimate: *r.AtLeast}
		say("The capacity in %s is only known to be at least %s; the useful queue may be longer.", m.name, units.Rate(*r.AtLeast))
	default:
		return fault.WithHint(fault.NoAnswerf("%s has no capacity: the objective did not hold at any rate", m.name), "give --capacity")
	}
	return nil
}
