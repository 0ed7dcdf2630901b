package headroom

import (
	"time"

	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
)

// generator gathers the health of the load generator over all runs.
type generator struct {
	lag    hist.Hist
	cpu    float64
	conns  uint64
	peak   uint64
	resent uint64
	limits map[string]uint64
}

// record turns the segments of a run into trials and adds to the accounts.
func (c *campaign) record(r *run) {
	began := c.load - r.Timeline.Now
	for i := range r.Segments {
		if i >= len(r.stretches) {
			break
		}
		c.trials = append(c.trials, c.trial(&r.Segments[i], r.stretches[i], began))
		c.troubles.add(&r.Segments[i], r.stretches[i].phase, began)
		if c.cfg.keeps() {
			c.trials[len(c.trials)-1].Kept = keep(c.cfg, &r.Segments[i], &r.Timeline)
		}
	}
	if n := min(len(r.Segments), len(r.stretches)); n > 0 {
		c.trials[len(c.trials)-1].Stopped = r.stopped
	}
	c.retries.Add(r.Retries)
	c.addTargets(r.Targets)
	c.hints.Add(r.Hints)
	c.routes.add(r.Result, began)
	c.gen.cpu = max(c.gen.cpu, r.CPUShare)
	c.gen.conns += r.Conns
	c.gen.peak = max(c.gen.peak, r.ConnsPeak)
	c.gen.resent += r.Resent
	for k, n := range r.Limits {
		if c.gen.limits == nil {
			c.gen.limits = map[string]uint64{}
		}
		c.gen.limits[k] += n
	}
}

// trial describes one segment.
func (c *campaign) trial(s *loadgen.Segment, st stretch, began time.Duration) Trial {
	c.all.Add(s.Counts)
	for cause, n := range s.Causes {
		if c.causes == nil {
			c.causes = map[string]uint64{}
		}
		c.causes[cause] += n
	}
	c.gen.lag.Merge(&s.SendLag)
	secs := s.Duration.Seconds()
	t := Trial{
		Phase: st.phase, Start: (began + s.Start).Seconds(), Seconds: secs,
		Account: account(s.Counts, s.Causes), Latency: latencies(s), Void: s.Void,
	}
	if secs > 0 {
		t.Asked, t.Planned = st.asked/secs, float64(s.Counts.Planned)/secs
	}
	if s.SendLag.Count() > 0 {
		t.SendLagP99 = ptr(float64(s.SendLag.Quantile(0.99)) / 1e9)
	}
	if s.Counts.Planned > 0 {
		t.BadShare = map[string]float64{}
		for _, cl := range c.cfg.SLO.Clauses {
			t.BadShare[cl.String()] = cl.Share(s.Counts)
		}
		if s.Void == "" && secs > 0 {
			c.points = append(c.points, c.point(s, t))
		}
	}
	return t
}

// point places a trial on the curves of latency and goodput.
func (c *campaign) point(s *loadgen.Segment, t Trial) Point {
	p := Point{Phase: t.Phase, OfferedPerSecond: t.Planned, GoodputPerSecond: float64(c.good(s.Counts)) / t.Seconds}
	if h := &s.Latency[outcome.Full]; h.Count() > 0 {
		p.P50Seconds = ptr(float64(h.Quantile(0.5)) / 1e9)
		p.P99Seconds = ptr(float64(h.Quantile(0.99)) / 1e9)
	}
	return p
}

// good counts the requests answered rightly and within the SLO's most generous
// latency: the goodput. Where degraded answers have a budget of their own they
// are as good as full ones.
func (c *campaign) good(n outcome.Counts) uint64 {
	return good(c.cfg, n)
}

func good(cfg Config, n outcome.Counts) uint64 {
	g := n.By[outcome.Full]
	last := len(cfg.SLO.Thresholds()) - 1
	if last >= 0 {
		g -= min(g, n.LateFull[last])
	}
	if cfg.relaxed() {
		d := n.By[outcome.Degraded]
		if last >= 0 {
			d -= min(d, n.LateDegraded[last])
		}
		g += d
	}
	return g
}

func account(n outcome.Counts, causes map[string]uint64) Account {
	a := Account{
		Planned: n.Planned, Full: n.By[outcome.Full], Degraded: n.By[outcome.Degraded],
		Shed: n.By[outcome.Shed], Failed: n.By[outcome.Failed], TimedOut: n.By[outcome.TimedOut],
		InFlight: n.By[outcome.InFlight], NeverSent: n.By[outcome.NeverSent],
	}
	if len(causes) > 0 {
		a.Causes = causes
	}
	return a
}

func latencies(s *loadgen.Segment) map[string]Quantiles {
	var m map[string]Quantiles
	for class := range outcome.NumClasses {
		h := &s.Latency[class]
		if h.Count() == 0 {
			continue
		}
		if m == nil {
			m = map[string]Quantiles{}
		}
		m[class.String()] = quantiles(h)
	}
	return m
}

func quantiles(h *hist.Hist) Quantiles {
	at := func(q float64) float64 { return float64(h.Quantile(q)) / 1e9 }
	return Quantiles{P50: at(0.5), P90: at(0.9), P99: at(0.99), P999: at(0.999), Max: float64(h.Max()) / 1e9}
}

func ptr[T any](v T) *T { return &v }
