package cmd

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/fetch"
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

// begin reads the counts before the first request, and begins to watch. The
// context that it returns ends when a signal ends the load.
func (s *signals) begin(ctx context.Context) (context.Context, error) {
	s.began = s.app.Now()
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
	s.began = s.app.Now()
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
	sig.AtSeconds = s.app.Now().Sub(s.began).Seconds()
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
