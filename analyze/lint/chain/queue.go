package chain

import (
	"math"
	"time"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/queuecalc"
)

// Useful returns how long a queue in front of one host is of use to callers that wait
// patience seconds, by [queuecalc.Useful]. It reports false where the capacity is not known.
func (s *Service) Useful(patience float64) (queuecalc.UsefulQueue, bool) {
	return s.UsefulShare(1, patience)
}

// UsefulShare is Useful for a queue that is worked off at share times the capacity of one
// host, such as that of a caller in front of its part of all hosts.
func (s *Service) UsefulShare(share, patience float64) (queuecalc.UsefulQueue, bool) {
	if !s.Capacity.Finite() || !(patience > 0) || math.IsInf(patience, 1) {
		return queuecalc.UsefulQueue{}, false
	}
	in := queuecalc.UsefulInput{
		Capacity: queuecalc.Interval{Estimate: s.Capacity.Amount * share}, ClientTimeout: seconds(patience),
		Workers: int(min(amount(s.Threads()), queuecalc.MaxWorkers)), ServiceTime: seconds(amount(s.MeanTime())), ServiceP99: seconds(amount(s.P99)),
	}
	u, err := queuecalc.Useful(in)
	return u, err == nil
}

// MeanTime is the mean time of service, the median where the mean is not given.
func (s *Service) MeanTime() model.Value {
	if s.Mean.Finite() {
		return s.Mean
	}
	return s.P50
}

// Threads is how many requests run at once on a host, as its files set it; absent where
// none does.
func (s *Service) Threads() model.Value {
	for _, p := range s.Parts {
		if v := p.Service.Exec.Threads; v.Finite() && v.Amount > 0 {
			return v
		}
	}
	return model.Value{}
}

// Patience is the shortest wait of any caller of the service, with the hop. It reports
// false where none is known.
func (s *Service) Patience() (Limit, *Hop, bool) {
	var out Limit
	var of *Hop
	for _, h := range s.In {
		if l, ok := h.Patience(); ok && (of == nil || l.Seconds < out.Seconds) {
			out, of = l, h
		}
	}
	return out, of, of != nil
}

func amount(v model.Value) float64 {
	if v.Finite() {
		return max(v.Amount, 0)
	}
	return 0
}

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * float64(time.Second))) }

// CallRate is the highest rate of calls that one host of the caller makes along the hop:
// as the topology gives it, otherwise the caller's own peak times the calls of this hop for
// one of the caller's, where both are given, otherwise from what the callee gets at its
// peak, if this hop is the only one to it. It reports false where none is known. From are
// the values that it rests on.
func (h *Hop) CallRate() (perSecond float64, from []model.Value, ok bool) {
	if h.Rate.Finite() {
		return h.Rate.Amount, []model.Value{h.Rate}, true
	}
	if h.Fan.Finite() && h.From.Peak.Finite() {
		return h.From.Peak.Amount * h.Fan.Amount, []model.Value{h.From.Peak, h.Fan}, true
	}
	peak, to, callers := h.To.Peak, h.To.Replicas, h.From.Replicas
	if len(h.To.In) != 1 || !peak.Finite() || !to.Finite() || !callers.Finite() {
		return 0, nil, false
	}
	return peak.Amount * to.Amount / callers.Amount, []model.Value{peak, to, callers}, true
}
