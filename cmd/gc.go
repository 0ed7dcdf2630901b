package cmd

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/gc"
	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/units"
)

// gcOptions are the flags of `kneeline gc`.
type gcOptions struct {
	tiers  tier.List
	window units.DurationValue
	preset string
	eval   string
	count  string

	since, until, around instantValue

	timeout     units.DurationValue
	serviceTime units.DurationValue

	maxOverhead units.ShareValue
	maxPause    gc.PauseLimits
	failOn      string
	strict      bool
	follow      bool
}

const (
	evalExact  = "exact"
	evalEvents = "event"

	countPauses     = "pauses"
	countConcurrent = "concurrent"

	// aroundSpan is how much of the log --around takes on either side.
	aroundSpan = 5 * time.Minute
)

func newGC(a *app) *cobra.Command {
	o := &gcOptions{}
	c := &cobra.Command{
		Use:   "gc LOG...",
		Short: "Was the garbage collector the overload, when, and why?",
		Long: `Reads logs of garbage collection and tells when too much time went into it for too long:
the GC overhead is the share of time in GC over a sliding window; its range is cut into
tiers; longer in a tier than the tier's period is a violation.

Read are HotSpot's logs of every collector from JDK 1.4 on (-Xlog:gc*, -verbose:gc,
-XX:+PrintGCDetails), OpenJ9's verbose:gc, Go's gctrace and Node's --trace-gc, also inside
the log of a container, between lines of the application, packed with gzip or zstd, and
rotated. LOG is a file, a directory, a pattern, or - for stdin. The files of a rotated set
are one log; several logs give one table, the worst first.`,
		Example: examples(
			"gc gc.log", "one log",
			"gc /var/log/app/ --since 2026-11-28T10:00 -o html=gc.html", "all logs of a directory, a page of them",
			"gc gc.log* --tiers 10:60s,25:20s,50:10s,80:5s --window 30s", "a rotated set, tiers of your own",
			"gc - --timeout 400ms", "from stdin; what pauses do to clients that wait 400ms",
			"gc --follow gc.log", "says at once when a violation begins and ends",
			"gc gc.log --max-overhead 10% --max-pause 'p99<200ms'", "a gate for CI: exit code 0 or 1",
			"gc compare before.log after.log", "did a change help?"),
		GroupID: groupMeasure,
		Args:    someArgs("a log, a directory of logs, or - for stdin"),
		RunE: func(c *cobra.Command, args []string) error {
			return runGC(c.Context(), a, o, args, c.Flags().Changed)
		},
	}
	o.addFlags(c)
	f := c.Flags()
	f.Var(&o.timeout, "timeout", "how long clients wait: tells the share of time in which a request could not be answered")
	f.Var(&o.serviceTime, "service-time", "how much of the timeout a request needs for itself")

	f.Var(&o.maxOverhead, "max-overhead", "gate: fail if the overhead over the window is ever higher")
	f.Var(&o.maxPause, "max-pause", "gate: fail if pauses are longer, as `LIMITS` p99<200ms,max<1s or 500ms")
	enumVar(c, f, &o.failOn, "fail-on", noGate, "gate: fail on a finding of this severity or worse; a violation is a warning, from the tier of 50% on an error", "note", "warning", "error", noGate)
	f.BoolVar(&o.follow, "follow", false, "go on reading while the log is written, and say at once when a violation begins and ends")
	onlyByHand(f, "follow")
	offerFormats(c, "prometheus", "csv", "ndjson")
	c.AddCommand(newGCCompare(a))
	return c
}

// addFlags declares what both gc and gc compare take.
func (o *gcOptions) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	f.Var(&o.tiers, "tiers", "thresholds in percent with their violation periods, as `TIERS` 10:60s,25:20s,50:10s,80:5s")
	f.Var(&o.window, "window", "over how long the overhead is taken (default 30s)")
	enumVar(c, f, &o.preset, "preset", "default", "window and tiers by name, see docs", tier.PresetNames()...)
	enumVar(c, f, &o.eval, "eval", evalExact, "judge at every instant, or at the end of each collection as Hodor does", evalExact, evalEvents)
	enumVar(c, f, &o.count, "count", countPauses, "whether the CPU time of concurrent work counts as overload too; for Go it always does", countPauses, countConcurrent)

	f.Var(&o.since, "since", "leave out what is before: a date and `TIME`, or an uptime such as 90s")
	f.Var(&o.until, "until", "leave out what is after `TIME`")
	f.Var(&o.around, "around", "only five minutes on either side of `TIME`")

	f.BoolVar(&o.strict, "strict", false, "exit code 3 if anything looks like GC and was not understood, or could not be read")
}

// someArgs wants one argument or more, which are called what.
func someArgs(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fault.Usagef("%s: expected %s, found nothing", c.CommandPath(), what)
		}
		return nil
	}
}

// config puts the flags into the analysis's terms. given says which were set.
func (o *gcOptions) config(given func(string) bool) (gc.Config, error) {
	cfg := gc.Config{
		Window: time.Duration(o.window), Tiers: o.tiers, OnEvents: o.eval == evalEvents,
		CountConcurrent: o.count == countConcurrent,
		Timeout:         time.Duration(o.timeout), Service: time.Duration(o.serviceTime),
	}
	p, err := tier.PresetNamed(o.preset)
	if err != nil {
		return cfg, err
	}
	if !given("window") {
		cfg.Window = p.Window
	}
	if !given("tiers") {
		cfg.Tiers = p.Tiers
	}
	for _, f := range []struct {
		flag string
		zero bool
		why  string
	}{
		{"window", o.window == 0, "a share needs a stretch of time"},
		{"timeout", o.timeout == 0, "clients that do not wait get no answer"},
		{"max-overhead", o.maxOverhead == 0, "every collection takes some time"},
	} {
		if given(f.flag) && f.zero {
			return cfg, fault.Usagef("--%s: expected more than 0, found 0: %s", f.flag, f.why)
		}
	}
	if o.serviceTime != 0 && o.timeout == 0 {
		return cfg, fault.Usagef("--service-time is a part of the timeout: expected --timeout beside it, found none")
	}
	return cfg, cfg.Validate()
}

// cut is the part of the logs that is judged.
func (o *gcOptions) cut() (timeRange, error) {
	r := timeRange{since: o.since, until: o.until}
	if o.around.set {
		if r.isSet() {
			return r, fault.Usagef("--around sets both ends: expected no --since or --until beside it")
		}
		r.since, r.until = o.around.add(-aroundSpan), o.around.add(aroundSpan)
		if !r.since.isWall && r.since.uptime <= 0 {
			r.since = instantValue{}
		}
		return r, nil
	}
	if r.since.set && r.until.set {
		if r.since.isWall != r.until.isWall {
			return r, fault.Usagef("--since and --until: expected two dates or two uptimes, found one of each")
		}
		if r.since.ns() >= r.until.ns() {
			return r, fault.Usagef("--since: expected a time before --until %s, found %s", r.until.text, r.since.text)
		}
	}
	return r, nil
}

// gcRun is one run of the command.
type gcRun struct {
	*app
	opts  *gcOptions
	cfg   gc.Config
	gates gc.Gates
	cut   timeRange
	sinks []eventWriter
	// lost are what could not be read or understood, for --strict.
	lost []string

	mu sync.Mutex // guards empty
	// empty are logs that have nothing in the part that is judged.
	empty []string
}

func runGC(ctx context.Context, a *app, o *gcOptions, args []string, given func(string) bool) error {
	cfg, err := o.config(given)
	if err != nil {
		return err
	}
	r := &gcRun{app: a, opts: o, cfg: cfg}
	if r.cut, err = o.cut(); err != nil {
		return err
	}
	if r.gates, err = o.gates(); err != nil {
		return err
	}
	if o.follow {
		return r.follow(ctx, args)
	}
	return r.whole(ctx, args)
}

// whole reads the logs to their ends.
func (r *gcRun) whole(ctx context.Context, args []string) error {
	x := input.Expand(args)
	return r.stream(x, func() (*gc.Result, error) {
		return r.read(ctx, gcparse.Streams(ctx, x.Sources))
	})
}

// stream opens the outputs of events, reads, and writes the result: also of what
// was read of an interrupted run, or of the inputs that could be read.
func (r *gcRun) stream(x input.Expansion, read func() (*gc.Result, error)) error {
	problems := errors.Join(x.Problems...)
	if len(x.Sources) == 0 {
		return problems
	}
	var res *gc.Result
	var readErr error
	err := r.out.stream([]string{"csv", "ndjson"}, func(w []streamWriter) error {
		r.openSinks(w)
		res, readErr = read()
		return r.closeSinks()
	})
	if res == nil {
		return errors.Join(problems, readErr, err)
	}
	for _, p := range x.Problems {
		res.Warnings = append(res.Warnings, p.Error())
	}
	return errors.Join(problems, readErr, err, r.write(res), r.strictError())
}

// strictError is what --strict makes of what was lost.
func (r *gcRun) strictError() error {
	if !r.opts.strict || len(r.lost) == 0 {
		return nil
	}
	return fault.NoAnswerf("--strict: %s", strings.Join(r.lost, "; "))
}

func (r *gcRun) openSinks(writers []streamWriter) {
	for _, w := range writers {
		r.sinks = append(r.sinks, eventFormats[w.format](w))
	}
}

// closeSinks completes the event formats.
func (r *gcRun) closeSinks() error {
	var errs []error
	for _, s := range r.sinks {
		if err := s.close(); err != nil {
			errs = append(errs, fault.NoAnswerf("cannot write events: %w", err))
		}
	}
	return errors.Join(errs...)
}

// write writes the result, and returns what failed by it.
func (r *gcRun) write(res *gc.Result) error {
	err := r.out.write(result{JSON: res, Report: r.report(res, false), Page: r.report(res, true), Extra: map[string]func(io.Writer) error{
		"prometheus": func(w io.Writer) error { return gcPrometheus(w, res) },
	}})
	return errors.Join(err, unreadable(res), gateErrors(res))
}

// unreadable is the error of logs that look like GC and told nothing. A log that
// has no collection yet has no line that was not understood.
func unreadable(res *gc.Result) error {
	for _, l := range res.Logs {
		lines := l.Input.Lines
		if len(l.Events) > 0 || lines[gcparse.UnknownLine.String()]+lines[gcparse.CutLine.String()] == 0 {
			return nil
		}
	}
	return fault.NoAnswerf("%s", res.Verdict.Sentence)
}

// gateErrors are the gates that failed, and those that no log could decide.
func gateErrors(res *gc.Result) error {
	var errs []error
	for _, g := range res.Gates {
		switch {
		case !g.Pass:
			errs = append(errs, fault.Gatef("gate failed: %s", g.Sentence()))
		case g.Undecided > 0:
			errs = append(errs, fault.NoAnswerf("gate %s %s: %s", g.Gate, g.Wanted, counted(g.Undecided, "log cannot tell", "logs cannot tell")))
		}
	}
	return errors.Join(errs...)
}

// gates are what the result must hold to pass.
func (o *gcOptions) gates() (gc.Gates, error) {
	g := gc.Gates{MaxOverhead: float64(o.maxOverhead), MaxPause: o.maxPause}
	if o.failOn != "" && o.failOn != noGate {
		least, err := finding.ParseSeverity(o.failOn)
		if err != nil {
			return g, err
		}
		g.FailOn = least
	}
	return g, g.Validate()
}
