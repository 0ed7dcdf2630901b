package headroom

import (
	"fmt"
	"math"
	"time"

	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// PlanInfo says before the first request what a measurement will do.
type PlanInfo struct {
	Phases []PlanPhase
	// Duration bounds the time of load in all.
	Duration time.Duration
	// Requests bounds the requests in all, Failed those that may fail, Rate the
	// planned rate.
	Requests uint64
	Failed   uint64
	Rate     float64
	// PastCapacity is set when a phase goes past capacity on purpose.
	PastCapacity bool
}

// PlanPhase is one phase of a plan.
type PlanPhase struct {
	Name string
	// What says what happens, as a phrase.
	What string
	// Rate says at what rate, as far as it is known.
	Rate     string
	Duration time.Duration
	// PastCapacity is set when the phase goes past capacity on purpose.
	PastCapacity bool
}

// Names of phases, as in plans, progress and trials.
const (
	PhaseFloor    = "floor"
	PhaseRamp     = "ramp"
	PhaseSaturate = "saturate"
	PhaseDepth    = "depth"
	PhaseCheck    = "check"
	PhaseCurve    = "curve"
	PhaseCap      = "rate cap"
	PhaseOverload = "overload"
	PhaseRecovery = "recovery"
	PhaseHold     = "hold"
	PhaseReplay   = "replay"
)

// Multiples of capacity at which the load past capacity and the load of the
// recovery are offered.
const (
	overloadFactor = 1.3
	recoveryFactor = 0.8
)

// Bounds of the phases before saturation.
const (
	floorRate  = 10.0 // requests per second with which the service is approached
	rampLimit  = 8 * time.Second
	floorLimit = 2 * time.Second
)

// Plan returns what [Measure] would do with cfg. The rates of most phases are
// known only once the service has answered; the caps hold for all of them.
func Plan(cfg Config) PlanInfo {
	cfg = cfg.withDefaults()
	p := PlanInfo{Requests: cfg.Caps.Requests, Failed: cfg.Caps.Failed, Rate: cfg.Caps.Rate}
	if g := cfg.Gate; g.HoldRate > 0 {
		p.add(PlanPhase{Name: PhaseHold, What: "one rate, unbroken; stops within 2 s of a gross breach",
			Rate: units.Rate(g.HoldRate), Duration: g.HoldFor})
		p.Rate = g.HoldRate
		p.bound()
		if cfg.Arrivals == loadgen.Poisson {
			p.Requests = min(cfg.Caps.Requests, byChance(g.HoldRate*g.HoldFor.Seconds()))
			p.Failed = min(cfg.Caps.Failed, p.Requests)
		}
		return p
	}
	if r := cfg.Replay; r != nil {
		p.add(PlanPhase{Name: PhaseReplay, What: "a log's own arrivals; stops within 2 s of a gross breach",
			Rate: units.Rate(r.PerSecond) + " on average", Duration: r.Length})
		p.Rate, p.Requests = r.PeakPerSecond, r.Requests
		p.Failed = min(p.Failed, p.Requests)
		return p
	}
	s := split(cfg.Budget.Search)
	upTo := "up to " + units.Rate(cfg.Caps.Rate)
	p.add(PlanPhase{Name: PhaseRamp, What: "doubles until answers begin to wait, at most once in 0.4 s",
		Rate: units.Rate(floorRate) + " " + upTo, Duration: s.ramp})
	p.add(PlanPhase{Name: PhaseSaturate, What: "keeps the service just busy: the rate follows what it completes, nearly nobody is late",
		Rate: upTo, Duration: s.saturate + s.more})
	p.add(PlanPhase{Name: PhaseCheck, What: "one unbroken trial at the low end of capacity",
		Rate: "the low end of capacity", Duration: s.check})
	if cfg.Overload {
		p.add(PlanPhase{Name: PhaseOverload, What: "past capacity on purpose",
			Rate: fmt.Sprintf("%g × capacity", overloadFactor), Duration: cfg.Budget.Overload, PastCapacity: true})
		p.add(PlanPhase{Name: PhaseRecovery, What: "until the SLO holds again",
			Rate: fmt.Sprintf("%g × capacity", recoveryFactor), Duration: cfg.Budget.Recovery})
	}
	p.bound()
	return p
}

func (p *PlanInfo) add(ph PlanPhase) {
	p.Phases = append(p.Phases, ph)
	p.Duration += ph.Duration
	p.PastCapacity = p.PastCapacity || ph.PastCapacity
}

// bound tightens the bound on requests to what the rate allows.
func (p *PlanInfo) bound() {
	if most := p.Rate * p.Duration.Seconds(); most < float64(p.Requests) {
		p.Requests = uint64(most)
	}
	p.Failed = min(p.Failed, p.Requests)
}

// byChance bounds a Poisson number of the given mean, which is over the bound less
// than once in a million times.
func byChance(mean float64) uint64 {
	return uint64(math.Ceil(mean + 5*math.Sqrt(mean) + 5))
}

// shares of the search's budget.
type splits struct {
	ramp, saturate, check, more time.Duration
}

// split divides the budget of a search. Most of it is saturated, since only
// completions of a busy service are samples of what it can do; the check comes
// before the last part, so that this part is left for another method when the
// model fails.
func split(search time.Duration) splits {
	s := splits{ramp: min(rampLimit, search/5)}
	rest := search - s.ramp
	s.check = min(rest/5, 15*time.Second)
	s.saturate = (rest - s.check) * 6 / 10
	s.more = rest - s.check - s.saturate
	return s
}
