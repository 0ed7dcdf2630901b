package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/topology"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/meta"
)

// sized is what lint takes from a result of queuesize, by the keys of
// docs/schema/queuesize-v1.schema.json.
type sized struct {
	Input struct {
		Capacity *interval `json:"capacity_per_second"`
		Service  *float64  `json:"service_time_seconds"`
		P99      *float64  `json:"service_time_p99_seconds"`
		Peak     *float64  `json:"peak_per_second"`
	} `json:"input"`
}

// calm is what lint takes from a result of headroom beside what queuesize does: how long
// requests take at low rates, where hardly any waits.
type calm struct {
	Result struct {
		Curve []curvePoint `json:"curve"`
	} `json:"result"`
}

type curvePoint struct {
	Offered float64  `json:"offered_per_second"`
	P50     *float64 `json:"p50_seconds"`
	P99     *float64 `json:"p99_seconds"`
}

// lowest is the point of the lowest rate, nil where that is over half of the capacity.
func (c *calm) lowest(capacity float64) *curvePoint {
	var out *curvePoint
	for i := range c.Result.Curve {
		if p := &c.Result.Curve[i]; p.Offered > 0 && p.Offered <= capacity/2 && (out == nil || p.Offered < out.Offered) {
			out = p
		}
	}
	return out
}

// take fills the numbers that the topology leaves open from results.
func (l *linked) take(a *app, from []string) error {
	for _, arg := range from {
		s, file, err := l.target(arg)
		if err != nil {
			return err
		}
		data, err := input.ReadFile(file, a.Stdin, maxResult)
		if err != nil {
			return err
		}
		if err := l.takeFrom(s, file, data); err != nil {
			return err
		}
	}
	return nil
}

// target is the service that a result is for: the one named, or the only one without a
// capacity.
func (l *linked) target(arg string) (*topology.Service, string, error) {
	if name, file, ok := strings.Cut(arg, "="); ok {
		s := l.file.Service(name)
		if s == nil {
			return nil, "", fault.Usagef("--from %s: expected a service of %s, found %q", arg, l.file.Name, name)
		}
		return s, file, nil
	}
	var open []*topology.Service
	for _, s := range l.file.Services {
		if !s.Capacity.Known() {
			open = append(open, s)
		}
	}
	if len(open) != 1 {
		return nil, "", fault.WithHint(fault.Usagef("--from %s: expected one service without a capacity in %s, found %d", arg, l.file.Name, len(open)), "name the service, as in --from storage="+arg)
	}
	return open[0], arg, nil
}

func (l *linked) takeFrom(s *topology.Service, file string, data []byte) error {
	var kind struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &kind); err != nil {
		return fault.NoAnswerf("%s: expected a result of headroom or queuesize in JSON: %w", file, err)
	}
	switch kind.Schema {
	case meta.Name + ".headroom/v1":
		return l.takeHeadroom(s, file, data)
	case meta.Name + ".queuesize/v1":
		return l.takeQueuesize(s, file, data)
	}
	return fault.NoAnswerf("%s: expected the schema %q or %q, found %q", file, meta.Name+".headroom/v1", meta.Name+".queuesize/v1", kind.Schema)
}

func (l *linked) takeHeadroom(s *topology.Service, file string, data []byte) error {
	m := &measured{name: file}
	quiet := &calm{}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(m); err != nil {
		return fault.NoAnswerf("%s: %w", file, err)
	}
	if err := json.Unmarshal(data, quiet); err != nil {
		return fault.NoAnswerf("%s: %w", file, err)
	}
	if what := m.wrong(); what != "" {
		return fault.NoAnswerf("%s: %s", file, what)
	}
	r := m.Result
	switch {
	case r.Capacity != nil:
		l.fill(s, &s.Capacity, "capacity", model.PerSecond, r.Capacity.low(), file, "the low end of what was measured")
	case r.AtLeast != nil && *r.AtLeast > 0:
		l.fill(s, &s.Capacity, "capacity", model.PerSecond, *r.AtLeast, file, "it is at least that")
	default:
		return fault.NoAnswerf("%s: expected a capacity, found none: the objective did not hold at any rate", file)
	}
	if peak, ok := m.peak(); ok {
		l.fill(s, &s.Peak, "peak", model.PerSecond, peak, file, "")
	}
	if p := quiet.lowest(s.Capacity.Amount); p != nil {
		l.fillSeconds(s, &s.P50, "service_time.p50", p.P50, file, "response time at the lowest rate")
		l.fillSeconds(s, &s.P99, "service_time.p99", p.P99, file, "response time at the lowest rate")
	}
	return nil
}

func (l *linked) takeQueuesize(s *topology.Service, file string, data []byte) error {
	q := &sized{}
	if err := json.Unmarshal(data, q); err != nil {
		return fault.NoAnswerf("%s: %w", file, err)
	}
	c := q.Input.Capacity
	if c == nil || !(c.low() > 0) {
		return fault.NoAnswerf("%s: input.capacity_per_second: expected an estimate over 0, found none", file)
	}
	l.fill(s, &s.Capacity, "capacity", model.PerSecond, c.low(), file, "the low end of what was given")
	l.fillSeconds(s, &s.Mean, "service_time.mean", q.Input.Service, file, "")
	l.fillSeconds(s, &s.P99, "service_time.p99", q.Input.P99, file, "")
	if q.Input.Peak != nil {
		l.fill(s, &s.Peak, "peak", model.PerSecond, *q.Input.Peak, file, "")
	}
	return nil
}

func (l *linked) fillSeconds(s *topology.Service, to *model.Value, key string, v *float64, file, why string) {
	if v != nil {
		l.fill(s, to, key, model.Seconds, *v, file, why)
	}
}

// fill puts a number where the topology has none and says so.
func (l *linked) fill(s *topology.Service, to *model.Value, key string, unit model.Unit, amount float64, file, why string) {
	if to.Known() || !(amount > 0) {
		return
	}
	*to = model.Value{Key: key, Unit: unit, Amount: amount, Origin: model.Derived, Source: joinNotes(file, why)}
	l.notes = append(l.notes, fmt.Sprintf("%s of %s is %s, from %s", key, s.Name, to, to.Source))
}
