package cmd

import (
	"bufio"
	"io"
	"maps"
	"slices"

	"example.com/kneeline/analyze/headroom"
)

// headroomPrometheus writes the answer in the text format of Prometheus, as for
// the textfile collector of its node exporter. All are gauges: another run gives
// other values, up or down.
func headroomPrometheus(w io.Writer, res *headroom.Result) error {
	m := metrics{prefix: "headroom"}
	target := []string{"target", res.Target, "slo", res.SLO}
	with := func(more ...string) []string { return append(append([]string(nil), target...), more...) }
	flag := func(name, help string, v bool) {
		x := 0.0
		if v {
			x = 1
		}
		m.gauge(name, help, x, target...)
	}
	flag("complete", "Whether the measurement ran to its end.", res.Complete)
	if res.StartedUnix != nil {
		m.gauge("start_timestamp_seconds", "When the measurement began.", *res.StartedUnix, target...)
	}
	a := &res.Result
	bound := func(name, help string, i *headroom.Interval) {
		if i == nil {
			return
		}
		for _, e := range []struct {
			bound string
			value float64
		}{{"estimate", i.Estimate}, {"low", i.Low}, {"high", i.High}} {
			m.gauge(name, help, e.value, with("bound", e.bound)...)
		}
	}
	bound("capacity_requests_per_second", "Highest rate at which the objective holds, with its 95 % interval.", a.Capacity)
	bound("saturated_requests_per_second", "Completions of the busy service, with its 95 % interval.", a.Saturated)
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
			m.gauge(v.name, v.help, *v.value, target...)
		}
	}
	if a.Recovers != nil {
		flag("recovers", "Whether the objective held again after the overload.", *a.Recovers)
	}
	if u := a.UsefulQueue; u != nil {
		m.gauge("useful_queue_positions", "Waiting positions that are still of use.", float64(u.Positions), target...)
	}
	if v := a.Verdict; v != nil {
		pass := 0.0
		if v.Pass {
			pass = 1
		}
		m.gauge("gate_passed", "Whether the gate passed.", pass, with("gate", v.Gate)...)
	}
	accountMetrics(&m, &res.Account, with)
	holdMetrics(&m, a, with)
	for i := range res.Findings {
		f := &res.Findings[i]
		m.gauge("finding", "A finding of the measurement.", 1, with("rule", f.Rule, "severity", f.Severity.String())...)
	}
	b := bufio.NewWriter(w)
	m.write(b)
	return b.Flush()
}

// accountMetrics are what became of all planned requests.
func accountMetrics(m *metrics, a *headroom.Account, with func(...string) []string) {
	for _, c := range []struct {
		class string
		n     uint64
	}{{"full", a.Full}, {"degraded", a.Degraded}, {"shed", a.Shed}, {"failed", a.Failed},
		{"timed out", a.TimedOut}, {"in flight", a.InFlight}, {"never sent", a.NeverSent}} {
		m.gauge("requests", "Planned requests by what became of them.", float64(c.n), with("class", c.class)...)
	}
}

// holdMetrics are the latencies of the part of a hold that is judged.
func holdMetrics(m *metrics, a *headroom.Answer, with func(...string) []string) {
	if a.Verdict == nil || a.Verdict.Gate != "hold" || len(a.Trials) == 0 {
		return
	}
	t := &a.Trials[len(a.Trials)-1]
	m.gauge("hold_requests_per_second", "Planned rate of the hold.", t.Planned, with()...)
	if q, ok := t.Latency["full"]; ok {
		x := m.metric("hold_response_seconds", "summary", "Response time of full answers from the planned instant.")
		for _, v := range []struct {
			quantile string
			value    float64
		}{{"0.5", q.P50}, {"0.9", q.P90}, {"0.99", q.P99}, {"0.999", q.P999}, {"1", q.Max}} {
			x.samples = append(x.samples, sample{labels: with("quantile", v.quantile), value: v.value})
		}
		if t.Kept != nil && t.Kept.Histograms["full"] != nil {
			x.samples = append(x.samples, sample{suffix: "_sum", labels: with(), value: t.Kept.Histograms["full"].Sum() / 1e9})
		}
		x.samples = append(x.samples, sample{suffix: "_count", labels: with(), value: float64(t.Account.Full)})
	}
	for _, clause := range slices.Sorted(maps.Keys(t.BadShare)) {
		m.gauge("hold_bad_ratio", "Share of bad requests by clause of the objective.", t.BadShare[clause], with("clause", clause)...)
	}
}
