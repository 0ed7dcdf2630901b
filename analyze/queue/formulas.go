package queue

import (
	"fmt"
	"math"

	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// Formula is how one figure comes about.
type Formula struct {
	Figure  string `json:"figure"`
	Formula string `json:"formula"`
	// Numbers is the formula with the numbers put in, and its result.
	Numbers string `json:"numbers"`
	Source  string `json:"source"`
}

const (
	little   = "Little (1961)"
	followed = "LinkedIn on FollowFeed (2018)"
)

// formulas explains every figure of the answer, in the order of the report.
func (m *model) formulas(r Result) []Formula {
	var out []Formula
	add := func(figure, formula, source, numbers string, args ...any) {
		out = append(out, Formula{figure, formula, fmt.Sprintf(numbers, args...), source})
	}
	a, mu := r.Advice, m.Capacity.Estimate
	rate, wait := units.Rate(mu), units.Duration(m.Timeout)
	x := mu * m.Timeout.Seconds()
	add("break point", "K = μT", little+"; "+followed, "%s × %s = %s requests in the system", rate, wait, units.Count(a.BreakPoint))
	m.safeFormula(a, add)
	m.positionsFormula(a, add)
	add("accept queue", "break point − safe value, at most somaxconn", "listen(2); the sum of all queues stays at the break point",
		"%s − %s = %s", units.Count(int64(m.set.InSystem)), units.Count(int64(m.set.Safe)), units.Count(a.AcceptQueue))
	if w := a.Workers; w != nil {
		add("workers", "busy = μS; set μS × 1.2", little, "%s × %s = %s busy, set %s", rate, units.Duration(m.ServiceTime),
			units.Number(w.BusyAtCapacity), units.Count(w.Set))
	}
	if p := a.Pool; p != nil {
		mean := x / float64(m.Clients)
		add("connections per client", "a + 3√a, a = μT / clients", little, "a = %s / %s = %s; %s each, %s in all",
			units.Number(x), units.Count(m.Clients), units.Number(mean), units.Count(p.Max), units.Count(p.Total))
	}
	add("rate limit", "low end of capacity; burst = queue", followed, "%s, burst %s", units.Rate(a.RateLimit.Rate), units.Count(a.RateLimit.Burst))
	m.retryFormulas(a, add)
	m.todayFormulas(r, add)
	add("goodput", "λ [ Σ_{n<c} π_n (1 − e^−μT) + Σ_{n=c..K−1} π_n P(E_{n−c+1} + S ≤ T) ] / cμ",
		"M/M/c/K with a deadline; see docs/methods/queue-audit.md",
		"c = %d, cμ = %s, T = %s; π_n by birth and death, E_j the time of j departures", m.running(), rate, wait)
	return out
}

// safeFormula explains the safe value at the estimate of the capacity.
func (m *model) safeFormula(a Advice, add addFormula) {
	x := m.Capacity.Estimate * m.Timeout.Seconds()
	rule := fmt.Sprintf("%s − %d × √%s = %s", units.Number(x), queuecalc.DefaultZ, units.Number(x),
		units.Number(math.Floor(x-queuecalc.DefaultZ*math.Sqrt(x))))
	if m.useful.ByGoodput {
		add("safe value", "the length next to μT − z√(μT) that loses no more goodput", "exact sums of M/M/c/K; see docs/methods/queueing.md",
			"%s loses over %s of the capacity at %s ×, %s does not", rule, units.Share(queuecalc.SafeLoss), units.Number(queuecalc.SafeLoad), units.Count(a.Safe))
		return
	}
	add("safe value", "μT − z√(μT)", "Poisson count of departures, normal approximation, z = 3", "%s", rule)
}

type addFormula func(figure, formula, source, numbers string, args ...any)

// positionsFormula explains the setting: at the low end of the capacity, for the
// hedge delay, without what runs.
func (m *model) positionsFormula(a Advice, add addFormula) {
	b := a.Basis
	if m.hedged {
		add("break point with a hedge", "K = μ × hedge delay", "Dean and Barroso, The Tail at Scale (2013); "+little,
			"%s × %s = %s, safe %s", units.Rate(b.Capacity), units.Seconds(b.Wait), units.Count(b.BreakPoint), units.Count(b.Safe))
	} else if m.Capacity.High > 0 {
		add("safe value at the low end", "the same with the low end of the capacity", "the interval given",
			"%s × %s = %s, safe %s", units.Rate(b.Capacity), units.Seconds(b.Wait), units.Count(b.BreakPoint), units.Count(b.Safe))
	}
	byTail := b.Capacity * m.ServiceP99.Seconds()
	switch {
	case a.WorkersToSubtract:
		add("queue setting", "safe value − workers", "a queue setting counts waiting requests alone", "%s − workers, which are not known", units.Count(b.Safe))
	case byTail > float64(m.workers):
		add("queue setting", "safe value − μ × p99 of the service time", "a request that waited must still be served",
			"%s − %s × %s = %s", units.Count(b.Safe), units.Rate(b.Capacity), units.Duration(m.ServiceP99), units.Count(a.Positions))
	default:
		add("queue setting", "safe value − workers", "a queue setting counts waiting requests alone",
			"%s − %s = %s", units.Count(b.Safe), units.Count(m.workers), units.Count(a.Positions))
	}
}

func (m *model) retryFormulas(a Advice, add addFormula) {
	if a.Retry == nil {
		return
	}
	low := units.Rate(m.sustained())
	if b := a.Retry.Budget; b != nil {
		add("retry budget", "μ / peak − 1", "Bronson et al., HotOS (2021)", "%s / %s − 1 = %s at most", low, units.Rate(m.Peak), units.Share(*b))
	}
	if h := a.Retry.HiddenCapacity; h != nil {
		add("hidden capacity", "μ / (1 + retries)", "Bronson et al., HotOS (2021)", "%s / %d = %s", low, 1+*m.Retries, units.Rate(*h))
	}
	if u := a.Retry.UsefulAfter; u != nil {
		add("break point of a retry", "μ (T − wait)", little, "%s × %s = %s", units.Rate(m.Capacity.Estimate),
			units.Duration(max(m.Timeout-m.RetryAfter, 0)), units.Count(*u))
	}
}

func (m *model) todayFormulas(r Result, add addFormula) {
	t := r.Today
	if t == nil {
		return
	}
	rate := units.Rate(m.Capacity.Estimate)
	if t.AcceptWait != nil {
		add("wait in the accept queue", "backlog / μ", little, "%s / %s = %s", units.Count(*t.AcceptQueue), rate, units.Seconds(*t.AcceptWait))
	}
	if t.QueueWait != nil {
		add("drain of a full queue", "positions / μ", little, "%s / %s = %s", units.Count(m.Queue.Positions), rate, units.Seconds(*t.QueueWait))
		add("dead on arrival", "positions + workers − μT", little, "%s + %d − %s = %s", units.Count(m.Queue.Positions), m.workers,
			units.Count(r.Advice.BreakPoint), units.Count(*t.Dead))
	}
	if t.Memory != nil {
		add("memory of a full queue", "positions × bytes", "arithmetic", "%s × %s = %s", units.Count(m.Queue.Positions),
			units.Size(m.BytesPerRequest), units.Size(*t.Memory))
	}
	if t.Recovers != nil {
		load := m.Peak * (1 + m.retryShare())
		end := "never, for the load is not below capacity"
		if *t.Recovers {
			end = units.Seconds(*t.RecoverySeconds)
		}
		add("time to recover", "(all queues − μT) / (μ − load)", "fluid limit; Bronson et al., HotOS (2021)",
			"load %s: %s", units.Rate(load), end)
	}
}
