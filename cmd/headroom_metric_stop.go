package cmd

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/promtext"
	"example.com/kneeline/internal/units"
)

// metricStop is one --stop-on-metric.
type metricStop struct {
	metricRef
	op    string
	bound float64
}

// parseStop reads URL#SELECTOR OP NUMBER.
func parseStop(text string) (*metricStop, error) {
	ref, rest, err := parseMetric(text)
	if err != nil {
		return nil, err
	}
	m := &metricStop{metricRef: ref}
	rest = strings.TrimSpace(rest)
	for _, op := range []string{">=", "<=", ">", "<"} {
		if strings.HasPrefix(rest, op) {
			m.op, rest = op, strings.TrimSpace(rest[len(op):])
			break
		}
	}
	if m.op == "" {
		return nil, fault.Usagef("expected >, >=, < or <= and a number after %s, found %q", ref.sel, rest)
	}
	if m.bound, err = strconv.ParseFloat(rest, 64); err != nil || m.bound != m.bound {
		return nil, fault.Usagef("expected a number after %s%s, found %q", ref.sel, m.op, rest)
	}
	return m, nil
}

func (m *metricStop) met(v float64) bool {
	switch m.op {
	case ">":
		return v > m.bound
	case ">=":
		return v >= m.bound
	case "<":
		return v < m.bound
	}
	return v <= m.bound
}

// worst is the value of a series that meets the condition, if one does: the
// farthest from the bound.
func (m *metricStop) worst(r *promtext.Reading) (v float64, met bool) {
	for _, x := range r.Series {
		if m.met(x) && (!met || (x > v) == (m.op[0] == '>')) {
			v, met = x, true
		}
	}
	return v, met
}

func (m *metricStop) ready(ctx context.Context) error {
	r, err := m.read(ctx, scrapeTimeout)
	if err != nil {
		return fmt.Errorf("--stop-on-metric: %w", err)
	}
	if len(r.Series) == 0 {
		return fault.NoAnswerf("--stop-on-metric: %s has no series of %s", m.url, m)
	}
	if v, met := m.worst(r); met {
		return fault.NoAnswerf("--stop-on-metric: %s is %s before the first request, which is %s%s already", m, units.Number(v), m.op, units.Number(m.bound))
	}
	return nil
}

func (m *metricStop) close() {}

// watch asks each second. A service that does not answer the question in time may
// be overloaded or not: that is no signal, and is noted.
func (m *metricStop) watch(ctx context.Context, s *signals) {
	asked, failed := 0, 0
	var last error
	for waitFor(ctx, pollEvery); ctx.Err() == nil; waitFor(ctx, pollEvery) {
		r, err := m.read(ctx, pollTimeout)
		if ctx.Err() != nil {
			break
		}
		asked++
		if err != nil {
			failed++
			last = err
			continue
		}
		if v, met := m.worst(r); met {
			s.stop(headroom.StopSignal{Signal: "metric", Source: m.url, Condition: m.String() + m.op + units.Number(m.bound), Value: v,
				Found: fmt.Sprintf("%s was %s, %s%s", m, units.Number(v), m.op, units.Number(m.bound))})
			break
		}
	}
	if failed > 0 {
		s.note("--stop-on-metric: %s could not be read %d of %d times, and might have been over its bound then: %v", m, failed, asked, last)
	}
}
