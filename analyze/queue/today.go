package queue

import (
	"math"

	"example.com/kneeline/queuecalc"
)

// overload is the load past capacity at which queues are compared.
const overload = queuecalc.SafeLoad

// today says what the values given as today's do; nil where none were given.
func (m *model) today() (*Today, error) {
	accept, known := m.acceptQueue()
	if m.Queue == nil && !known && m.Pool == 0 {
		return nil, nil
	}
	t := &Today{}
	mu := m.Capacity.Estimate
	if known {
		wait := float64(accept) / mu
		t.AcceptQueue, t.AcceptWait = &accept, &wait
	}
	if m.Pool > 0 {
		total := satMul(m.Pool, m.Clients)
		t.Connections = &total
	}
	if m.Queue == nil {
		return t, nil
	}
	if !m.Queue.Unbounded {
		if err := m.bounded(t, accept); err != nil {
			return nil, err
		}
	}
	if err := m.orders(t); err != nil {
		return nil, err
	}
	return t, m.refused(t)
}

// bounded fills in what only a queue with a limit has.
func (m *model) bounded(t *Today, accept int64) error {
	q, mu := float64(m.Queue.Positions), m.Capacity.Estimate
	times := q / (mu * m.Timeout.Seconds())
	t.TimesUseful = &times
	dead := min(max(m.Queue.Positions+int64(m.workers)-m.breakPoint(), 0), m.Queue.Positions)
	t.Dead = &dead
	if q > 0 {
		share := float64(dead) / q
		t.DeadShare = &share
	}
	drain, err := queuecalc.DrainTime(q, mu, 0)
	if err != nil {
		return err
	}
	total := drain.Seconds + float64(accept)/mu
	t.QueueWait, t.TotalWait = &drain.Seconds, &total
	if m.BytesPerRequest > 0 {
		pinned, advised := satMul(m.Queue.Positions, m.BytesPerRequest), satMul(int64(m.set.Positions), m.BytesPerRequest)
		t.Memory, t.MemoryAdvised = &pinned, &advised
	}
	fill := q / ((overload - 1) * mu)
	t.FillSeconds = &fill
	return m.recovery(t, q+float64(accept)+float64(m.workers))
}

// recovery fills in what follows a burst that left a backlog while the peak goes
// on: every late answer is retried as often as clients do that.
func (m *model) recovery(t *Today, backlog float64) error {
	if m.Peak == 0 {
		return nil
	}
	excess := max(backlog-m.Capacity.Estimate*m.Timeout.Seconds(), 0)
	d, err := queuecalc.DrainTime(excess, m.Capacity.Estimate, m.Peak*(1+m.retryShare()))
	if err != nil {
		return err
	}
	t.Recovers = &d.Ends
	if d.Ends {
		t.RecoverySeconds = &d.Seconds
	}
	return nil
}

// retryShare is how many retries follow each request that is late, as far as is
// known.
func (m *model) retryShare() float64 {
	if m.Retries == nil {
		return 0
	}
	r := float64(*m.Retries)
	if m.RetryBudget != nil {
		r = min(r, m.budget())
	}
	return r
}

// budget is the share of its requests that may be sent again to this server: a
// budget over several destinations can be spent on one of them.
func (m *model) budget() float64 {
	return *m.RetryBudget * float64(max(m.BudgetOver, 1))
}

// maxLIFO bounds capacity × timeout for the goodput of LIFO, whose sum is long.
const maxLIFO = 1e6

// orders compares orders of service for today's queue.
func (m *model) orders(t *Today) error {
	s := m.station(*m.Queue, overload)
	for _, o := range []struct {
		name string
		fate func(queuecalc.Station) (queuecalc.Fates, error)
	}{
		{"first come, first served", queuecalc.GoodputFIFO},
		{"expired requests dropped unserved", queuecalc.GoodputDropExpired},
		{"newest first", queuecalc.GoodputLIFO},
	} {
		if o.name == "newest first" && s.Capacity()*s.Deadline > maxLIFO {
			continue
		}
		f, err := o.fate(s)
		if err != nil {
			return err
		}
		t.Orders = append(t.Orders, Order{Name: o.name, Load: overload, Goodput: f.Good / m.Capacity.Estimate})
	}
	return nil
}

// refused fills in what today's queue refuses at the peak.
func (m *model) refused(t *Today) error {
	if m.Peak == 0 || m.workers == 0 || m.Queue.Unbounded {
		return nil
	}
	share, err := m.refusedAtPeak(*m.Queue)
	t.Refused = &share
	return err
}

// refusedAtPeak is the share of requests that a queue refuses at the peak.
func (m *model) refusedAtPeak(q Length) (float64, error) {
	s := m.station(q, m.Peak/m.Capacity.Estimate)
	got, err := queuecalc.MMcK(s.Arrivals, s.ServiceRate, s.Workers, s.Bound)
	return got.Refused, err
}

// satMul multiplies counts of at least 0, up to the largest that there is.
func satMul(a, b int64) int64 {
	if b != 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}
