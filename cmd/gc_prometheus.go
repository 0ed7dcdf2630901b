package cmd

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strconv"

	"example.com/kneeline/analyze/gc"
)

// gcPrometheus writes the result in the text format of Prometheus, as for the
// textfile collector of its node exporter.
func gcPrometheus(w io.Writer, res *gc.Result) error {
	m := metrics{prefix: "gc"}
	detailed := map[string]bool{}
	for _, l := range res.Logs {
		logMetrics(&m, l)
		detailed[l.Name] = true
	}
	if res.Fleet != nil {
		for i := range res.Fleet.Rows {
			if s := &res.Fleet.Rows[i]; !detailed[s.Name] {
				summaryMetrics(&m, s)
			}
		}
	}
	b := bufio.NewWriter(w)
	m.write(b)
	return b.Flush()
}

// answerMetric tells whether GC was the overload, where the log can tell.
func answerMetric(m *metrics, answer string, log []string) {
	if answer == gc.Unknown {
		return
	}
	overload := 0.0
	if answer == gc.Overload {
		overload = 1
	}
	m.gauge("overload", "Whether garbage collection was an overload.", overload, log...)
}

const (
	observedHelp = "Time that the log covers."
	overallHelp  = "Share of time over the whole log."
	peakHelp     = "Highest share of time over the window."
	pauseHelp    = "Stop-the-world pauses."
	fullHelp     = "Pauses that collected the whole heap."
)

// summaryMetrics are those of a log of a fleet of which a line is kept.
func summaryMetrics(m *metrics, s *gc.Summary) {
	log := []string{"log", s.Name}
	answerMetric(m, s.Answer, log)
	m.gauge("observed_seconds", observedHelp, s.Observed, log...)
	if s.Overall != nil {
		m.gauge("overhead_ratio", overallHelp, *s.Overall, "log", s.Name, "series", gc.Pauses.String())
	}
	if s.Peak != nil {
		m.gauge("overhead_peak_ratio", peakHelp, *s.Peak, "log", s.Name, "series", s.Series)
	}
	if s.P99 != nil {
		x := m.metric("pause_seconds", "summary", pauseHelp)
		x.samples = append(x.samples, sample{labels: []string{"log", s.Name, "quantile", "0.99"}, value: *s.P99},
			sample{labels: []string{"log", s.Name, "quantile", "1"}, value: s.Longest},
			sample{suffix: "_count", labels: log, value: float64(s.Stops)})
	}
	m.gauge("full_pauses", fullHelp, float64(s.Full), log...)
}

func logMetrics(m *metrics, l *gc.Log) {
	log := []string{"log", l.Name}
	with := func(more ...string) []string { return append(append([]string(nil), log...), more...) }
	answerMetric(m, l.Verdict.Answer, log)
	m.gauge("observed_seconds", observedHelp, l.Observed, log...)
	for _, f := range l.Overhead {
		series := with("series", f.Name)
		m.gauge("overhead_ratio", overallHelp, f.Overall, series...)
		if f.Peak != nil {
			m.gauge("overhead_peak_ratio", peakHelp, *f.Peak, series...)
		}
		for i, t := range f.Tiers {
			tier := append(append([]string(nil), series...), "tier", strconv.FormatFloat(t.Threshold, 'g', -1, 64))
			m.gauge("tier_seconds", "Time in a tier of the overhead.", t.Occupied, tier...)
			if i < len(f.Violations) {
				m.gauge("violations", "Stays in a tier for longer than its violation period.", float64(f.Violations[i]), tier...)
			}
		}
	}
	pauseMetrics(m, l, with)
	if l.Deadline != nil {
		m.gauge("late_ratio", "Share of time in which a request could not be answered within the timeout.", l.Deadline.Late, log...)
	}
	for _, r := range []struct {
		name, help string
		value      *float64
	}{
		{"allocation_bytes_per_second", "Rate of allocation.", l.Rates.Allocation},
		{"promotion_bytes_per_second", "Rate of promotion to the old generation.", l.Rates.Promotion},
	} {
		if r.value != nil {
			m.gauge(r.name, r.help, *r.value, log...)
		}
	}
	if l.Input != nil {
		for _, class := range slices.Sorted(maps.Keys(l.Input.Lines)) {
			m.gauge("lines", "Lines of the log by what they were.", float64(l.Input.Lines[class]), with("class", class)...)
		}
	}
}

func pauseMetrics(m *metrics, l *gc.Log, with func(...string) []string) {
	p := l.Pauses
	if q := p.Quantiles; q != nil {
		x := m.metric("pause_seconds", "summary", pauseHelp)
		for _, v := range []struct {
			quantile string
			seconds  float64
		}{{"0.5", q.P50}, {"0.9", q.P90}, {"0.99", q.P99}, {"0.999", q.P999}, {"1", q.Max}} {
			x.samples = append(x.samples, sample{labels: with("quantile", v.quantile), value: v.seconds})
		}
		x.samples = append(x.samples, sample{suffix: "_sum", labels: with(), value: p.Total},
			sample{suffix: "_count", labels: with(), value: float64(p.Stops)})
	}
	m.gauge("full_pauses", fullHelp, float64(p.Full), with()...)
}
