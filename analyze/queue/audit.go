package queue

import (
	"fmt"
	"math"
	"time"

	"example.com/kneeline/analyze/queue/server"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// Audit answers what to set, and what today's values do. Errors are those of
// inputs that make no sense.
func Audit(c Config) (Result, error) {
	m, err := newModel(c)
	if err != nil {
		return Result{}, err
	}
	r := Result{Schema: Schema, Input: m.input(), Findings: []finding.Finding{}, Missing: m.missing(), Warnings: []string{}}
	if r.Advice, err = m.advise(); err != nil {
		return Result{}, err
	}
	m.advice = r.Advice
	if r.Today, err = m.today(); err != nil {
		return Result{}, err
	}
	if r.Curves, err = m.curves(); err != nil {
		return Result{}, err
	}
	if r.Goodput, err = m.rows(); err != nil {
		return Result{}, err
	}
	if c.WhatIf != nil {
		if r.Sweep, err = c.WhatIf.sweep(c); err != nil {
			return Result{}, err
		}
	}
	r.Findings = finding.Ordered(m.findings(r.Today))
	r.Verdict = m.verdict(r)
	r.Warnings = append(r.Warnings, m.warnings(r)...)
	if c.Explain {
		r.Formulas = m.formulas(r)
	}
	if c.Server != "" {
		s, err := server.Write(c.Server, m.values())
		if err != nil {
			return Result{}, err
		}
		r.Server = &s
	}
	return r, nil
}

// model is a checked configuration with what follows from it at once.
type model struct {
	Config
	// workers are the requests that run at once: given, or by Little's law;
	// derived says which, and 0 that neither is known.
	workers int
	derived bool
	// hedged says that clients send a second attempt before they give up.
	hedged bool
	// useful is at the estimate and for the timeout, set for the low end of the
	// capacity and the deadline: the one to set.
	useful queuecalc.UsefulQueue
	set    queuecalc.Sizes
	// setHigh is set at the high end of the capacity.
	setHigh queuecalc.Sizes
	advice  Advice
}

func newModel(c Config) (*model, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	m := &model{Config: c, workers: c.Workers}
	if m.workers == 0 && c.ServiceTime > 0 {
		busy := math.Ceil(c.Capacity.Estimate * c.ServiceTime.Seconds() * (1 - 1e-9))
		if busy > maxWorkers {
			return nil, tooManyWorkers(busy)
		}
		m.workers, m.derived = int(max(busy, 1)), true
	}
	m.hedged = c.HedgeAfter > 0 && c.HedgeAfter < c.Timeout
	in := queuecalc.UsefulInput{
		Capacity: c.Capacity, ClientTimeout: c.Timeout, Workers: m.workers, ServiceTime: c.ServiceTime, ServiceP99: c.ServiceP99,
	}
	var err error
	if m.useful, err = queuecalc.Useful(in); err != nil {
		return nil, err
	}
	set := m.useful
	if m.hedged {
		in.ClientTimeout = c.HedgeAfter
		if set, err = queuecalc.Useful(in); err != nil {
			return nil, err
		}
	}
	m.set, m.setHigh = set.Low, set.High
	return m, nil
}

// deadline is how long a wait is useful: until clients give up, or until they
// send the same again.
func (m *model) deadline() time.Duration {
	if m.hedged {
		return m.HedgeAfter
	}
	return m.Timeout
}

// lowCapacity is the low end of the capacity, the estimate where it has none.
func (m *model) lowCapacity() float64 {
	if m.Capacity.Low > 0 {
		return m.Capacity.Low
	}
	return m.Capacity.Estimate
}

// sustained is the rate to which arrivals are to be held.
func (m *model) sustained() float64 {
	switch s := m.Sustained; {
	case s.Low > 0:
		return min(s.Low, m.lowCapacity())
	case s.Estimate > 0:
		return min(s.Estimate, m.lowCapacity())
	}
	return m.lowCapacity()
}

// breakPoint is the requests that the server finishes within one timeout.
func (m *model) breakPoint() int64 { return int64(m.useful.Sizes.InSystem) }

// running is how many requests are taken to run: those of one unknown worker
// count as one.
func (m *model) running() int64 { return int64(max(m.workers, 1)) }

// goodput returns the goodput of a queue as a share of the capacity.
func (m *model) goodput(q Length, load float64) (float64, error) {
	return m.useful.GoodputInSystem(m.inSystem(q), load)
}

// inSystem is the bound on the requests in the system that a queue makes.
func (m *model) inSystem(q Length) queuecalc.InSystem {
	if q.Unbounded {
		return queuecalc.Unbounded
	}
	return queuecalc.Positions(q.Positions).InSystem(int(m.running()))
}

// station is the server with a queue under a load in multiples of the capacity.
func (m *model) station(q Length, load float64) queuecalc.Station {
	return m.useful.Station(m.inSystem(q), load)
}

// acceptQueue is today's accept queue after the kernel's cut, and whether it is
// known.
func (m *model) acceptQueue() (int64, bool) {
	if m.AcceptQueue == nil {
		return 0, false
	}
	if m.Somaxconn != nil {
		return min(*m.AcceptQueue, *m.Somaxconn), true
	}
	return *m.AcceptQueue, true
}

// warnings says what limits the answer.
func (m *model) warnings(r Result) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if m.HedgeAfter > 0 && !m.hedged {
		say("A hedge after %s never fires, since clients give up after %s; it was left out.",
			units.Duration(m.HedgeAfter), units.Duration(m.Timeout))
	}
	if m.Peak >= m.sustained() {
		say("The peak of %s is not below the capacity of %s: no queue helps against that, only more capacity or fewer requests.",
			units.Rate(m.Peak), units.Rate(m.sustained()))
	}
	if m.set.ByGoodput {
		say("The safe value comes from the exact sums: three standard deviations of margin would cost over %s of the capacity at %s × capacity. That rule suits many requests within a timeout, each short against it.",
			units.Share(queuecalc.SafeLoss), units.Number(overload))
	}
	if m.ServiceP99 >= m.Timeout {
		say("One request in a hundred takes %s for its own service, longer than the timeout of %s: it is late without any queue.",
			units.Duration(m.ServiceP99), units.Duration(m.Timeout))
	}
	if m.derived {
		say("%s by Little's law, capacity × service time. If more are configured, give --workers: the excess takes the place of waiting positions.", plural(m.workers, "worker", "workers"))
	}
	if m.workers == 0 && m.ServiceP99 == 0 {
		say("Goodput is computed for one fast worker, since neither workers nor service time are known.")
	}
	if a := m.AcceptQueue; a != nil && m.Somaxconn == nil && *a > defaultSomaxconn {
		say("Linux cuts the accept queue to net.core.somaxconn, 4,096 unless raised (128 before Linux 5.4); %s was taken as it is. Give --somaxconn.", units.Count(*a))
	}
	if g, err := m.goodput(Length{Positions: int64(justPast(m.useful).Positions(int(m.running())))}, overload); err == nil && m.Capacity.Estimate*m.Timeout.Seconds() >= 100 {
		say("Close past the break point is not a compromise: 4%% past it, as LinkedIn's 500 for a useful 480, goodput at 1.1 × capacity is %s of capacity.", percent(g))
	}
	if m.Capacity.High == 0 {
		say("The capacity has no interval. Set the value for the lowest capacity that the server has on a bad day.")
	}
	say("Goodput is the steady state of M/M/c/K: Poisson arrivals, exponential service, first come first served, work for clients that left not cancelled. Steadier service keeps more of it, burstier traffic less.")
	return out
}

// defaultSomaxconn is the default of net.core.somaxconn since Linux 5.4.
const defaultSomaxconn = 4096
