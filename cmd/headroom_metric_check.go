package cmd

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/promtext"
)

const (
	// pollEvery is how often a metric is asked for while load is offered.
	pollEvery = time.Second
	// pollTimeout bounds one such question, scrapeTimeout one before or after.
	pollTimeout   = 2 * time.Second
	scrapeTimeout = 10 * time.Second
	// maxMetrics bounds the answer.
	maxMetrics = 32 << 20
	// settleTries is how often, and settleEvery after what time, a count that is
	// behind ours is looked at again: some services count after they have answered.
	settleTries = 3
	settleEvery = time.Second
)

// metricRef is a metric of a service.
type metricRef struct {
	url string
	sel promtext.Selector
	get func(ctx context.Context, url string, timeout time.Duration) ([]byte, error)
}

// parseMetric reads URL#SELECTOR and returns what follows.
func parseMetric(text string) (metricRef, string, error) {
	url, rest, ok := strings.Cut(text, "#")
	if !ok || url == "" {
		return metricRef{}, "", fault.Usagef("expected URL#METRIC, as in 'http://127.0.0.1:9090/metrics#http_requests_total', found %q", text)
	}
	sel, rest, err := promtext.ParseSelector(rest)
	if err != nil {
		return metricRef{}, "", fault.Usagef("after # in %q: %w", text, err)
	}
	return metricRef{url: url, sel: sel}, rest, nil
}

// read asks for the metric.
func (r *metricRef) read(ctx context.Context, timeout time.Duration) (*promtext.Reading, error) {
	data, err := r.get(ctx, r.url, timeout)
	if err != nil {
		return nil, err
	}
	reading, err := promtext.Read(bytes.NewReader(data), &r.sel)
	if err != nil {
		return nil, fault.NoAnswerf("%s: %w", r.url, err)
	}
	return reading, nil
}

func (r *metricRef) String() string { return r.sel.String() }

// metricChecker is one --check-metric.
type metricChecker struct {
	metricRef
	counts  string
	before  *promtext.Reading
	scrapes int
}

// parseCheck reads URL#SELECTOR[=COUNT].
func parseCheck(text string) (*metricChecker, error) {
	ref, rest, err := parseMetric(text)
	if err != nil {
		return nil, err
	}
	c := &metricChecker{metricRef: ref}
	count, given := strings.CutPrefix(rest, "=")
	switch {
	case given:
		c.counts, err = headroom.ParseCount(count)
	case rest != "":
		err = fault.Usagef("expected = and a count after %s, found %q", ref.sel, rest)
	default:
		labels := map[string]string{}
		for _, m := range ref.sel.Matchers {
			if m.Op == "=" || m.Op == "=~" {
				labels[m.Label] = m.Value
			}
		}
		c.counts = headroom.CountOfLabels(labels)
	}
	return c, err
}

// check reads the count again and holds it against ours.
func (c *metricChecker) check(ctx context.Context, account *headroom.Account) headroom.MetricCheck {
	var m headroom.MetricCheck
	for try := 0; ; try++ {
		m = headroom.MetricCheck{URL: c.url, Metric: c.String(), Counts: c.counts}
		after, err := c.read(ctx, scrapeTimeout)
		c.scrapes++
		if err != nil {
			m.Error = err.Error()
			m.Hold(account, c.scrapes)
			return m
		}
		g := promtext.Between(c.before, after)
		before, now := c.before.Sum(), after.Sum()
		m.Before, m.After = finite(before), finite(now)
		if g.Unknown == 0 { // a series that is no number grew by an amount that nobody knows
			m.Increase = finite(g.Sum)
		}
		m.Series, m.Restarts = len(after.Series), g.Restarts+g.Gone
		m.Hold(account, c.scrapes)
		if m.Agrees == nil || *m.Agrees || *m.Increase > float64(m.OursHigh) || try == settleTries {
			break
		}
		waitFor(ctx, settleEvery)
	}
	if m.Series == 0 && m.OursLow > 0 {
		m.Error = fmt.Sprintf("%s has no series of %s", c.url, c)
		m.Before, m.After, m.Increase, m.Ratio, m.Agrees = nil, nil, nil, nil, nil
	}
	return m
}

// finite is v, or nil for what is no number.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
