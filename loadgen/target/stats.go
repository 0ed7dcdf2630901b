package target

import "time"

// Stats is what the service knows of itself. Every request received is in
// exactly one of ServedFull, ServedDegraded, ServedDead, RefusedQueueFull,
// RefusedRateLimit, Dropped and Pending.
type Stats struct {
	UptimeSeconds float64 `json:"uptime_seconds"`
	// Received counts requests whose head was read.
	Received uint64 `json:"received"`
	// ServedFull and ServedDegraded count answers to clients that waited.
	ServedFull     uint64 `json:"served_full"`
	ServedDegraded uint64 `json:"served_degraded"`
	// ServedDead counts requests served to the end for clients that had left.
	ServedDead       uint64 `json:"served_dead"`
	RefusedQueueFull uint64 `json:"refused_queue_full"`
	RefusedRateLimit uint64 `json:"refused_rate_limit"`
	// Dropped counts requests given up when their turn came.
	Dropped uint64 `json:"dropped"`
	// Pending counts requests that wait or are being served, Waiting those that
	// hold a queue position.
	Pending uint64 `json:"pending"`
	Waiting uint64 `json:"waiting"`
	// Abandoned counts clients that left before their answer was ready, whatever
	// became of the request. AbandonedWaiting counts those of them that are known
	// to have left before their service began: known once its turn came.
	Abandoned        uint64 `json:"abandoned"`
	AbandonedWaiting uint64 `json:"abandoned_waiting"`
	// RawRate is the service rate of all workers together by the settings.
	RawRate float64 `json:"raw_rate_per_second"`
	// SaturatedSeconds is how long all workers were busy at once, and
	// SaturatedRate the requests completed meanwhile, per second of it: what
	// RawRate came to. It is absent while SaturatedSeconds is 0.
	SaturatedSeconds float64  `json:"saturated_seconds"`
	SaturatedRate    *float64 `json:"saturated_rate_per_second,omitempty"`
	// LagP50Seconds, LagP99Seconds and LagMaxSeconds say how much later than
	// planned completions were answered; absent before the first.
	LagP50Seconds *float64 `json:"completion_lag_p50_seconds,omitempty"`
	LagP99Seconds *float64 `json:"completion_lag_p99_seconds,omitempty"`
	LagMaxSeconds *float64 `json:"completion_lag_max_seconds,omitempty"`
}

// tally counts what happened to requests.
type tally struct {
	received, full, degraded, dead uint64
	queueFull, rateLimit, dropped  uint64
	left, leftWaiting              uint64
}

func (t *tally) count(a Answer, gone bool) {
	switch {
	case a.Kind == Shed && a.limited:
		t.rateLimit++
	case a.Kind == Shed:
		t.queueFull++
	case a.Kind == Dropped:
		t.dropped++
	case gone:
		t.dead++
	case a.Kind == Degraded:
		t.degraded++
	default:
		t.full++
	}
}

// Stats returns the counts up to now.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.now()
	s.st.advance(now)
	s.flush(now)
	full, completed := s.st.saturated()
	t := &s.tally
	out := Stats{
		UptimeSeconds: time.Duration(now).Seconds(),
		Received:      t.received, ServedFull: t.full, ServedDegraded: t.degraded, ServedDead: t.dead,
		RefusedQueueFull: t.queueFull, RefusedRateLimit: t.rateLimit, Dropped: t.dropped,
		Pending: uint64(s.st.pending()), Waiting: uint64(s.st.waiting.n),
		Abandoned: t.left, AbandonedWaiting: t.leftWaiting,
		RawRate: s.cfg.RawRate(), SaturatedSeconds: full.Seconds(),
	}
	if full > 0 {
		rate := float64(completed) / full.Seconds()
		out.SaturatedRate = &rate
	}
	if s.lag.Count() > 0 {
		at := func(q float64) *float64 {
			x := time.Duration(s.lag.Quantile(q)).Seconds()
			return &x
		}
		out.LagP50Seconds, out.LagP99Seconds, out.LagMaxSeconds = at(0.5), at(0.99), at(1)
	}
	return out
}
