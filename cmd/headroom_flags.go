package cmd

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/kneeline/internal/units"
)

// addFlags declares the flags in the order of help: what most people need first.
func (o *headroomOptions) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.SortFlags = false
	under(f, "The question", func() {
		f.Var(&o.slo, "slo", "objective over planned requests, such as p99<400ms,errors<1% (default p99<TIMEOUT,errors<1%)")
		f.Var(&o.timeout, "timeout", "how long clients wait, from the planned instant (default 1s; the demo's wait 400ms)")
		f.Var(&o.peak, "peak", "the highest `RATE` of real traffic, to which headroom refers")
		f.Var(&o.zones, "zones", "over how many equal zones the service is spread, for headroom with one lost")
		f.Var(&o.growth, "growth", "growth of the peak, such as 3%/month")
		f.Var(&o.workers, "workers", "requests the service runs at once, if known; for the queue to set")
		f.BoolVar(&o.overload, "overload", false, "go past capacity after the search, to 1.3 times, then back to 0.8 (default for the demo)")
		f.StringVar(&o.demo, "demo", "", "measure the built-in service with these `SETTINGS` (queue=400,workers=12; see 'target')")
		f.BoolVar(&o.dryRun, "dry-run", false, "print the plan and stop")
	})
	under(f, "Gates (exit code 1 when one fails)", func() { o.addGates(f) })
	under(f, "What is sent", func() {
		f.StringVarP(&o.request.method, "method", "X", "", "request `METHOD` (default GET, or POST with a body)")
		f.StringArrayVarP(&o.request.headers, "header", "H", nil, "request `HEADER` as 'Name: value', or @FILE with one a line; may be repeated")
		f.StringVarP(&o.request.body, "data", "d", "", "request `BODY`, @FILE, or @- for stdin")
		f.StringArrayVar(&o.request.degraded, "degraded", nil, "`RULE` for a degraded answer: status:206, header:X-Partial=1 or json:$.partial==true; may be repeated")
	})
	under(f, "Real traffic", func() { o.traffic.addFlags(c, f) })
	under(f, "How the service is reached", func() { o.request.transport.addFlags(c) })
	under(f, "Two services side by side", func() { o.ab.addFlags(c) })
	under(f, "What the service says of itself", func() { o.signals.addFlags(f) })
	under(f, "Bounds of the load", func() { o.addBounds(f) })
	under(f, "Arrivals and retries", func() {
		f.BoolVar(&o.constant, "constant", false, "with --hold: space requests evenly in place of Poisson arrivals, which hides queueing")
		f.Var(&o.retries, "client-retries", "send failed, shed and timed-out requests again, up to `N` times each")
		f.Var(&o.retryAfter, "client-retry-after", "wait this long before sending again")
		f.Var(&o.seed, "seed", "seed of the arrivals (default random)")
		f.BoolVar(&o.keepHistograms, "keep-histograms", false, "keep the counts behind every trial in the JSON, for 'compare' and 'merge' (a --hold keeps them unasked)")
	})

	// What a checked-out project must not decide: whose machine gets load, and
	// which files leave this one.
	notFromProject(f, "allow-host", "header", "data")
	onlyByHand(f, "dry-run")
}

func (o *headroomOptions) addGates(f *pflag.FlagSet) {
	f.Var(&o.hold, "hold", "offer this `RATE` in place of a search, fail unless the objective holds")
	f.Var(&o.holdFor, "for", "how long --hold lasts (default 1m); with --replay the length of its busiest stretch")
	f.Var(&o.sloAt, "slo-at", "fail unless the objective holds at this `RATE`, by the low end of capacity")
	f.Var(&o.minHeadroom, "min-headroom", "fail under this headroom of the low end of capacity over --peak")
}

func (o *headroomOptions) addBounds(f *pflag.FlagSet) {
	f.StringArrayVar(&o.allowHosts, "allow-host", nil, "allow load to this `HOST`, which is not loopback; may be repeated")
	f.Var(&o.maxRate, "max-rate", "never plan more than this `RATE` (default 20000/s)")
	f.Var(&o.maxRequests, "max-requests", "never plan more requests in all (default 2000000)")
	f.Var(&o.maxFailed, "max-failed", "stop once this many were shed, failed or timed out (default 100000)")
	f.Var(&o.budget, "budget", "time of load for the search (default 2m; 36s for the demo)")
	f.Var(&o.overloadFor, "overload-for", "how long to stay past capacity (default 10s)")
	f.Var(&o.recoveryFor, "recovery-for", "how long to wait for recovery (default 30s; 15s for the demo)")
}

// growthValue is a share a month, with or without the words.
type growthValue float64

func (g *growthValue) Set(text string) error {
	text = strings.TrimSuffix(strings.TrimSpace(text), "/month")
	v, err := units.ParseShare(text)
	if err == nil {
		*g = growthValue(v)
	}
	return err
}

func (g *growthValue) String() string {
	if *g == 0 {
		return ""
	}
	return units.ExactShare(float64(*g)) + "/month"
}

func (g *growthValue) Type() string { return "share" }

// seedValue is a seed, and whether one was given: 0 is a seed like any other.
type seedValue struct {
	value uint64
	given bool
}

func (s *seedValue) Set(text string) error {
	v, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return fmt.Errorf("expected a whole number of 0 to 2^64-1, found %q", text)
	}
	*s = seedValue{v, true}
	return nil
}

func (s *seedValue) String() string {
	if !s.given {
		return ""
	}
	return strconv.FormatUint(s.value, 10)
}

func (s *seedValue) Type() string { return "number" }
