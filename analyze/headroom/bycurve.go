package headroom

import (
	"context"
	"math"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// byCurve measures the share of bad requests against the rate.
func (s *search) byCurve(ctx context.Context, k *seek, before []*run, left time.Duration) error {
	if left < 2*time.Second {
		return fault.NoAnswerf("no time is left to measure the share of bad requests against the rate: %s of load were spent", s.load)
	}
	start := max(k.x/(1-s.cfg.budget()), 1)
	switch k.end {
	case endFailing:
		start = max(k.rate/1.5, 1)
	case endSaturated: // there is a queue, so that capacity is below its throughput
		start = max(0.85*k.x, 1)
	}
	p := newCurve(s.cfg, start, left)
	found, err := s.follow(ctx, p, k, before)
	if err == nil && !found {
		return fault.NoAnswerf("the share of bad requests did not depend on the rate in any way that tells a capacity: %d pieces about %s", len(p.pieces), units.Rate(p.center))
	}
	return err
}

// aboutCurve measures the curve around the capacity of a model that a trial has
// contradicted. A service with a queue has no steady state beyond the throughput
// at which it was held busy, whatever a short curve says. Where there is no curve,
// capacity lies between what held and what did not.
func (s *search) aboutCurve(ctx context.Context, k *seek, before []*run, sol solution, left time.Duration) error {
	p := about(s.cfg, sol.rate, left)
	found, err := s.follow(ctx, p, k, before)
	if err != nil {
		return err
	}
	a := &s.res.Result
	if !found {
		between(s.cfg, p.pieces, a, sol)
		s.warn("bad requests did not depend on the rate alone: capacity is only known to lie between rates at which the SLO held and did not")
	}
	if most := sol.saturated.High; a.Capacity != nil && k.bound == 0 && a.Capacity.High > most {
		c := a.Capacity
		c.High = most
		c.Estimate = min(c.Estimate, most)
		c.Low = min(c.Low, c.Estimate)
	}
	return nil
}

// between sets the capacity between the highest rate below all at which the SLO
// broke, and the lowest of those.
func between(cfg Config, pieces []piece, a *Answer, sol solution) {
	broke, held := sol.high, 0.0
	type look struct{ rate, used float64 }
	var looks []look
	for _, p := range pieces {
		if p.counts.Planned > 0 {
			_, used := cfg.bad(p.counts)
			looks = append(looks, look{p.rate, used})
		}
	}
	if c := a.Check; c != nil {
		looks = append(looks, look{c.RatePerSecond, c.BadShare / cfg.budget()})
	}
	for _, l := range looks {
		if l.used > 1 {
			broke = min(broke, l.rate)
		}
	}
	for _, l := range looks {
		if l.used <= 1 && l.rate < broke {
			held = max(held, l.rate)
		}
	}
	if held == 0 {
		held = 0.7 * broke
	}
	a.Capacity = &Interval{(held + broke) / 2, 0.97 * held, 1.03 * broke}
	a.Method, a.Discipline = MethodCurve, ""
}

// follow measures the curve and takes over its capacity; it reports whether there
// is one, or the certainty that there is none.
func (s *search) follow(ctx context.Context, p *curve, k *seek, before []*run) (bool, error) {
	r, err := s.offer(ctx, loadgen.Offer{}, min(s.cfg.Caps.Rate, 3*p.center+10), p)
	if err != nil {
		return false, err
	}
	all := len(p.pieces)
	p.pieces = soundPieces(p.pieces, r)
	fillPieces(p.pieces, &r.Timeline)
	if len(p.pieces) < all/2 {
		return false, s.generatorLimit("most pieces of the curve are void", k)
	}
	if p.center < floorRate && len(p.pieces) > 0 {
		var h hist.Hist
		for i := range r.Segments {
			h.Merge(&r.Segments[i].Latency[outcome.Full])
		}
		last := p.pieces[len(p.pieces)-1]
		s.setFloor(&h, last.counts, last.to-last.from)
		s.res.Result.Method = MethodFloor
		return true, nil
	}
	found := s.setCurve(p.pieces, p.center, append(before, r))
	if c := s.res.Result.Capacity; found && c != nil && findPiling(p.pieces, &r.Timeline, c.Estimate).bound(c) {
		s.warn("the queue grew at rates at which too few requests were bad as yet: capacity is bounded by what the service completed meanwhile; a longer --budget tells more")
	}
	return found, nil
}

// soundPieces returns the pieces that lie in no void segment.
func soundPieces(pieces []piece, r *run) []piece {
	var out []piece
	for _, p := range pieces {
		sound := true
		for i := range r.Segments {
			s := &r.Segments[i]
			if s.Void != "" && s.Start < p.to && p.from < s.Start+s.Duration {
				sound = false
			}
		}
		if sound {
			out = append(out, p)
		}
	}
	return out
}

// setCurve takes over the capacity of the measured curve, if it tells one.
func (s *search) setCurve(pieces []piece, center float64, runs []*run) bool {
	a := &s.res.Result
	est, half, ok := fitCurve(s.cfg, pieces, center)
	if ok {
		if e, h, better := fitCurve(s.cfg, pieces, est); better {
			est, half = e, h
		}
		half = max(half, 0.01*est)
	} else {
		est, half, ok = bracketOf(s.cfg, pieces)
	}
	if !ok {
		return false
	}
	a.Capacity = &Interval{est, max(0, est-half), est + half}
	a.Method, a.Discipline = MethodCurve, ""
	var over outcome.Counts
	for _, p := range pieces {
		if p.rate >= 0.97*est && p.rate <= 1.1*est {
			over.Add(p.counts)
		}
	}
	_, worst := s.cfg.SLO.Worst(over)
	a.BoundBy, a.BoundByClause = string(s.cfg.SLO.Limit(over)), worst.String()
	if a.USL == nil {
		a.USL = fitUSL(loads(runs), 1)
	}
	return true
}

// bracketOf is the answer of last resort: between the highest rate at which the
// SLO held and the lowest at which it did not.
func bracketOf(cfg Config, pieces []piece) (est, half float64, ok bool) {
	held, broke := 0.0, math.Inf(1)
	for _, p := range pieces {
		if _, used := cfg.bad(p.counts); used > 1 {
			broke = min(broke, p.rate)
		}
	}
	for _, p := range pieces {
		if _, used := cfg.bad(p.counts); used <= 1 && p.rate < broke {
			held = max(held, p.rate)
		}
	}
	if held == 0 || math.IsInf(broke, 1) {
		return 0, 0, false
	}
	return (held + broke) / 2, (broke-held)/2 + 0.03*held, true
}
