package headroom

import (
	"context"
	"time"

	"example.com/kneeline/analyze/headroom/stat"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen"
)

// The patient probes of the load past capacity: a share of the requests waits so
// long, to see a queue that is deeper than the clients' timeout shows.
const (
	probeShare    = 0.01
	probeDeadline = 10 * time.Second
)

// holdsFor is for how long the SLO has to hold, by the time of planning, before a
// service counts as recovered.
const holdsFor = 2 * time.Second

// past is the pilot of the load past capacity and of the way back.
type past struct {
	cfg      Config
	capacity float64

	since     time.Duration // when the recovery began, 0 before
	seg       time.Duration
	recovered bool
	after     time.Duration // recovery time
}

func (p *past) steer(m *meter) move {
	t := m.now()
	if p.since == 0 && t < p.cfg.Budget.Overload {
		return move{phase: PhaseOverload, rate: overloadFactor * p.capacity, fresh: p.every(t), daring: true}
	}
	if p.since == 0 {
		p.since, p.seg = t, t
	}
	p.look(m)
	if p.recovered || t-p.since >= p.cfg.Budget.Recovery {
		return move{stop: true}
	}
	return move{phase: PhaseRecovery, rate: recoveryFactor * p.capacity, fresh: p.every(t), daring: true}
}

// every asks for a fresh segment every two seconds, so that the probes of each
// tell how the wait goes on.
func (p *past) every(t time.Duration) bool {
	if t-p.seg < 2*time.Second {
		return false
	}
	p.seg = t
	return true
}

// look moves the start of the window of recovery past every instant from which
// the SLO does not hold, as far as fates are settled.
func (p *past) look(m *meter) {
	settled := m.now() - p.cfg.Timeout - loadgen.ControlPeriod
	for {
		from := p.since + p.after
		if from+holdsFor > settled {
			return
		}
		n, _ := m.tl.Sum(from, from+holdsFor)
		if slo.Judged(n) > 0 && p.cfg.SLO.Met(n) {
			p.recovered = true
			return
		}
		p.after += 5 * loadgen.WindowWidth
	}
}

// overload goes past capacity and sets what was seen there.
func (s *search) overload(ctx context.Context, capacity float64, b Interval) error {
	p := &past{cfg: s.cfg, capacity: capacity}
	r, err := s.offer(ctx, loadgen.Offer{ProbeShare: probeShare, ProbeDeadline: max(probeDeadline, s.cfg.Timeout)},
		overloadFactor*capacity*1.05, p)
	if r == nil {
		return err
	}
	if p.since == 0 {
		s.warn("the load past capacity was cut short, so that goodput there was not measured: %s", reason(r, err))
		return err
	}
	s.goodputPast(r, p, capacity)
	s.depthPast(r, p, b.Estimate)
	if r.stopped != "" || err != nil {
		s.warn("the way back was cut short, so that recovery was not measured: %s", reason(r, err))
		return err
	}
	a := &s.res.Result
	a.Recovers = &p.recovered
	a.Overload.RecoveryRate = recoveryFactor * capacity
	a.Overload.Allowance = s.cfg.Budget.Recovery.Seconds()
	if p.recovered {
		a.RecoverySeconds = ptr(p.after.Seconds())
	} else {
		a.Overload.Draining = draining(r)
	}
	return nil
}

// settledPast adds up the stretches of the overload that lie mostly after the
// instant from, and says what was wrong with some of them. Void ones are left out,
// unless there is no other: past capacity nothing but the service's own backlog
// makes everything late, so that lateness of the generator well below the timeout
// spoils no more than the figure's last digit.
func (s *search) settledPast(r *run, from time.Duration) (n outcome.Counts, secs float64, void string) {
	var late outcome.Counts
	lateSecs := 0.0
	for i := range r.Segments {
		g := &r.Segments[i]
		if r.phase(i) != PhaseOverload || g.Start+g.Duration/2 < from {
			continue
		}
		switch {
		case g.Void == "":
			n.Add(g.Counts)
			secs += g.Duration.Seconds()
			continue
		case g.Counts.By[outcome.NeverSent] == 0 && time.Duration(g.SendLag.Quantile(0.99)) <= s.cfg.Timeout/2:
			late.Add(g.Counts)
			lateSecs += g.Duration.Seconds()
		}
		void = g.Void
	}
	if secs == 0 {
		return late, lateSecs, void
	}
	return n, secs, void
}

func reason(r *run, err error) string {
	if err != nil {
		return err.Error()
	}
	return r.stopped
}

// goodputPast compares the goodput over the later half of the overload with that
// at capacity.
func (s *search) goodputPast(r *run, p *past, capacity float64) {
	n, secs, void := s.settledPast(r, p.since/2)
	if secs == 0 {
		s.warn("the generator was the limit past capacity, so that goodput there is not known: %s", void)
		s.res.Result.Overload = &Overload{OfferedPerSecond: overloadFactor * capacity}
		return
	}
	if void != "" {
		s.warn("the generator was late at times past capacity: %s", void)
	}
	o := &Overload{OfferedPerSecond: float64(n.Planned) / secs, GoodputPerSecond: float64(good(s.cfg, n)) / secs}
	a := &s.res.Result
	a.Overload = o
	o.Goodput = s.goodputInterval(r, p, o.GoodputPerSecond)
	at := capacity * (1 - s.cfg.budget())
	ratio := o.GoodputPerSecond / at
	a.GoodputRatio = &ratio
	switch shed := n.Share(outcome.Shed); {
	case ratio < collapseRatio:
		a.PastCapacity = PastCollapses
	case ratio < keepRatio:
		a.PastCapacity = PastDegrades
	case shed > 0.05:
		a.PastCapacity = PastSheds
	default:
		a.PastCapacity = PastKeeps
	}
}

const (
	// goodputBatch is the width of the batches by whose scatter the goodput past
	// capacity gets its interval.
	goodputBatch = 500 * time.Millisecond
	// leastBatches is how many it takes: with fewer the interval says nothing.
	leastBatches = 4
)

// goodputInterval is the interval of the goodput over the later half of the
// overload, by Student's t over the means of batches.
func (s *search) goodputInterval(r *run, p *past, mean float64) *Interval {
	var batches []float64
	for at := (p.since / 2).Truncate(loadgen.WindowWidth); at+goodputBatch <= p.since; at += goodputBatch {
		n, _ := r.Timeline.Sum(at, at+goodputBatch)
		batches = append(batches, float64(good(s.cfg, n))/goodputBatch.Seconds())
	}
	if len(batches) < leastBatches {
		return nil
	}
	e := stat.MeanInterval(batches)
	half := e.High - e.Value
	return &Interval{Estimate: mean, Low: max(0, mean-half), High: mean + half}
}

// What can become of goodput past capacity.
const (
	PastKeeps     = "keeps"
	PastSheds     = "sheds well"
	PastDegrades  = "degrades"
	PastCollapses = "collapses"

	keepRatio     = 0.9
	collapseRatio = 0.8
)

// depthPast tells the queue's depth from the wait of the patient probes: the wait
// times the rate of completions is what stood before a request. Where requests
// were refused as well the queue was full, and its depth is its bound.
func (s *search) depthPast(r *run, p *past, rate float64) {
	o := s.res.Result.Overload
	longest, lost := 0.0, uint64(0)
	shed, hints, hintSum := uint64(0), uint64(0), 0.0
	for i := range r.Segments {
		g := &r.Segments[i]
		if g.Probes.Count() >= 3 {
			longest = max(longest, float64(g.Probes.Quantile(0.9))/1e9)
		}
		lost += g.ProbesLost
		shed += g.Counts.By[outcome.Shed]
		hints += g.RetryAfterN
		hintSum += g.RetryAfterSum
	}
	o.Refused = shed > 0
	if shed > 0 {
		o.HintShare = ptr(min(1, float64(hints)/float64(shed)))
		if hints > 0 {
			o.HintSeconds = ptr(hintSum / float64(hints))
		}
	}
	if lost > 0 {
		longest = max(longest, probeDeadline.Seconds())
	}
	if longest > 0 {
		o.QueueWait = ptr(longest)
		if rate > 0 {
			o.Depth = ptr(longest * rate)
		}
	}
}

// draining reports whether the probes of the recovery waited less and less; nil
// when they do not tell.
func draining(r *run) *bool {
	var waits []float64
	for i := range r.Segments {
		if r.phase(i) == PhaseRecovery && r.Segments[i].Probes.Count() >= 3 {
			waits = append(waits, float64(r.Segments[i].Probes.Quantile(0.5)))
		}
	}
	if len(waits) < 3 {
		return nil
	}
	return ptr(waits[len(waits)-1] < 0.9*waits[0])
}
