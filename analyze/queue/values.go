package queue

import (
	"math"

	"example.com/kneeline/analyze/queue/server"
)

// values are the advice in the terms of package server.
func (m *model) values() server.Values {
	a := m.advice
	v := server.Values{
		Queue:       a.Positions,
		AcceptQueue: a.AcceptQueue,
		Rate:        int64(max(math.Floor(a.RateLimit.Rate), 1)),
		Burst:       a.RateLimit.Burst,
		Timeout:     m.Timeout,
		QueueWait:   m.maxWait(),
		Workers:     m.workers,
		RunsAtOnce:  m.workers,
	}
	if w := a.Workers; w != nil && m.Config.Workers == 0 {
		v.Workers = w.Set
	}
	v.InSystem = a.Positions + int64(v.RunsAtOnce)
	if a.Pool != nil {
		v.PoolMax, v.PoolMin, v.Clients = a.Pool.Max, a.Pool.Min, m.Clients
	}
	if r := a.Retry; r != nil && r.Budget != nil {
		v.RetryBudget = *r.Budget
	}
	return v
}
