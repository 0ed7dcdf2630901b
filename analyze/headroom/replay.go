package headroom

import (
	"context"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// Replay offers the arrivals of a log in place of a search. It says whether the SLO
// holds over them, as they are or at another speed; it gives no capacity.
type Replay struct {
	// Trace reads the arrivals, anew at each call; Err says afterwards why they ended
	// early, if they did.
	Trace func(ctx context.Context) loadgen.Trace
	Err   func() error
	// Requests is how many there are, and Length how long they take.
	Requests uint64
	Length   time.Duration
	// PerSecond is their mean rate, PeakPerSecond the highest over a second, and
	// UnderWay the highest over the clients' timeout: it bounds how many can be under
	// way at once.
	PerSecond, PeakPerSecond, UnderWay float64
}

// validateReplay refuses a replay that the caps do not allow, or that is none.
func (c Config) validateReplay() error {
	r := c.Replay
	if r == nil {
		return nil
	}
	switch {
	case c.Gate != (Gate{}) && c.Gate != (Gate{HoldFor: c.Gate.HoldFor}):
		return fault.Usagef("replay: it is a gate of its own: expected no other beside it")
	case r.Trace == nil || r.Requests == 0 || r.Length <= 0:
		return fault.Usagef("replay: expected arrivals, found none")
	case r.PeakPerSecond > c.Caps.Rate:
		return fault.WithHint(fault.Usagef("replay: expected at most the rate cap of %s, found %s in its busiest second", units.Rate(c.Caps.Rate), units.Rate(r.PeakPerSecond)),
			"lower --speed, or raise --max-rate")
	case r.Requests > c.Caps.Requests:
		return fault.WithHint(fault.Usagef("replay: expected at most the cap of %s requests, found %s", units.Count(c.Caps.Requests), units.Count(r.Requests)),
			"replay the busiest stretch alone with --for 10m, or raise --max-requests")
	case r.Length > maxBudget:
		return fault.WithHint(fault.Usagef("replay: expected at most %s of load, found %s", units.ExactDuration(maxBudget), units.Duration(r.Length)),
			"replay the busiest stretch alone with --for 10m")
	}
	return nil
}

// replay offers the arrivals and judges all of them. The queue of the service begins
// empty, as it may in the log: nothing is left out.
func (s *search) replay(ctx context.Context) error {
	g := s.cfg.Replay
	// The number of requests was held against the cap before; the helm looks ahead by
	// a mean rate and must not end a burst at the close.
	s.cfg.Caps.Requests += uint64(g.PeakPerSecond) + 1
	conns := (&loadgen.Offer{PeakRate: g.UnderWay, Timeout: s.cfg.Timeout, Retries: s.cfg.Retries}).ConnBound()
	r, err := s.offer(ctx, loadgen.Offer{Arrivals: loadgen.Replay, Trace: g.Trace(ctx), MaxConns: conns},
		g.PeakPerSecond, replaying{g.PerSecond})
	if err != nil {
		return err
	}
	switch {
	case g.Err != nil && g.Err() != nil:
		return fault.NoAnswerf("the replay was cut short: %w", g.Err())
	case r.stopped != "" && r.stopped != stoppedBreach:
		return fault.NoAnswerf("the replay was cut short: %s", r.stopped)
	case len(r.Segments) == 0 || slo.Judged(r.Segments[0].Counts) == 0:
		return fault.NoAnswerf("the replay left no request to judge")
	}
	judged := &r.Segments[0]
	if judged.Void != "" {
		s.res.Result.BoundBy = string(slo.LimitGenerator)
		return fault.NoAnswerf("the load generator was the limit of the replay: %s", judged.Void)
	}
	_, worst := s.cfg.SLO.Worst(judged.Counts)
	a := &s.res.Result
	a.BoundByClause, a.BoundBy = worst.String(), string(s.cfg.SLO.Limit(judged.Counts))
	a.Verdict = &Verdict{
		Gate: GateReplay, Found: worst.Share(judged.Counts), Wanted: worst.Budget,
		Pass: r.stopped == "" && s.cfg.SLO.Met(judged.Counts),
		Rule: "passes when at most the budget of each clause is bad over the whole replay, which is one draw of what traffic can be",
	}
	return nil
}

// GateReplay is the gate of a replay, as verdicts name it.
const GateReplay = "replay"

// replaying is the pilot of a replay, whose arrivals are their own. The rate is for
// those who look on.
type replaying struct{ rate float64 }

func (p replaying) steer(*meter) move { return move{phase: PhaseReplay, rate: p.rate} }
