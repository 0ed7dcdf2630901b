package cmd

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/traffic"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/promquery"
	"example.com/kneeline/internal/targets"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// realTraffic is what was read of real traffic.
type realTraffic struct {
	opts *trafficOptions
	// from says where each part came from.
	peakFrom, sentFrom string

	peaks *traffic.Peaks // of logs
	peak  traffic.Peak   // the one that headroom refers to
	query *promquery.Max // in its place

	mix    *traffic.Mix
	list   *targets.List
	replay *traffic.Replay

	requests []loadgen.Request
}

const (
	// maxZeroBody bounds the body of zeros of one kind of request.
	maxZeroBody = 1 << 20
	// maxTold is how many lines that could not be read, or files, are named.
	maxTold = 3
)

// readTraffic reads the peak and the requests, as far as flags ask for them. It
// returns the URL to which requests go: of a list of targets its own.
func (o *headroomOptions) readTraffic(ctx context.Context, a *app, url string) (*realTraffic, string, error) {
	t := &realTraffic{opts: &o.traffic}
	peak, err := t.readPeak(ctx, a)
	if err != nil {
		return t, url, err
	}
	if peak > 0 {
		o.peak = units.RateValue(peak)
	}
	url, err = t.readRequests(ctx, a, url)
	return t, url, err
}

// readPeak reads the peak, if it is to be read.
func (t *realTraffic) readPeak(ctx context.Context, a *app) (perSecond float64, err error) {
	list := sources(t.opts.peakFrom)
	if len(list) == 0 {
		return 0, nil
	}
	if text, ok := strings.CutPrefix(list[0], prometheusSource); ok {
		return t.queryPeak(ctx, a, text)
	}
	window := defaultPeakWindow
	if t.opts.peakWindow != 0 {
		window = time.Duration(t.opts.peakWindow)
	}
	windows := []time.Duration{time.Second, 10 * time.Second, time.Minute}
	if !slices.Contains(windows, window) {
		windows = append(windows, window)
	}
	logs, err := t.logs(a, "--peak-from", list)
	if err != nil {
		return 0, err
	}
	done := watchReading(ctx, a, logs)
	t.peaks, err = traffic.FindPeaks(ctx, logs, windows...)
	done()
	if err != nil {
		return 0, err
	}
	tellReading(a, t.peaks.Reading)
	if t.peak, err = t.peaks.Of(window); err != nil {
		return 0, err
	}
	t.peakFrom = strings.Join(list, ", ")
	a.Notef("peak %s over %s, from %s on (%s)", units.Rate(t.peak.PerSecond()), units.Duration(window), logTime(t.peak.Start), t.peakFrom)
	return t.peak.PerSecond(), nil
}

func (t *realTraffic) queryPeak(ctx context.Context, a *app, text string) (float64, error) {
	q, err := promquery.Parse(text, a.Now())
	if err != nil {
		return 0, fault.Usagef("--peak-from: %w", err)
	}
	a.Notef("asking %s for the peak of %s", q.Server.Redacted(), q.Query)
	c := promquery.Client{ReadFile: func(path string) ([]byte, error) { return input.ReadFile(path, a.Stdin, maxHeaderFile) }}
	if t.query, err = c.Max(ctx, q); err != nil {
		if i := interruptedBy(ctx); i != nil {
			return 0, i
		}
		return 0, err
	}
	if t.query.Value <= 0 {
		return 0, fault.NoAnswerf("--peak-from: expected a rate over 0, found %g as the highest value of %s", t.query.Value, q.Query)
	}
	t.peakFrom = q.Query + " at " + q.Server.Redacted()
	a.Notef("peak %s, at %s", units.Rate(t.query.Value), logTime(t.query.At))
	return t.query.Value, nil
}

// logs opens nothing yet: it finds the files.
func (t *realTraffic) logs(a *app, flag string, list []string) (*traffic.Logs, error) {
	x := input.Expand(list)
	for _, p := range x.Problems {
		if len(x.Sources) == 0 {
			return nil, fmt.Errorf("%s: %w", flag, p)
		}
		a.Warnf("%v", p)
	}
	a.Notef("reading %s", countOf(len(x.Sources), "access log"))
	return &traffic.Logs{Inputs: x.Sources, Stdin: a.Stdin, Options: t.opts.logOptions()}, nil
}

// watchReading shows how far the reading is, where progress is drawn.
func watchReading(ctx context.Context, a *app, logs *traffic.Logs) (done func()) {
	if !a.progressOn() || a.quiet {
		return func() {}
	}
	live := a.display(ctx)
	live.Phase("reading", 0)
	logs.Watch = func(lines uint64) { live.Update(0, countOf(lines, "line")) }
	return live.Close
}

// tellReading says what of the logs could not be read.
func tellReading(a *app, r *traffic.Reading) {
	for i, p := range r.Problems {
		if i == maxTold {
			a.Warnf("%d more logs could not be read", len(r.Problems)-i)
			break
		}
		a.Warnf("%v", p)
	}
	if r.Loss.Unread == 0 {
		return
	}
	var why []string
	for _, reason := range r.Loss.Reasons()[:min(maxTold, len(r.Loss.ByReason))] {
		why = append(why, reason+" × "+units.Count(r.Loss.ByReason[reason]))
	}
	a.Warnf("%s of %s of the logs could not be read: %s", units.Count(r.Loss.Unread), countOf(r.Loss.Lines, "line"), strings.Join(why, ", "))
	for _, e := range r.Loss.Examples {
		a.Warnf("%s", e)
	}
}

// readRequests reads what is sent, if a mix or targets say so. It returns the URL to
// which it goes.
func (t *realTraffic) readRequests(ctx context.Context, a *app, url string) (string, error) {
	switch {
	case len(t.opts.mixFrom) > 0:
		return url, t.readMix(ctx, a, url)
	case t.opts.targets != "":
		return t.readTargets(a, url)
	}
	return url, nil
}

func (t *realTraffic) readMix(ctx context.Context, a *app, url string) error {
	list := sources(t.opts.mixFrom)
	if err := originOf("--mix-from", url); err != nil {
		return err
	}
	logs, err := t.logs(a, "--mix-from", list)
	if err != nil {
		return err
	}
	done := watchReading(ctx, a, logs)
	t.mix, err = traffic.FindMix(ctx, logs, t.opts.mixOptions())
	done()
	if err != nil {
		return err
	}
	tellReading(a, t.mix.Reading)
	t.sentFrom = strings.Join(list, ", ")
	a.Notef("%s", coverage(t.mix))
	t.takeKinds(a, t.mix)
	return nil
}

// coverage says how much of a log's requests a mix stands for.
func coverage(m *traffic.Mix) string {
	verb := "cover"
	if len(m.Kinds) == 1 {
		verb = "covers"
	}
	return fmt.Sprintf("%s of requests %s %s of %s", countOf(len(m.Kinds), "kind"), verb, units.Share(m.Coverage()), countOf(m.Requests, "request"))
}

// takeKinds makes requests of a log's kinds.
func (t *realTraffic) takeKinds(a *app, m *traffic.Mix) {
	empty := uint64(0)
	for _, k := range m.Kinds {
		r := loadgen.Request{Method: k.Method, Path: k.Path, Weight: float64(k.Requests), Name: shortName(k.Method, k.Path)}
		if k.Method == "POST" || k.Method == "PUT" || k.Method == "PATCH" {
			if t.opts.zeroBodies && k.Received > 0 {
				r.Body = make([]byte, min(k.Received, maxZeroBody))
			} else {
				empty += k.Requests
			}
		}
		t.requests = append(t.requests, r)
	}
	if empty > 0 {
		a.Warnf("%s are sent without the body they had, which no log has: a service may refuse them", units.Share(float64(empty)/float64(max(m.Covered, 1))))
	}
}

// shortName is what reports call a kind of request.
func shortName(method, path string) string {
	const most = 100
	if len(path) > most {
		path = path[:most] + "…"
	}
	return method + " " + path
}

// readReplay reads the log that is to be replayed. It comes after the analysis's
// settings, which say how long clients wait and what the seed is.
func (t *realTraffic) readReplay(ctx context.Context, a *app, url string, cfg *headroom.Config, forTime time.Duration) error {
	list := sources(t.opts.replay)
	if len(list) == 0 {
		return nil
	}
	if err := originOf("--replay", url); err != nil {
		return err
	}
	logs, err := t.logs(a, "--replay", list)
	if err != nil {
		return err
	}
	done := watchReading(ctx, a, logs)
	r, err := traffic.PlanReplay(ctx, logs, traffic.ReplayOptions{
		Speed: t.opts.speed.factor(), For: forTime, Timeout: cfg.Timeout, Seed: cfg.Seed, Mix: t.opts.mixOptions(),
	})
	done()
	if err != nil {
		return err
	}
	tellReading(a, r.Mix.Reading)
	a.Notef("%s of %s of the log, from %s on, in %s", units.Count(r.Requests), countOf(r.Mix.Requests, "request"), logTime(r.From), units.Duration(r.Length))
	t.replay, t.sentFrom = r, strings.Join(list, ", ")
	t.takeKinds(a, r.Mix)
	cfg.Replay = &headroom.Replay{
		Trace: r.Trace, Err: r.Err, Requests: r.Requests, Length: r.Length,
		PerSecond: r.PerSecond, PeakPerSecond: r.PeakPerSecond, UnderWay: r.UnderWay,
	}
	return cfg.Validate()
}

// shortTime is logTime without the zone, where that stands nearby.
func shortTime(t time.Time) string { return t.Format("2006-01-02 15:04:05") }

// logTime is an instant of a log in the log's own time zone.
func logTime(t time.Time) string { return t.Format("2006-01-02 15:04:05 -0700") }
