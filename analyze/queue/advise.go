package queue

import (
	"math"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

func tooManyWorkers(busy float64) error {
	return fault.Usagef("capacity × service time keeps %s workers busy: expected at most %s; check the unit of the service time",
		units.Number(busy), units.Count(maxWorkers))
}

// utilisation is the share of workers that capacity may keep busy: a sixth
// stays free.
const utilisation = 1 / 1.2

// advise returns what to set.
func (m *model) advise() (Advice, error) {
	u := m.useful
	a := Advice{
		Positions:         int64(m.set.Positions),
		WorkersToSubtract: m.workers == 0 && m.ServiceP99 == 0 && m.set.Positions > 0,
		Basis:             Basis{m.lowCapacity(), m.deadline().Seconds(), int64(m.set.InSystem), int64(m.set.Safe)},
		BreakPoint:        m.breakPoint(),
		Safe:              int64(u.Safe),
		MaxWait:           m.maxWait().Seconds(),
		AcceptQueue:       m.adviseAcceptQueue(),
		RateLimit:         Limit{Rate: math.Floor(m.sustained()), Burst: max(int64(m.set.Positions), 1)},
	}
	if m.sustained() < 1 {
		a.RateLimit.Rate = m.sustained()
	}
	if m.Capacity.High > 0 {
		high := int64(m.setHigh.Positions)
		a.PositionsHigh = &high
	}
	if m.hedged {
		byTimeout := int64(u.Low.Positions)
		a.PositionsByTimeout = &byTimeout
	}
	var err error
	if a.Workers, err = m.adviseWorkers(); err != nil {
		return Advice{}, err
	}
	a.Pool = m.advisePool()
	a.Retry, err = m.adviseRetry()
	return a, err
}

// maxWait is how long a request may wait and still be served in time: what the
// service leaves of the deadline, by its 99th percentile where that is known.
func (m *model) maxWait() time.Duration {
	own := max(m.ServiceP99, time.Duration(m.serviceTime()*float64(time.Second)))
	return max(m.deadline()-own, 0)
}

// adviseAcceptQueue returns the backlog that keeps all queues together at the
// break point: the margin between break point and safe value. It fills only
// while the server does not accept, so it needs no margin of its own.
func (m *model) adviseAcceptQueue() int64 {
	room := max(int64(m.set.InSystem-m.set.Safe), 1)
	if m.Somaxconn != nil {
		room = min(room, max(*m.Somaxconn, 1))
	}
	return room
}

// adviseWorkers applies Little's law; nil where the service time is not known.
func (m *model) adviseWorkers() (*Workers, error) {
	if m.ServiceTime == 0 {
		return nil, nil
	}
	s := m.ServiceTime.Seconds()
	busy, err := queuecalc.LittleInSystem(m.Capacity.Estimate, s)
	if err != nil {
		return nil, err
	}
	w := &Workers{BusyAtCapacity: busy}
	if m.Peak > 0 {
		at := m.Peak * s
		w.BusyAtPeak = &at
	}
	if w.Set, err = queuecalc.WorkersFor(m.Capacity.Estimate, s, utilisation); err != nil {
		return nil, err
	}
	w.Most = max(int(math.Ceil(2*busy)), w.Set)
	return w, nil
}

// advisePool returns connections per client: those that a client's share of
// the requests under way keeps busy when each takes a whole timeout, with three
// standard deviations. Nil where the number of clients is not known.
func (m *model) advisePool() *Pool {
	if m.Clients == 0 {
		return nil
	}
	mean := m.Capacity.Estimate * m.Timeout.Seconds() / float64(m.Clients)
	p := &Pool{Max: int64(math.Ceil(mean + queuecalc.DefaultZ*math.Sqrt(mean))), Min: 1}
	if s := m.serviceTime(); s > 0 && m.Peak > 0 {
		p.Min = max(int64(math.Ceil(m.Peak*s/float64(m.Clients))), 1)
	}
	p.Max = max(p.Max, p.Min)
	p.Total = p.Max * m.Clients
	return p
}

// serviceTime is the mean service time in seconds, or what the workers leave at
// capacity, which is no more than the timeout; 0 when neither is known.
func (m *model) serviceTime() float64 {
	if m.ServiceTime > 0 {
		return m.ServiceTime.Seconds()
	}
	return min(float64(m.workers)/m.Capacity.Estimate, m.Timeout.Seconds())
}

// adviseRetry says what retries may do; nil where nothing is known of them or of
// the peak.
func (m *model) adviseRetry() (*Retry, error) {
	if m.Peak == 0 && m.Retries == nil {
		return nil, nil
	}
	r := &Retry{}
	if m.Peak > 0 {
		headroom := m.sustained()/m.Peak - 1
		r.Headroom = &headroom
		spare, err := queuecalc.HealingBudget(m.sustained(), m.Peak)
		if err != nil {
			return nil, err
		}
		// Whole percents, rounded down: a budget is set by hand.
		budget := units.Floor(spare/m.Peak*100) / 100
		r.Budget = &budget
	}
	if m.Retries != nil {
		hidden, err := queuecalc.HiddenCapacity(m.sustained(), *m.Retries)
		if err != nil {
			return nil, err
		}
		r.HiddenCapacity = &hidden
		if m.RetryAfter > 0 && *m.Retries > 0 {
			left := max(m.Timeout-m.RetryAfter, 0)
			useful := int64(units.Floor(m.Capacity.Estimate * left.Seconds()))
			r.UsefulAfter = &useful
		}
	}
	return r, nil
}
