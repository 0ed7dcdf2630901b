package cmd

import (
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
	"example.com/kneeline/loadgen/target"
)

// demoTimeout is how long the demo's clients wait, as FollowFeed's did.
const demoTimeout = 400 * time.Millisecond

// defaultTimeout is how long clients wait where the user does not say.
const defaultTimeout = time.Second

// config puts the flags into the analysis's terms.
func (o *headroomOptions) config(a *app, isDemo bool, service target.Config) (headroom.Config, error) {
	timeout := time.Duration(o.timeout)
	budget := headroom.DefaultBudget()
	if isDemo {
		budget = headroom.DemoBudget()
	}
	if timeout == 0 {
		timeout = defaultTimeout
		if isDemo {
			timeout = demoTimeout
		}
	}
	cfg := headroom.Config{
		SLO: o.slo, Timeout: timeout,
		Peak: float64(o.peak), Zones: int(o.zones), Growth: float64(o.growth), Workers: int(o.workers),
		Overload: o.overload && o.hold == 0, Budget: budget,
		Caps:    headroom.Caps{Rate: float64(o.maxRate), Requests: uint64(o.maxRequests), Failed: uint64(o.maxFailed)},
		Retries: int(o.retries), RetryAfter: time.Duration(o.retryAfter), KeepHistograms: o.keepHistograms,
		Gate: headroom.Gate{MinHeadroom: float64(o.minHeadroom), SLOAt: float64(o.sloAt),
			HoldRate: float64(o.hold), HoldFor: time.Duration(o.holdFor)},
	}
	if o.constant {
		cfg.Arrivals = loadgen.Constant
	}
	if cfg.SLO.IsZero() {
		cfg.SLO = slo.Default(timeout)
	}
	if cfg.Caps.Rate == 0 {
		o.defaultRate(a, &cfg, isDemo)
	}
	if isDemo && cfg.Workers == 0 {
		cfg.Workers = service.Workers
	}
	set(&cfg.Budget.Search, o.budget)
	set(&cfg.Budget.Overload, o.overloadFor)
	set(&cfg.Budget.Recovery, o.recoveryFor)
	if cfg.Seed = o.seed.value; !o.seed.given {
		cfg.Seed = a.Seed()
	}
	if err := cfg.Validate(); err != nil {
		return cfg, err
	}
	return cfg, gateInReach(&cfg)
}

// defaultRate is the cap on the rate where the user sets none: less than usual
// where this process may not open enough files for the connections. The demo
// needs as many again for the service's side, with what it owes to clients that
// have left.
func (o *headroomOptions) defaultRate(a *app, cfg *headroom.Config, isDemo bool) {
	share := 1.0
	if isDemo {
		share = 0.3
	}
	usual := headroom.DefaultCaps().Rate
	cfg.Caps.Rate = usual
	version := o.request.transport.version
	most := loadgen.Offer{Timeout: cfg.Timeout, Retries: cfg.Retries}.HighestRate(share, version == "2" || version == "h2c")
	if most >= usual || most >= cfg.Gate.HoldRate && cfg.Gate.HoldRate > 0 {
		return
	}
	cfg.Caps.Rate, o.cappedByFiles = most, true
	a.Verbosef("rate cap %s in place of %s: this process may not open more files (ulimit -n)", units.Rate(most), units.Rate(usual))
}

func set(d *time.Duration, v units.DurationValue) {
	if v != 0 {
		*d = time.Duration(v)
	}
}
