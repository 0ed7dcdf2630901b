package headroom

import (
	"math"
	"math/rand/v2"
	"sort"
	"time"

	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
)

// evidence is what the saturated runs of a search have shown.
type evidence struct {
	runs []*run
	seek *seek
}

// busySpans returns the windows of a run in which the service was held busy by a
// sound generator.
func busySpans(r *run) []span {
	var out []span
	for i := range r.Segments {
		if r.Segments[i].Void != "" || r.phase(i) != PhaseSaturate {
			continue
		}
		s := &r.Segments[i]
		out = append(out, span{windowOf(s.Start), windowOf(s.Start + s.Duration)})
	}
	return out
}

func windowOf(t time.Duration) int { return int(t / loadgen.WindowWidth) }

// learn makes a model of the service from what was seen of it.
func (e *evidence) learn(cfg Config, rng *rand.Rand) *model {
	m := &model{timeout: cfg.Timeout.Seconds(), bound: e.seek.bound}
	for _, t := range cfg.SLO.Thresholds() {
		m.thresholds = append(m.thresholds, t.Seconds())
	}
	m.floor = e.floor(cfg)
	base := sum(m.floor) / float64(len(m.floor))
	if !e.gather(m, base, false, rng) {
		return m
	}
	e.shares(m)
	e.order(m)
	if m.discipline == lifo {
		e.gather(m, base, true, rng)
	}
	return m
}

// gather makes the trace of a model; it is false when the service was never busy.
func (e *evidence) gather(m *model, base float64, buried bool, rng *rand.Rand) bool {
	rough, busy := e.seek.x, []float64(nil)
	for range 3 { // the rate says how many are served at once, and that the rate
		m.trace, busy = trace{}, nil
		clock := 0
		for _, r := range e.runs {
			busy = append(busy, m.harvest(&r.Timeline, clock, busySpans(r), max(1, rough*base), rough, buried)...)
			clock += len(r.Timeline.Windows) + 2*hole
		}
		if sum(busy) == 0 {
			return false
		}
		rough = busyRate(m.done, busy)
	}
	m.busy = sum(busy) * windowSeconds
	m.fillIdle(busy, rough, rng)
	m.findStalls()
	if cut := m.warmUp(); cut > 0 {
		m.done, m.at = m.done[cut:], m.at[cut:]
	}
	m.settle()
	m.served = max(1, m.rate()*base)
	return true
}

// floorStrata is with how many equally likely values the floor is told.
const floorStrata = 16

// floor returns equally likely response times without queueing, from the first
// requests of the ramp: those below a quarter of the rate at which waiting began.
func (e *evidence) floor(cfg Config) []float64 {
	var h hist.Hist
	for _, r := range e.runs {
		for i := range r.Segments {
			p, secs := r.phase(i), r.Segments[i].Duration.Seconds()
			low := p == PhaseFloor || p == PhaseRamp && secs > 0 && float64(r.Segments[i].Counts.Planned)/secs < 0.25*e.seek.x
			if low && r.Segments[i].Void == "" {
				h.Merge(&r.Segments[i].Latency[outcome.Full])
			}
		}
	}
	if h.Count() == 0 {
		return []float64{e.seek.base}
	}
	out := make([]float64, floorStrata)
	for i := range out {
		out[i] = float64(h.Quantile((float64(i)+0.5)/floorStrata)) / 1e9
	}
	return out
}

// shares sets the failures, the degraded answers and the late requests that no
// queue explains, from the segments in which the service was held busy.
func (e *evidence) shares(m *model) {
	var n outcome.Counts
	for _, r := range e.runs {
		for i := range r.Segments {
			if r.phase(i) == PhaseSaturate && r.Segments[i].Void == "" {
				n.Add(r.Segments[i].Counts)
			}
		}
	}
	answered := float64(n.By[outcome.Full] + n.By[outcome.Degraded] + n.By[outcome.Failed])
	if answered > 0 {
		m.failed = float64(n.By[outcome.Failed]) / answered
		m.degraded = float64(n.By[outcome.Degraded]) / answered
	}
}

// order chooses the discipline whose latencies look most like those seen.
func (e *evidence) order(m *model) {
	var seen hist.Hist
	for _, r := range e.runs {
		for i := range r.Segments {
			if r.phase(i) == PhaseSaturate && r.Segments[i].Void == "" {
				seen.Merge(&r.Segments[i].Latency[outcome.Full])
			}
		}
	}
	if seen.Count() < 50 {
		return
	}
	best, d := math.Inf(1), fifo
	for _, k := range []discipline{fifo, lifo, shared} {
		m.discipline = k
		far := e.replay(m).distance(&seen)
		if k == fifo {
			far *= 0.7 // a tie is fifo
		}
		if far < best {
			best, d = far, k
		}
	}
	m.discipline = d
	if d == fifo {
		e.slowness(m)
	}
}

// slowness sets the share of requests that are late although nothing before them
// was: those that found a queue so short that they should have been done within
// half of the limit, by the completions that did follow. Fewer than five of them
// are none.
func (e *evidence) slowness(m *model) {
	limits := append(append([]float64{}, m.thresholds...), m.timeout)
	for k, limit := range limits {
		planned, late := 0.0, 0.0
		for _, r := range e.runs {
			for _, s := range busySpans(r) {
				m.replayFIFO(&r.Timeline, s, func(w int, t float64) {
					if t > limit/2 {
						return
					}
					c := &r.Timeline.Windows[w].Cohort
					planned += float64(c.Planned)
					late += float64(c.By[outcome.TimedOut])
					if k < len(m.thresholds) {
						late += float64(c.LateFull[k] + c.LateDegraded[k])
					}
				})
			}
		}
		share := 0.0
		if late >= 5 {
			share = late / planned
		}
		if k < len(m.thresholds) {
			m.slow[k] = share
		} else {
			m.slow[outcome.MaxThresholds] = share
		}
	}
}

// replay is the response times that a discipline would have given to the
// requests of the busy spans.
type replay struct {
	times []float64 // seconds, sorted
}

// replayQuantiles are where the response times of a replay are compared.
var replayQuantiles = []float64{0.1, 0.25, 0.5, 0.75, 0.9}

// distance is how far, in logarithms, the quantiles are from those seen.
func (p replay) distance(seen *hist.Hist) float64 {
	if len(p.times) == 0 {
		return math.Inf(1)
	}
	const blur = 0.002
	d := 0.0
	for _, q := range replayQuantiles {
		a := p.times[int(q*float64(len(p.times)-1))]
		b := float64(seen.Quantile(q)) / 1e9
		d += math.Abs(math.Log((a + blur) / (b + blur)))
	}
	return d / float64(len(replayQuantiles))
}

// replay plays the requests sent in the busy spans against the completions that
// followed, in the model's order of service.
func (e *evidence) replay(m *model) replay {
	var p replay
	for _, r := range e.runs {
		for _, s := range busySpans(r) {
			if m.discipline == fifo {
				m.replayFIFO(&r.Timeline, s, func(_ int, t float64) { p.times = append(p.times, t) })
			} else {
				p.times = m.replayEach(p.times, &r.Timeline, s)
			}
		}
	}
	sort.Float64s(p.times)
	return p
}

// replayFIFO tells, for each window with arrivals, the response time of a request
// that arrives as it ends: it leaves the queue when all in flight but the served
// have been answered.
func (m *model) replayFIFO(tl *loadgen.Timeline, s span, tell func(w int, seconds float64)) {
	cum := completions(tl, s.from)
	last := len(cum) - 1
	for w := s.from; w < min(s.to, len(tl.Windows)); w++ {
		if tl.Windows[w].Sent == 0 {
			continue
		}
		i := w + 1 - s.from
		ahead := max(0, float64(tl.Windows[w].InFlight)-m.served)
		j := i + sort.SearchFloat64s(cum[i:], cum[i]+ahead)
		if j > last {
			break
		}
		wait := float64(j - i)
		if j > i { // within the window in which the last of them is answered
			wait -= (cum[j] - cum[i] - ahead) / (cum[j] - cum[j-1])
		}
		tell(w, (wait+m.floorAt(w))*windowSeconds)
	}
}

// replayEach follows each request.
func (m *model) replayEach(out []float64, tl *loadgen.Timeline, s span) []float64 {
	c := crowd{order: m.discipline, places: m.served, u: 1}
	if s.from > 0 {
		for range tl.Windows[s.from-1].InFlight {
			c.enter(float64(s.from))
		}
	}
	tell := func(w int, windows float64) {
		if t := (windows + m.own(w)) * windowSeconds; t < m.timeout {
			out = append(out, t)
		}
	}
	credit := 0.0
	for w := s.from; w < min(s.to, len(tl.Windows)); w++ {
		a, d := float64(tl.Windows[w].Sent), answers(tl.Windows[w])
		steps := int(a+d) + 1
		came := 0.0
		for k := range steps {
			now := float64(w) + (float64(k)+0.5)/float64(steps)
			if came < a && came/a <= float64(k)/float64(steps) {
				came++
				if c.enter(now) {
					tell(w, 0)
				}
			}
			credit += d / float64(steps)
			for credit >= 1 && c.size() > 0 {
				credit--
				if at, ok := c.leave(); ok {
					tell(w, now-at)
				}
			}
		}
	}
	return out
}

// completions returns the running sum of answers from a window on; its first
// entry is 0.
func completions(tl *loadgen.Timeline, from int) []float64 {
	cum := make([]float64, 1, len(tl.Windows)-from+1)
	for _, w := range tl.Windows[from:] {
		cum = append(cum, cum[len(cum)-1]+served(w))
	}
	return cum
}
