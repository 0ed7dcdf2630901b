package cmd

import (
	"context"
	"fmt"
	"io"
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
	// maxTargetsFile bounds a file of targets or a HAR file, unpacked.
	maxTargetsFile = 512 << 20
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

// readTargets reads a list of targets or a HAR file.
func (t *realTraffic) readTargets(a *app, url string) (string, error) {
	name := t.opts.targets
	text, err := readUnpacked(a, name, maxTargetsFile)
	if err != nil {
		return url, err
	}
	if name == input.Stdin {
		name = "stdin"
	}
	l, err := targets.Parse(name, text, targets.Options{Cookies: t.opts.harCookies, ReadFile: func(path string, limit int64) ([]byte, error) {
		if path == input.Stdin {
			return nil, fault.Usagef("expected a body file, found stdin")
		}
		return input.ReadFile(path, nil, limit)
	}})
	if err != nil {
		return url, err
	}
	if url, err = oneOrigin(a, l, url); err != nil {
		return url, err
	}
	t.list, t.sentFrom = l, name
	for i := range l.Targets {
		x := &l.Targets[i]
		path, err := targets.Path(x.URL)
		if err != nil {
			return url, fault.Usagef("%s: %w", x.Place, err)
		}
		r := loadgen.Request{Method: x.Method, Path: path, Body: x.Body, Weight: x.Weight, Name: shortName(x.Method, path)}
		for _, h := range x.Headers {
			r.Headers = append(r.Headers, loadgen.Header(h))
		}
		t.requests = append(t.requests, r)
	}
	a.Notef("%s of %s", countOf(len(l.Targets), "target"), name)
	return url, nil
}

// readUnpacked reads the whole of an input, unpacked.
func readUnpacked(a *app, path string, limit int64) ([]byte, error) {
	src := input.Source{Name: path, Path: path}
	if path == input.Stdin {
		src.Name = "stdin"
	}
	r, err := src.Open(a.Stdin)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fault.NoAnswerf("%s: expected at most %d bytes, found more", src.Name, limit)
	}
	return text, err
}

// oneOrigin finds the one service to which targets go, and leaves out the entries of
// a HAR file that went to others.
func oneOrigin(a *app, l *targets.List, url string) (string, error) {
	origins, err := targets.Origins(l.Targets)
	if err != nil {
		return url, err
	}
	named := strings.Join(origins[:min(len(origins), 5)], ", ")
	switch {
	case url == "" && len(origins) == 1:
		return origins[0] + "/", nil
	case url == "" && len(origins) == 0:
		return url, fault.WithHint(fault.Usagef("the targets are paths without a service: expected a URL beside --targets, found none"),
			"such as kneeline headroom http://127.0.0.1:8080 --targets FILE")
	case url == "":
		return url, fault.WithHint(fault.Usagef("the targets go to %d services: expected one, found %s", len(origins), named),
			"name the service to measure as URL: of a HAR file its requests alone are sent")
	case strings.HasPrefix(url, "unix:"):
		return url, nil
	}
	if err := originOf("--targets", url); err != nil {
		return url, err
	}
	to, err := targets.Origin(url)
	if err != nil {
		return url, err
	}
	switch {
	case len(origins) == 0 || len(origins) == 1 && origins[0] == to:
	case l.Format != "har":
		return url, fault.Usagef("the targets go to %s: expected %s or paths alone", named, to)
	case slices.Contains(origins, to):
		kept := slices.DeleteFunc(l.Targets, func(t targets.Target) bool {
			o, err := targets.Origin(t.URL)
			return err == nil && o != "" && o != to
		})
		l.Skipped += len(l.Targets) - len(kept)
		l.Targets = kept
	case len(origins) == 1:
		a.Notef("the requests to %s are sent to %s", origins[0], to)
	default:
		return url, fault.Usagef("the HAR file has no request to %s: expected one of %s", to, named)
	}
	return url, nil
}

// shortTime is logTime without the zone, where that stands nearby.
func shortTime(t time.Time) string { return t.Format("2006-01-02 15:04:05") }

// logTime is an instant of a log in the log's own time zone.
func logTime(t time.Time) string { return t.Format("2006-01-02 15:04:05 -0700") }
