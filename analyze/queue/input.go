package queue

import "time"

// input says what the answer was computed from.
func (m *model) input() Input {
	in := Input{
		Capacity:    Interval{Estimate: m.Capacity.Estimate},
		Timeout:     m.Timeout.Seconds(),
		ServiceTime: seconds(m.ServiceTime), ServiceP99: seconds(m.ServiceP99),
		WorkersDerived: m.derived,
		HedgeAfter:     seconds(m.HedgeAfter),
		Retries:        m.Retries, RetryAfter: seconds(m.RetryAfter), RetryBudget: m.RetryBudget, BudgetOver: known(m.BudgetOver),
		Peak:            known(m.Peak),
		BytesPerRequest: known(m.BytesPerRequest),
		Clients:         known(m.Clients), Pool: known(m.Pool),
		Workers:     known(m.workers),
		AcceptQueue: m.AcceptQueue, Somaxconn: m.Somaxconn, AcceptPause: seconds(m.AcceptPause),
	}
	if c := m.Capacity; c.High > 0 {
		in.Capacity.Low, in.Capacity.High = &c.Low, &c.High
	}
	if s := m.Sustained; s.Estimate > 0 {
		in.Sustained = &Interval{Estimate: s.Estimate, Low: known(s.Low), High: known(s.High)}
	}
	if q := m.Queue; q != nil {
		in.QueueUnbounded = q.Unbounded
		if !q.Unbounded {
			in.Queue = &q.Positions
		}
	}
	return in
}

// known returns nil for zero, which stands for not known.
func known[T int | int64 | float64](v T) *T {
	if v == 0 {
		return nil
	}
	return &v
}

func seconds(d time.Duration) *float64 { return known(d.Seconds()) }

// missing lists the inputs that were not given and what each would tell.
func (m *model) missing() []Missing {
	out := []Missing{}
	add := func(absent bool, input, use string) {
		if absent {
			out = append(out, Missing{input, use})
		}
	}
	add(m.workers == 0, "workers", "the requests that run, which the queue setting leaves out")
	add(m.ServiceTime == 0, "service-time", "the number of workers by Little's law")
	add(m.ServiceP99 == 0, "service-p99", "how much of the timeout the slowest requests need for their own service")
	add(m.Queue == nil, "queue", "what today's queue costs")
	add(m.AcceptQueue == nil, "accept-queue", "the wait before a connection is accepted")
	add(m.Peak == 0, "peak", "headroom, retry budget, refusals at the peak and the time to recover")
	add(m.BytesPerRequest == 0, "bytes-per-request", "the memory that a full queue pins")
	add(m.Clients == 0, "clients", "connections per client, and what the server sees of all")
	add(m.Retries == nil, "retries", "the load up to which the server recovers by itself")
	add(m.HedgeAfter == 0, "hedge-after", "whether clients ask twice before they give up, which shortens the useful queue")
	return out
}
