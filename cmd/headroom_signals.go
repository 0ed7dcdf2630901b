package cmd

import (
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/fetch"
	"example.com/kneeline/internal/promtext"
	"example.com/kneeline/internal/units"
)

// signalOptions are the flags about what a service says of itself.
type signalOptions struct {
	checkMetric  []string
	stopOnMetric []string
	stopOnGC     []string
}

func (o *signalOptions) addFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&o.checkMetric, "check-metric", nil, "hold a count of the service's own against ours: a `METRIC` as 'URL#NAME{LABELS}', with =all, =ok, =errors, =shed or =status:500 after it where the labels do not tell; may be repeated")
	f.StringArrayVar(&o.stopOnMetric, "stop-on-metric", nil, "end the load when the service's own `METRIC` meets a condition, as in 'URL#NAME{LABELS}>0.9'; may be repeated")
	f.StringArrayVar(&o.stopOnGC, "stop-on-gc", nil, "end the load when a violation of GC overhead begins in this `LOG`, which is followed; may be repeated")
	// They say which hosts are asked.
	notFromProject(f, "check-metric", "stop-on-metric")
}

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

// signals are all that a run goes by of what the service says of itself.
type signals struct {
	app    *app
	checks []*metricChecker
	stops  []stopper

	began  time.Time
	cancel context.CancelCauseFunc
	work   sync.WaitGroup

	mu      sync.Mutex // guards what follows
	stopped *headroom.StopSignal
	notes   []string
}

// stopper watches one signal while load is offered. ready returns once it is known
// that the signal can be read and is not there yet.
type stopper interface {
	ready(ctx context.Context) error
	watch(ctx context.Context, s *signals)
	// close ends what ready began, where there is no watching.
	close()
}

// check refuses flags that cannot be read.
func (o *signalOptions) check(a *app) error {
	_, err := o.open(a, nil)
	return err
}

// open reads the flags. Nothing is asked yet.
func (o *signalOptions) open(a *app, allow func(string, netip.Addr) bool) (*signals, error) {
	s := &signals{app: a}
	get := func(ctx context.Context, url string, timeout time.Duration) ([]byte, error) {
		return fetch.Text(ctx, url, fetch.Options{Timeout: timeout, MaxBytes: maxMetrics, AllowHost: allow})
	}
	for _, text := range o.checkMetric {
		c, err := parseCheck(text)
		if err != nil {
			return nil, fault.Usagef("--check-metric: %w", err)
		}
		c.get = get
		s.checks = append(s.checks, c)
	}
	for _, text := range o.stopOnMetric {
		m, err := parseStop(text)
		if err != nil {
			return nil, fault.Usagef("--stop-on-metric: %w", err)
		}
		m.get = get
		s.stops = append(s.stops, m)
	}
	for _, path := range o.stopOnGC {
		g, err := newGCStop(a, path)
		if err != nil {
			return nil, err
		}
		s.stops = append(s.stops, g)
	}
	return s, nil
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

// begin reads the counts before the first request, and begins to watch. The
// context that it returns ends when a signal ends the load.
func (s *signals) begin(ctx context.Context) (context.Context, error) {
	s.began = time.Now()
	for _, c := range s.checks {
		var err error
		if c.before, err = c.read(ctx, scrapeTimeout); err != nil {
			return ctx, fmt.Errorf("--check-metric: %w", err)
		}
		c.scrapes++
		if len(c.before.Series) == 0 {
			s.note("%s has no series of %s before the first request; it counts from 0", c.url, c)
		}
		s.app.Notef("%s is held against our own count (%s)", c, c.counts)
	}
	for i, w := range s.stops {
		if err := w.ready(ctx); err != nil {
			for _, begun := range s.stops[:i+1] {
				begun.close()
			}
			return ctx, err
		}
	}
	s.began = time.Now()
	run, cancel := context.WithCancelCause(ctx)
	s.cancel = cancel
	for _, w := range s.stops {
		s.work.Go(func() { w.watch(run, s) })
	}
	return run, nil
}

// note keeps a warning for the result.
func (s *signals) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// stop ends the load by a signal; the first one counts.
func (s *signals) stop(sig headroom.StopSignal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped != nil {
		return
	}
	sig.AtSeconds = time.Since(s.began).Seconds()
	s.stopped = &sig
	s.cancel(fault.NoAnswerf("%s", sig.Sentence()))
}

// end ends the watching, reads the counts again, and puts all into the result.
func (s *signals) end(ctx context.Context, res *headroom.Result) {
	if s.cancel != nil {
		s.cancel(nil)
	}
	s.work.Wait()
	if res == nil {
		return
	}
	res.StoppedBy = s.stopped
	for _, c := range s.checks {
		res.AddMetricCheck(c.check(context.WithoutCancel(ctx), &res.Account))
	}
	res.Warnings = append(res.Warnings, s.notes...)
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

func finite(v float64) *float64 {
	if v != v || v-v != 0 {
		return nil
	}
	return &v
}

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
