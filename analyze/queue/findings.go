package queue

import (
	"fmt"
	"math"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// thresholds of the findings.
const (
	wayBeyond     = 4     // times the break point from which a queue is an error
	refusedAtPeak = 0.001 // share of requests a queue may refuse at the peak
	manyPool      = 2     // times the advised pool from which it is too large
)

// findings judges today's values.
func (m *model) findings(t *Today) []finding.Finding {
	out := []finding.Finding{}
	for _, f := range []*finding.Finding{
		m.judgeQueue(t), m.judgeRefusals(t), m.judgeBacklog(), m.judgeCut(), m.judgePause(),
		m.judgeWorkers(), m.judgePool(), m.judgePoolTooSmall(), m.judgeNoBudget(), m.judgeBudget(),
	} {
		if f != nil {
			out = append(out, *f)
		}
	}
	return out
}

// found makes a finding about an object.
func found(r finding.Rule, s finding.Severity, object, remediation string, evidence []finding.Evidence, message string, args ...any) *finding.Finding {
	f := r.Found(finding.Location{Object: object}, "", fmt.Sprintf(message, args...))
	f.Severity, f.Remediation, f.Evidence = s, remediation, evidence
	return &f
}

func (m *model) evidence() []finding.Evidence {
	return []finding.Evidence{
		{Name: "capacity", Value: units.Rate(m.Capacity.Estimate)},
		{Name: "timeout", Value: units.Duration(m.Timeout)},
		{Name: "break point", Value: plural(m.breakPoint(), "request", "requests") + " in the system"},
	}
}

const requestQueue = "request queue"

// setQueue is the change of the request queue in words.
func (m *model) setQueue() string {
	s := "set the request queue to " + plural(int64(m.set.Positions), "waiting position", "waiting positions")
	if m.advice.WorkersToSubtract {
		s += " less the worker threads"
	}
	return s
}

// judgeQueue compares the queue with the break point.
func (m *model) judgeQueue(t *Today) *finding.Finding {
	if m.Queue == nil || *m.Queue == (Length{}) {
		return nil
	}
	if m.Queue.Unbounded {
		return found(unbounded, unbounded.Severity, requestQueue, m.setQueue(), m.evidence(),
			"the request queue has no limit; %s of use", plural(m.breakPoint(), "request is", "requests are"))
	}
	times := *t.TimesUseful
	inSystem := int64(m.inSystem(*m.Queue))
	switch {
	case inSystem > m.breakPoint():
		severity := finding.Warning
		if times > wayBeyond {
			severity = finding.Error
		}
		if times <= 1 {
			return found(beyondUse, severity, requestQueue, m.setQueue(), m.evidence(),
				"the request queue of %s and the %s are over the useful %s", units.Count(m.Queue.Positions),
				plural(m.running(), "request that runs", "requests that run"), units.Count(m.breakPoint()))
		}
		return found(beyondUse, severity, requestQueue, m.setQueue(), m.evidence(),
			"the request queue of %s is %s times the useful %s: a full one takes %s to drain, %s times the clients' timeout",
			units.Count(m.Queue.Positions), tenth(times), units.Count(m.breakPoint()), units.Seconds(*t.QueueWait),
			tenth(*t.QueueWait/m.Timeout.Seconds()))
	case m.tooLong():
		why := "chance alone makes part of a full queue late"
		if m.hedged {
			why = "a full one makes clients send every request twice"
		}
		return found(beyondUse, finding.Note, requestQueue, m.setQueue(), m.evidence(),
			"the request queue of %s is over the safe %s: %s", units.Count(m.Queue.Positions), units.Count(int64(m.set.Positions)), why)
	}
	return nil
}

// tenth writes a factor with one decimal, as people say it.
func tenth(v float64) string {
	if v >= 1000 {
		return units.Number(v)
	}
	return units.Number(math.Round(v*10) / 10)
}

// judgeRefusals looks at what the queue refuses at the peak.
func (m *model) judgeRefusals(t *Today) *finding.Finding {
	if t == nil || t.Refused == nil || m.Queue.Unbounded || *t.Refused <= refusedAtPeak ||
		m.Peak >= m.Capacity.Estimate || m.Queue.Positions >= int64(m.set.Positions) {
		return nil
	}
	return found(tooSmall, tooSmall.Severity, requestQueue, m.setQueue(),
		append(m.evidence(), finding.Evidence{Name: "peak", Value: units.Rate(m.Peak)}),
		"the request queue of %s refuses %s of the requests at the peak of %s",
		units.Count(m.Queue.Positions), units.Share(*t.Refused), units.Rate(m.Peak))
}

const acceptQueue = "accept queue"

// judgeBacklog counts the accept queue together with the request queue.
func (m *model) judgeBacklog() *finding.Finding {
	accept, ok := m.acceptQueue()
	if !ok {
		return nil
	}
	queue := Length{Positions: int64(m.set.Positions)}
	if m.Queue != nil {
		queue = *m.Queue
	}
	room := max(m.breakPoint()-int64(m.inSystem(queue)), m.advice.AcceptQueue)
	if accept <= room {
		return nil
	}
	mu := m.Capacity.Estimate
	message := fmt.Sprintf("%s more connections in the kernel wait up to %s before they are accepted",
		units.Count(accept), units.Seconds(float64(accept)/mu))
	if m.Queue != nil && !m.Queue.Unbounded {
		message += fmt.Sprintf("; with the request queue the wait adds up to %s", units.Seconds((float64(accept)+float64(m.Queue.Positions))/mu))
	}
	return found(backlogBeyondUse, backlogBeyondUse.Severity, acceptQueue,
		fmt.Sprintf("set the accept queue to %s", units.Count(m.advice.AcceptQueue)), m.evidence(), "%s", message)
}

// judgeCut looks for a backlog that the kernel cuts.
func (m *model) judgeCut() *finding.Finding {
	if m.AcceptQueue == nil || m.Somaxconn == nil || *m.AcceptQueue <= *m.Somaxconn {
		return nil
	}
	f := found(backlogBeyondUse, backlogBeyondUse.Severity, acceptQueue,
		fmt.Sprintf("set the accept queue to %s, and net.core.somaxconn to no less", units.Count(m.advice.AcceptQueue)), nil,
		"the accept queue of %s is cut to net.core.somaxconn = %s without a word", units.Count(*m.AcceptQueue), units.Count(*m.Somaxconn))
	f.Fingerprint = finding.Fingerprint(f.Rule, f.Location, "somaxconn")
	return f
}

// judgePause asks whether the accept queue holds what arrives during a pause,
// at worst a connection a request.
func (m *model) judgePause() *finding.Finding {
	accept, ok := m.acceptQueue()
	if !ok || m.AcceptPause == 0 {
		return nil
	}
	rate := m.Peak
	if rate == 0 {
		rate = m.Capacity.Estimate
	}
	need := math.Ceil(rate * m.AcceptPause.Seconds())
	if float64(accept) >= need || accept >= m.advice.AcceptQueue {
		return nil
	}
	fix := fmt.Sprintf("set the accept queue to %s", units.Count(m.advice.AcceptQueue))
	if need > float64(m.advice.AcceptQueue) {
		fix += "; more than that would be late after the pause, so shorten the pause or let clients keep their connections"
	}
	return found(backlogTiny, backlogTiny.Severity, acceptQueue, fix,
		[]finding.Evidence{{Name: "accept pause", Value: units.Duration(m.AcceptPause)}, {Name: "connections/s at worst", Value: units.Rate(rate)}},
		"the accept queue of %s overflows in a pause of %s, when up to %s connections arrive",
		units.Count(accept), units.Duration(m.AcceptPause), units.Number(need))
}

// judgeWorkers compares the workers with Little's law.
func (m *model) judgeWorkers() *finding.Finding {
	w := m.advice.Workers
	if w == nil && int64(m.Workers) > max(m.breakPoint(), 1) {
		most := max(int64(m.set.Safe), 1)
		return found(workersVsLittle, workersVsLittle.Severity, "workers",
			fmt.Sprintf("set at most %s; --service-time tells how many are of use", plural(most, "worker", "workers")), m.evidence(),
			"%s workers hold more than the %s in time: those that are not busy are a queue in which nothing can be refused",
			units.Count(m.Workers), plural(m.breakPoint(), "request that is answered", "requests that are answered"))
	}
	if w == nil || m.Workers == 0 {
		return nil
	}
	fix := fmt.Sprintf("set %s workers, at most %s", units.Count(w.Set), units.Count(w.Most))
	evidence := append(m.evidence(), finding.Evidence{Name: "service time", Value: units.Duration(m.ServiceTime)})
	if m.Workers > w.Most {
		return found(workersVsLittle, workersVsLittle.Severity, "workers", fix, evidence,
			"%s workers where capacity keeps %s busy: the other %s are a second queue in front of what really limits the server",
			units.Count(m.Workers), units.Number(w.BusyAtCapacity), units.Number(float64(m.Workers)-w.BusyAtCapacity))
	}
	if w.BusyAtPeak != nil && float64(m.Workers) < *w.BusyAtPeak {
		return found(workersVsLittle, finding.Error, "workers", fix, evidence,
			"%s workers where the peak of %s keeps %s busy", units.Count(m.Workers), units.Rate(m.Peak), units.Number(*w.BusyAtPeak))
	}
	return nil
}

const pools = "connection pools"

// judgePool compares what the server sees of all pools with what is of use.
func (m *model) judgePool() *finding.Finding {
	p := m.advice.Pool
	if p == nil || m.Pool <= manyPool*p.Max {
		return nil
	}
	return found(poolSum, poolSum.Severity, pools,
		fmt.Sprintf("set at most %s and at least %s connections per client", units.Count(p.Max), units.Count(p.Min)), m.evidence(),
		"%s clients × %s connections = %s at the server, where %s are enough",
		units.Count(m.Clients), units.Count(m.Pool), units.Count(satMul(m.Clients, m.Pool)), units.Count(p.Total))
}

// judgePoolTooSmall asks whether the pools can keep the workers busy.
func (m *model) judgePoolTooSmall() *finding.Finding {
	p, s := m.advice.Pool, m.serviceTime()
	if p == nil || m.Pool == 0 || s == 0 {
		return nil
	}
	total, busy := satMul(m.Clients, m.Pool), m.Capacity.Estimate*s
	if float64(total) >= busy {
		return nil
	}
	return found(poolTooSmall, poolTooSmall.Severity, pools,
		fmt.Sprintf("set up to %s connections per client", units.Count(p.Max)), m.evidence(),
		"all pools together hold %s connections, fewer than the %s requests that capacity keeps running: the rest waits in the clients",
		units.Count(total), units.Number(busy))
}

const retryBudget = "retry budget"

// judgeNoBudget objects to retries without a budget.
func (m *model) judgeNoBudget() *finding.Finding {
	if m.Retries == nil || *m.Retries == 0 || m.RetryBudget != nil {
		return nil
	}
	severity, hidden := noBudget.Severity, m.advice.Retry.HiddenCapacity
	message := fmt.Sprintf("%d retries without a budget multiply the load by up to %d when the server is slow; it recovers by itself only below %s",
		*m.Retries, 1+*m.Retries, units.Rate(*hidden))
	if m.Peak > *hidden {
		severity = finding.Error
		message += fmt.Sprintf(", and the peak is %s", units.Rate(m.Peak))
	}
	return found(noBudget, severity, retryBudget, m.setBudget(), m.evidence(), "%s", message)
}

func (m *model) setBudget() string {
	if r := m.advice.Retry; r.Budget != nil && *r.Budget > 0 {
		return fmt.Sprintf("set a retry budget of at most %s, kept per destination", units.Share(*r.Budget))
	} else if r.Budget != nil {
		return "send no retries to this server: its peak leaves no headroom"
	}
	return "set a retry budget of 10%, kept per destination; the peak would tell how much fits"
}

// judgeBudget compares what the budget allows this server with its headroom.
func (m *model) judgeBudget() *finding.Finding {
	if m.RetryBudget == nil || m.Peak == 0 {
		return nil
	}
	b, n := *m.RetryBudget, m.BudgetOver
	load := m.Peak * (1 + m.budget())
	fits := load <= m.sustained()*(1+1e-9)
	switch {
	case n > 1 && b > 0:
		severity := budgetShared.Severity
		if !fits {
			severity = finding.Error
		}
		return found(budgetShared, severity, retryBudget, m.setBudget(), m.evidence(),
			"a retry budget of %s over %s destinations may be spent on one of them: up to %s more load, %s on top of the peak of %s, where the capacity is %s",
			units.Share(b), units.Count(n), units.Share(m.budget()), units.Rate(load-m.Peak), units.Rate(m.Peak), units.Rate(m.sustained()))
	case !fits:
		return found(budgetOverHeadroom, budgetOverHeadroom.Severity, retryBudget, m.setBudget(), m.evidence(),
			"a retry budget of %s lifts the peak of %s to %s, over the capacity of %s",
			units.Share(b), units.Rate(m.Peak), units.Rate(load), units.Rate(m.sustained()))
	}
	return nil
}
