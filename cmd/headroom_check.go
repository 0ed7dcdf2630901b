package cmd

import (
	"strings"

	"github.com/spf13/pflag"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
)

// overZero are the flags for which zero would read as "not given": a gate or a
// bound that is set to it must not turn into none, or into the default.
var overZero = []string{"timeout", "zones", "workers", "min-headroom", "for", "budget",
	"overload-for", "recovery-for", "max-requests", "max-failed", "h2-connections"}

// needs are flags that say nothing without another.
var needs = []struct{ flag, other, why string }{
	{"for", "hold", "says how long --hold lasts"},
	{"zones", "peak", "is about the headroom over --peak"},
	{"growth", "peak", "is about the headroom over --peak"},
	{"min-headroom", "peak", "is about the headroom over --peak"},
}

// instead are flags that give what another one gives.
var instead = map[string]string{"peak": "peak-from", "hold": "replay"}

// gates are the flags that set one; a run has one verdict.
var gates = []string{"hold", "slo-at", "min-headroom", "replay"}

// check refuses flags that would be passed over in silence, and fills in what
// depends on which are given.
func (o *headroomOptions) check(a *app, f *pflag.FlagSet, demo bool) error {
	for _, name := range overZero {
		if f.Changed(name) && f.Lookup(name).Value.String() == "0" {
			return fault.Usagef("--%s: expected more than 0, found %s", name, f.Lookup(name).Value)
		}
	}
	for _, n := range needs {
		if f.Changed(n.flag) && !f.Changed(n.other) && !f.Changed(instead[n.other]) {
			return fault.Usagef("--%s %s: expected --%s beside it, found none", n.flag, n.why, n.other)
		}
	}
	if o.zones == 1 {
		return fault.Usagef("--zones: expected 2 or more, of which one can be lost, found 1")
	}
	var set []string
	for _, name := range gates {
		if f.Changed(name) {
			set = append(set, "--"+name)
		}
	}
	if len(set) > 1 {
		return fault.Usagef("a run judges one gate: expected one of --%s, found %s",
			strings.Join(gates, ", --"), strings.Join(set, " and "))
	}
	if !f.Changed("overload") {
		o.overload = demo
	} else if o.overload && o.hold > 0 {
		return fault.Usagef("--hold offers one rate and goes no further: expected no --overload beside it")
	}
	o.warnIdle(a, f)
	return nil
}

// warnIdle names flags that have no effect, where that does no harm.
func (o *headroomOptions) warnIdle(a *app, f *pflag.FlagSet) {
	idle := func(name, without string) {
		if f.Changed(name) {
			a.Warnf("--%s has no effect without --%s", name, without)
		}
	}
	if !o.overload || o.hold > 0 {
		idle("overload-for", "overload")
		idle("recovery-for", "overload")
	}
	if o.retries == 0 {
		idle("client-retry-after", "client-retries")
	}
}

// gateInReach refuses a gate that the cap on the rate keeps from passing
// whatever the service does.
func gateInReach(cfg *headroom.Config) error {
	gate, wanted := "slo-at", cfg.Gate.SLOAt
	if cfg.Gate.MinHeadroom > 0 {
		gate, wanted = "min-headroom", (1+cfg.Gate.MinHeadroom)*cfg.Peak
	}
	if wanted <= cfg.Caps.Rate {
		return nil
	}
	return fault.WithHint(
		fault.Usagef("--%s wants %s: expected no more than the cap on the rate, found that at %s", gate, units.Rate(wanted), units.Rate(cfg.Caps.Rate)),
		"raise --max-rate, and 'ulimit -n' where that is what limits it")
}
