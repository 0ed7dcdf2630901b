package cmd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/meta"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen/target"
)

// targetOptions are the flags of `kneeline target`.
type targetOptions struct {
	service target.Config
	truth   bool
	timeout units.DurationValue
	slo     slo.SLO
	runFor  units.DurationValue
}

// targetResult is what `kneeline target -o json` writes.
type targetResult struct {
	Schema  string `json:"schema"`
	Service string `json:"service"`
	// Capacity is the service's exact or simulated capacity.
	Capacity *targetTruth `json:"capacity,omitempty"`
	// Stats is what the service did; absent when it did not run.
	Stats *target.Stats `json:"stats,omitempty"`
}

// targetTruth is the capacity of the service as its own model gives it.
type targetTruth struct {
	SLO       string  `json:"slo"`
	PerSecond float64 `json:"capacity_per_second"`
	StdErr    float64 `json:"standard_error_per_second"`
	Method    string  `json:"method"`
	RawRate   float64 `json:"raw_rate_per_second"`
}

func newTarget(a *app) *cobra.Command {
	o := &targetOptions{service: target.Default(), timeout: units.DurationValue(demoTimeout)}
	o.service.Listen = "127.0.0.1:8080"
	c := &cobra.Command{
		Use:   "target",
		Short: "Serve a demo service whose capacity is known",
		Long: `Serves HTTP on loopback with a queue, workers and a service time that you set, so
that what a load test says can be held against the truth. It runs until Ctrl-C and
then says what it did; /stats says the same as JSON while it runs.

With --truth it serves nothing and prints the capacity that follows from the
settings: exact for exponential service in order of arrival, from long virtual
time of the same model otherwise.`,
		Example: examples(
			"target", "a storage host: 12 workers, exponential 10 ms, queue of 5,000",
			"target --workers 1 --service lognormal:10ms,cv=1.5 --stall 300ms/10s", "",
			"target --truth --queue 400 --slo 'p99<400ms,errors<1%'", "its capacity, without serving"),
		GroupID: groupMeasure,
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.check(a, c.Flags()); err != nil {
				return err
			}
			return runTarget(c.Context(), a, o)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	for _, s := range target.Settings() {
		flags.Var(&settingFlag{s, &o.service}, s.Key, s.Help)
	}
	flags.StringVar(&o.service.Listen, "listen", o.service.Listen, "serve on `ADDRESS`; port 0 takes a free one")
	flags.Var(&o.runFor, "for", "serve for this long, and no longer (default until Ctrl-C)")
	flags.BoolVar(&o.truth, "truth", false, "print the capacity that follows from the settings, and serve nothing")
	flags.Var(&o.slo, "slo", "the objective for --truth (default p99<400ms,errors<1%)")
	notFromProject(flags, "listen")
	return c
}

// check refuses what would be read as "not given", and an address that would
// serve the whole network unasked.
func (o *targetOptions) check(a *app, f *pflag.FlagSet) error {
	if f.Changed("for") && o.runFor == 0 {
		return fault.Usagef("--for: expected more than 0, found %s", &o.runFor)
	}
	if f.Changed("slo") && !o.truth {
		a.Warnf("--slo has no effect without --truth")
	}
	host, _, err := net.SplitHostPort(o.service.Listen)
	switch {
	case err != nil:
		return fault.Usagef("--listen: expected HOST:PORT such as 127.0.0.1:8080, found %q", o.service.Listen)
	case host == "":
		return fault.WithHint(fault.Usagef("--listen: expected a host before the port, found %q", o.service.Listen),
			"127.0.0.1 serves this machine alone, 0.0.0.0 all that reach it")
	}
	return nil
}

// settingFlag makes a setting of the service a flag.
type settingFlag struct {
	s target.Setting
	c *target.Config
}

// Set leaves out of an error that it is about the setting: the flag's name
// stands before it.
func (f *settingFlag) Set(text string) error {
	err := f.s.Set(f.c, text)
	for err != nil && strings.HasPrefix(err.Error(), f.s.Key+": ") && errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err
}

func (f *settingFlag) Type() string { return f.s.Arg }
func (f *settingFlag) String() string {
	if f.c == nil {
		return ""
	}
	return f.s.Get(*f.c)
}

func runTarget(ctx context.Context, a *app, o *targetOptions) error {
	if err := o.service.Validate(); err != nil {
		return err
	}
	res := targetResult{Schema: meta.Name + ".target/v1", Service: describeService(o.service)}
	if o.truth {
		objective := o.slo
		if objective.IsZero() {
			objective = slo.Default(time.Duration(o.timeout))
		}
		t, err := truthOf(ctx, o.service, objective)
		if err != nil {
			return err
		}
		res.Capacity = t
		return a.out.write(result{JSON: res, Report: res.report()})
	}
	return serveTarget(ctx, a, o, &res)
}

// serveTarget serves until the context or the time allowed ends. Being
// interrupted is how a service ends, so it is no failure.
func serveTarget(ctx context.Context, a *app, o *targetOptions, res *targetResult) error {
	s, err := target.Listen(o.service)
	if err != nil {
		return err
	}
	a.Notef("serving %s on http://%s; Ctrl-C ends", res.Service, s.Addr())
	run := ctx
	if d := time.Duration(o.runFor); d > 0 {
		var cancel context.CancelFunc
		run, cancel = context.WithTimeout(ctx, d)
		defer cancel()
	}
	if err := s.Serve(run); err != nil {
		return err
	}
	stats := s.Stats()
	res.Stats = &stats
	return a.out.write(result{JSON: *res, Report: res.report()})
}

// truthOf returns the capacity of a service under the clause that binds first. A
// request that is answered late is an error only at the client's timeout, which no
// latency clause exceeds, so that clauses on errors never bind before latency.
func truthOf(ctx context.Context, cfg target.Config, objective slo.SLO) (*targetTruth, error) {
	t := &targetTruth{SLO: objective.String(), RawRate: cfg.RawRate(), PerSecond: math.Inf(1)}
	degradedAllowed := slices.ContainsFunc(objective.Clauses, func(c slo.Clause) bool { return c.Kind == slo.Degraded })
	for _, c := range objective.Clauses {
		switch c.Kind {
		case slo.Latency:
			goal := target.Goal{Threshold: c.Threshold, Budget: c.Budget, AllowDegraded: degradedAllowed}
			found, err := target.Truth(cfg, goal, target.Effort{Done: ctx.Done()})
			switch {
			case err != nil && ctx.Err() != nil:
				return nil, context.Cause(ctx)
			case err != nil:
				return nil, err
			}
			if found.PerSecond < t.PerSecond {
				t.PerSecond, t.StdErr, t.Method = found.PerSecond, found.StdErr, found.Method.String()
			}
		case slo.Degraded:
			// The share of degraded answers does not depend on the rate.
			if cfg.Degraded > c.Budget {
				t.PerSecond, t.StdErr, t.Method = 0, 0, target.ClosedForm.String()
			}
		}
	}
	if math.IsInf(t.PerSecond, 1) {
		return nil, fault.Usagef("--truth: expected a latency clause such as p99<400ms in the slo, found %s", objective)
	}
	return t, nil
}

// describeService says in a phrase what a service does.
func describeService(c target.Config) string {
	queue := units.Unbounded
	if c.Queue >= 0 {
		queue = units.Count(c.Queue)
	}
	text := fmt.Sprintf("%s, service %s, queue %s", countOf(c.Workers, "worker"), c.Service, queue)
	if more := otherSettings(c); more != "" {
		text += ", " + more
	}
	return text
}

// otherSettings lists the settings that differ from the default, without those
// that describeService always names.
func otherSettings(c target.Config) string {
	d := target.Default()
	c.Workers, c.Service, c.Queue = d.Workers, d.Service, d.Queue
	return c.String()
}

// countOf writes a number with its noun.
func countOf[T int | uint64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return units.Count(n) + " " + noun + "s"
}

func (res targetResult) report() *report.Report {
	r := &report.Report{Title: "A service with known capacity"}
	service := report.KeyValues{Items: []report.KeyValue{{Key: "service", Value: res.Service}}}
	if t := res.Capacity; t != nil {
		r.Verdict.Text = fmt.Sprintf("capacity %s at %s (%s)", units.Rate(t.PerSecond), t.SLO, t.Method)
		service.Items = append(service.Items, report.KeyValue{Key: "raw service rate", Value: units.Rate(t.RawRate)})
		if t.StdErr > 0 {
			service.Items = append(service.Items, report.KeyValue{Key: "standard error", Value: units.Rate(t.StdErr)})
		}
	}
	r.Add(service)
	if s := res.Stats; s != nil {
		r.Verdict.Text = fmt.Sprintf("served %s of %s requests in %s", units.Count(s.ServedFull+s.ServedDegraded),
			units.Count(s.Received), units.Seconds(s.UptimeSeconds))
		r.Add(statsBlock(s))
	}
	return r
}

func statsBlock(s *target.Stats) report.Block {
	count := func(key string, n uint64) report.KeyValue { return report.KeyValue{Key: key, Value: units.Count(n)} }
	kv := report.KeyValues{Caption: "What it did", Items: []report.KeyValue{
		count("received", s.Received),
		count("answered in full", s.ServedFull),
		count("answered in part", s.ServedDegraded),
		count("served for clients that had left", s.ServedDead),
		count("refused, queue full", s.RefusedQueueFull),
		count("refused, over the rate limit", s.RefusedRateLimit),
		count("dropped", s.Dropped),
		count("still pending", s.Pending),
	}}
	if s.SaturatedRate != nil {
		kv.Items = append(kv.Items, report.KeyValue{Key: "rate while all workers were busy", Value: units.Rate(*s.SaturatedRate),
			Note: fmt.Sprintf("over %s; set to %s", units.Seconds(s.SaturatedSeconds), units.Rate(s.RawRate))})
	}
	if s.LagP99Seconds != nil {
		kv.Items = append(kv.Items, report.KeyValue{Key: "lag of completions, p99", Value: units.Seconds(*s.LagP99Seconds)})
	}
	return kv
}
