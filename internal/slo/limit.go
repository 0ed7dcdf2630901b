package slo

import "example.com/kneeline/internal/outcome"

// Limit is what kept a service from meeting its objective at a higher rate, in
// the words of a report. It is finer than a clause's [Kind]: a service that
// sheds and one that is slow can break the same latency clause.
type Limit string

const (
	// LimitNone is the limit of an account without a bad request.
	LimitNone Limit = "none"
	// LimitLatency is late answers and requests that timed out.
	LimitLatency Limit = "latency"
	// LimitErrors is requests that failed.
	LimitErrors Limit = "errors"
	// LimitShed is requests that the service refused.
	LimitShed Limit = "shed"
	// LimitDegraded is degraded answers.
	LimitDegraded Limit = "degraded"
	// LimitGenerator is requests that the load generator did not send.
	LimitGenerator Limit = "generator"
)

// Limit returns what most of the bad requests under the worst clause of c are.
// Between equals the earlier of latency, errors, shed, degraded, generator.
func (s SLO) Limit(c outcome.Counts) Limit {
	_, worst := s.Worst(c)
	if len(s.Clauses) == 0 || worst.Bad(c) == 0 {
		return LimitNone
	}
	if worst.Kind == Degraded {
		return LimitDegraded
	}
	degraded := c.By[outcome.Degraded]
	if worst.relaxed {
		degraded = 0
	}
	limit, most := LimitNone, uint64(0)
	for _, part := range []struct {
		limit Limit
		n     uint64
	}{
		{LimitLatency, worst.late(c) + c.By[outcome.TimedOut]},
		{LimitErrors, c.By[outcome.Failed]},
		{LimitShed, c.By[outcome.Shed]},
		{LimitDegraded, degraded},
		{LimitGenerator, c.By[outcome.NeverSent]},
	} {
		if part.n > most {
			limit, most = part.limit, part.n
		}
	}
	return limit
}
