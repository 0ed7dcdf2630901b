package cmd

import (
	"bufio"
	"io"
	"maps"
	"slices"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/outcome"
)

// headroomMetrics collects the metrics of one result; all have the labels of its
// target and objective. All are gauges: another run gives other values, up or down.
type headroomMetrics struct {
	metrics
	labels []string
}

// headroomPrometheus writes the answer in the text format of Prometheus, as for
// the textfile collector of its node exporter.
func headroomPrometheus(w io.Writer, res *headroom.Result) error {
	m := &headroomMetrics{metrics: metrics{prefix: "headroom"}, labels: []string{"target", res.Target, "slo", res.SLO}}
	m.flag("complete", "Whether the measurement ran to its end.", res.Complete)
	if res.StartedUnix != nil {
		m.add("start_timestamp_seconds", "When the measurement began.", *res.StartedUnix)
	}
	m.answer(&res.Result)
	m.account(&res.Account)
	m.hold(&res.Result)
	for i := range res.Findings {
		f := &res.Findings[i]
		m.add("finding", "A finding of the measurement.", 1, "rule", f.Rule, "severity", f.Severity.String())
	}
	b := bufio.NewWriter(w)
	m.write(b)
	return b.Flush()
}

// with returns the labels of all metrics and further ones.
func (m *headroomMetrics) with(more ...string) []string {
	return append(slices.Clone(m.labels), more...)
}

func (m *headroomMetrics) add(name, help string, value float64, more ...string) {
	m.gauge(name, help, value, m.with(more...)...)
}

func (m *headroomMetrics) flag(name, help string, v bool, more ...string) {
	x := 0.0
	if v {
		x = 1
	}
	m.add(name, help, x, more...)
}

// interval adds a figure with both ends of its interval; none where it is nil.
func (m *headroomMetrics) interval(name, help string, i *headroom.Interval) {
	if i == nil {
		return
	}
	m.add(name, help, i.Estimate, "bound", "estimate")
	m.add(name, help, i.Low, "bound", "low")
	m.add(name, help, i.High, "bound", "high")
}

// answer adds the figures of the answer that there are.
func (m *headroomMetrics) answer(a *headroom.Answer) {
	m.interval("capacity_requests_per_second", "Highest rate at which the objective holds, with its 95 % interval.", a.Capacity)
	m.interval("saturated_requests_per_second", "Completions of the busy service, with its 95 % interval.", a.Saturated)
	for _, v := range []struct {
		name, help string
		value      *float64
	}{
		{"capacity_at_least_requests_per_second", "Highest rate that was offered, at which the objective held.", a.AtLeast},
		{"unloaded_response_seconds", "Mean response time with next to no load.", a.FloorSeconds},
		{"goodput_past_capacity_ratio", "Goodput past capacity over goodput at capacity.", a.GoodputRatio},
		{"recovery_seconds", "Time until the objective held again after the overload.", a.RecoverySeconds},
		{"over_peak_ratio", "Low end of capacity over the peak, less one.", a.Headroom},
		{"over_peak_less_one_zone_ratio", "The same with one zone lost.", a.HeadroomLessZone},
	} {
		if v.value != nil {
			m.add(v.name, v.help, *v.value)
		}
	}
	if a.Recovers != nil {
		m.flag("recovers", "Whether the objective held again after the overload.", *a.Recovers)
	}
	if u := a.UsefulQueue; u != nil {
		m.add("useful_queue_positions", "Waiting positions that are still of use.", float64(u.Positions))
	}
	if v := a.Verdict; v != nil {
		m.flag("gate_passed", "Whether the gate passed.", v.Pass, "gate", v.Gate)
	}
}

// account adds what became of all planned requests.
func (m *headroomMetrics) account(a *headroom.Account) {
	for _, c := range []struct {
		class string
		n     uint64
	}{{"full", a.Full}, {"degraded", a.Degraded}, {"shed", a.Shed}, {"failed", a.Failed},
		{"timed out", a.TimedOut}, {"in flight", a.InFlight}, {"never sent", a.NeverSent}} {
		m.add("requests", "Planned requests by what became of them.", float64(c.n), "class", c.class)
	}
}

// hold adds the latencies of the part of a hold that is judged.
func (m *headroomMetrics) hold(a *headroom.Answer) {
	if a.Verdict == nil || a.Verdict.Gate != headroom.GateHold || len(a.Trials) == 0 {
		return
	}
	t := &a.Trials[len(a.Trials)-1]
	m.add("hold_requests_per_second", "Planned rate of the hold.", t.Planned)
	full := outcome.Full.String()
	if q, ok := t.Latency[full]; ok {
		x := m.metric("hold_response_seconds", "summary", "Response time of full answers from the planned instant.")
		for _, v := range []struct {
			quantile string
			value    float64
		}{{"0.5", q.P50}, {"0.9", q.P90}, {"0.99", q.P99}, {"0.999", q.P999}, {"1", q.Max}} {
			x.samples = append(x.samples, sample{labels: m.with("quantile", v.quantile), value: v.value})
		}
		if t.Kept != nil && t.Kept.Histograms[full] != nil {
			x.samples = append(x.samples, sample{suffix: "_sum", labels: m.with(), value: t.Kept.Histograms[full].Sum() / 1e9})
		}
		x.samples = append(x.samples, sample{suffix: "_count", labels: m.with(), value: float64(t.Account.Full)})
	}
	for _, clause := range slices.Sorted(maps.Keys(t.BadShare)) {
		m.add("hold_bad_ratio", "Share of bad requests by clause of the objective.", t.BadShare[clause], "clause", clause)
	}
}
