package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/ab"
	"example.com/kneeline/analyze/headroom/compare"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
	"example.com/kneeline/loadgen/target"
)

// abOptions are the flags of a comparison side by side.
type abOptions struct {
	urls  string
	rate  units.RateValue
	pairs units.CountValue
	block units.DurationValue
	compareOptions
}

// abOnly are the flags that say nothing without --ab.
var abOnly = []string{"rate", "pairs", "block", "alpha", "fail-on"}

// notWithAB are flags of what a comparison side by side does not do.
var notWithAB = []string{"demo", "hold", "for", "slo-at", "min-headroom", "peak", "zones", "growth", "overload", "overload-for", "recovery-for", "keep-histograms",
	"check-metric", "stop-on-metric", "stop-on-gc"}

func (o *abOptions) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.urls, "ab", "", "compare two services side by side: `URL1,URL2`, or the second as the argument")
	f.Var(&o.rate, "rate", "with --ab: the `RATE` offered to either (default 0.9 of the lower of two capacities, found first)")
	f.Var(&o.pairs, "pairs", "with --ab: how many blocks of load each has (default 10)")
	f.Var(&o.block, "block", "with --ab: how long a block is judged (default 4s)")
	o.compareOptions.addFlags(c)
	notFromProject(f, "ab") // it says which hosts are loaded
}

// check refuses what makes no sense with a comparison, or without one.
func (o *abOptions) check(f *pflag.FlagSet) error {
	names, word := abOnly, "expected --ab beside it, found none"
	if o.urls != "" {
		names, word = notWithAB, "it has no meaning in a comparison side by side: expected no --ab beside it"
	}
	for _, name := range names {
		if f.Changed(name) {
			return fault.Usagef("--%s: %s", name, word)
		}
	}
	for _, name := range []string{"rate", "pairs", "block", "alpha"} {
		if f.Changed(name) && f.Lookup(name).Value.String() == "0" {
			return fault.Usagef("--%s: expected more than 0, found %s", name, f.Lookup(name).Value)
		}
	}
	return nil
}

// services are the two URLs.
func (o *abOptions) services(args []string) ([2]string, error) {
	if len(args) == 1 {
		return [2]string{o.urls, args[0]}, nil
	}
	a, b, ok := strings.Cut(o.urls, ",")
	if !ok || a == "" || b == "" || strings.Contains(b, ",") {
		return [2]string{}, fault.Usagef("--ab: expected two URLs, as in '--ab URL1,URL2' or '--ab URL1 URL2', found %q", o.urls)
	}
	return [2]string{a, b}, nil
}

// quickSearch is the budget of the searches by which the rate is chosen.
const quickSearch = 20 * time.Second

// underCapacity is the share of the lower capacity that is offered.
const underCapacity = 0.9

// sideNames are what reports call the two services.
var sideNames = [2]string{"A", "B"}

// abRun is one comparison side by side.
type abRun struct {
	*measurement
	urls    [2]string
	clients [2]*loadgen.Client
	// found are the searches by which the rate was chosen.
	found    [2]*headroom.Result
	rateFrom string
}

func runAB(ctx context.Context, a *app, o *headroomOptions, args []string) error {
	urls, err := o.ab.services(args)
	if err != nil {
		return err
	}
	cfg, err := o.config(a, false, target.Config{})
	if err != nil {
		return err
	}
	if o.budget == 0 {
		cfg.Budget.Search = quickSearch
	}
	r := &abRun{measurement: &measurement{app: a, opts: o, cfg: cfg}, urls: urls}
	if err := r.connect(); err != nil {
		return err
	}
	if rate := float64(o.ab.rate); rate > 0 {
		r.rateFrom = "as given"
		if err := r.config(rate).Validate(); err != nil {
			return err
		}
	}
	if o.dryRun {
		return r.dryRun()
	}
	return r.run(ctx)
}

// connect makes the two clients, of which the request is the same.
func (r *abRun) connect() error {
	o, err := r.opts.request.options(r.app, r.urls[0])
	if err != nil {
		return err
	}
	o.AllowHost = r.allowHost
	o.OnTick = func(s loadgen.Snapshot) { r.live.snapshot(s) }
	for i, url := range r.urls {
		o.URL = url
		if r.clients[i], err = loadgen.New(o); err != nil {
			return err
		}
	}
	return nil
}

// config is the comparison at a rate.
func (r *abRun) config(rate float64) ab.Config {
	o := &r.opts.ab
	return ab.Config{Headroom: r.cfg, A: r.urls[0], B: r.urls[1], Rate: rate,
		Pairs: int(o.pairs), Block: time.Duration(o.block), Alpha: float64(o.alpha)}
}

func (r *abRun) run(ctx context.Context) error {
	p := r.plan()
	r.Notef("comparing %s (A) with %s (B), side by side", r.urls[0], r.urls[1])
	r.Notef("objective %s; clients wait %s", p.SLO, units.Seconds(p.TimeoutSeconds))
	r.Notef("%s; %s", p.bounds(), p.pastCapacity())
	started := float64(r.Now().UnixMicro()) / 1e6
	r.live = newLiveView(ctx, r.app)
	r.cfg.Observe = r.live.progress
	defer r.live.close()
	var res *ab.Result
	rate, err := r.rate(ctx)
	switch {
	case err == nil:
		res, err = ab.Measure(ctx, r.clients[0], r.clients[1], r.config(rate))
	case r.found[0] != nil:
		res = ab.NotBegun(r.config(0), err)
	}
	r.live.close()
	if res == nil {
		return err
	}
	res.StartedUnix, res.RateFrom = &started, r.rateFrom
	for i, side := range []*ab.Side{&res.A, &res.B} {
		if f := r.found[i]; f != nil {
			side.Capacity, side.CapacityAtLeast = f.Result.Capacity, f.Result.AtLeast
			if rate == 0 { // what the searches sent is then all that there was
				side.Account, side.Generator = f.Account, f.Generator
			}
		}
	}
	if i := interruptedBy(ctx); i != nil {
		err = i
	}
	werr := r.out.write(result{JSON: res, Report: abReport(res, err)})
	if err == nil && r.opts.ab.failOn == failOnWorse && res.Verdict == compare.Worse {
		err = fault.Gatef("gate failed: --fail-on worse: %s", res.Sentence)
	}
	return errors.Join(err, werr)
}

// rate is what is offered: as given, or a share of the lower of two capacities.
func (r *abRun) rate(ctx context.Context) (float64, error) {
	if rate := float64(r.opts.ab.rate); rate > 0 {
		return rate, nil
	}
	lower := 0.0
	for i, c := range r.clients {
		cfg := r.cfg
		cfg.Target = r.urls[i]
		res, err := headroom.Measure(ctx, c, cfg)
		r.found[i] = res
		if err != nil {
			if e := interruptedBy(ctx); e != nil {
				return 0, e
			}
			return 0, fault.WithHint(fmt.Errorf("looking for a rate to offer: %s: %w", r.urls[i], err), "give a --rate")
		}
		var low float64
		switch a := &res.Result; {
		case a.Capacity != nil:
			low = a.Capacity.Low
		case a.AtLeast != nil:
			low = *a.AtLeast
		default:
			return 0, fault.WithHint(fault.NoAnswerf("%s: %s holds at no rate, so that there is none to compare at", r.urls[i], res.SLO), "give a --rate")
		}
		if lower == 0 || low < lower {
			lower = low
		}
		r.Notef("%s: capacity %s or more", sideNames[i], units.Rate(low))
	}
	r.rateFrom = fmt.Sprintf("%s of the lower of the two capacities", units.Share(underCapacity))
	return underCapacity * lower, nil
}
