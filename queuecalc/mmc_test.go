package queuecalc

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSingleWorkerPublished(t *testing.T) {
	m, err := MM1(0.8, 1)
	near(t, "M/M/1 wait", must(t, m, err).Wait, 4, 1e-12)
	near(t, "M/M/1 response, also LIFO and processor sharing", m.Response, 5, 1e-12)
	m, err = MD1(0.8, 1)
	near(t, "M/D/1 wait", must(t, m, err).Wait, 2, 1e-12)
	m, err = MG1(0.8, 1, 4)
	near(t, "M/G/1 wait, CV² 4", must(t, m, err).Wait, 10, 1e-12)
	near(t, "Little", m.InSystem, 0.8*m.Response, 1e-12)
	m, err = MG1(0.8, 1, 1)
	one, err1 := MM1(0.8, 1)
	near(t, "M/G/1 with exponential service", must(t, m, err).Response, must(t, one, err1).Response, 1e-12)
	q, err := MM1ResponseQuantile(0.8, 1, 0.99)
	near(t, "p99", must(t, q, err), 23.03, 2e-4)
	// K = 1 is the loss system of one worker: ρ/(1+ρ) refused.
	m, err = MM1K(2, 1, 1)
	near(t, "M/M/1/1 refused", must(t, m, err).Refused, 2.0/3, 1e-12)
	// At ρ = 1 every state is as likely.
	m, err = MM1K(1, 1, 9)
	near(t, "M/M/1/9 at ρ = 1, refused", must(t, m, err).Refused, 0.1, 1e-12)
	near(t, "M/M/1/9 at ρ = 1, in the system", m.InSystem, 4.5, 1e-12)
}

func TestMMcKIsErlangLoss(t *testing.T) {
	m, err := MMcK(8, 1, 10, 10)
	near(t, "refused", must(t, m, err).Refused, 0.121661, 5e-6)
	if m.Waiting != 0 || m.Delayed != 0 {
		t.Errorf("no positions, yet waiting %v, delayed %v", m.Waiting, m.Delayed)
	}
}

// chain solves M/M/c/K state by state.
func chain(lambda, mu float64, c, k int) (p []float64) {
	p = make([]float64, k+1)
	p[0] = 1
	sum := 1.0
	for n := 1; n <= k; n++ {
		p[n] = p[n-1] * lambda / (mu * float64(min(n, c)))
		sum += p[n]
		if sum > 1e200 {
			for i := range p[:n+1] {
				p[i] /= sum
			}
			sum = 1
		}
	}
	for n := range p {
		p[n] /= sum
	}
	return p
}

func TestMMcKProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(1, 60).Draw(t, "c")
		k := c + rapid.IntRange(0, 400).Draw(t, "positions")
		lambda := float64(c) * math.Exp(rapid.Float64Range(-2, 1.5).Draw(t, "ln ρ"))
		m, err := MMcK(lambda, 1, c, InSystem(k))
		must(t, m, err)
		p := chain(lambda, 1, c, k)
		inside, waiting := 0.0, 0.0
		for n, pn := range p {
			inside += float64(n) * pn
			waiting += max(float64(n-c), 0) * pn
		}
		for what, v := range map[string][2]float64{
			"in the system": {m.InSystem, inside},
			"waiting":       {m.Waiting, waiting},
			"refused":       {m.Refused, p[k]},
			"throughput":    {m.Throughput, lambda * (1 - p[k])},
			"Little":        {m.Throughput * m.Response, inside},
		} {
			if math.Abs(v[0]-v[1]) > 1e-9*v[1]+1e-14 {
				t.Fatalf("%s: got %v, chain %v", what, v[0], v[1])
			}
		}
		if more, _ := MMcK(lambda, 1, c, InSystem(k+1)); more.Refused > m.Refused*(1+1e-12) || more.Waiting < m.Waiting*(1-1e-12) {
			t.Fatalf("one position more refuses %v after %v", more.Refused, m.Refused)
		}
		if more, _ := MMcK(lambda*1.01, 1, c, InSystem(k)); more.Refused < m.Refused*(1-1e-12) {
			t.Fatalf("more load refuses %v after %v", more.Refused, m.Refused)
		}
	})
}

func TestMMcKWithoutBoundIsMMc(t *testing.T) {
	for _, c := range []int{1, 12, 1_000_000} {
		for _, rho := range []float64{0.1, 0.8, 0.99, 0.99999} {
			lambda := rho * float64(c)
			bounded, err := MMcK(lambda, 1, c, Unbounded)
			must(t, bounded, err)
			free, err := MMc(lambda, 1, c)
			must(t, free, err)
			near(t, "delayed", bounded.Delayed, free.Delayed, 1e-9)
			near(t, "waiting", bounded.Waiting, free.Waiting, 1e-9)
			near(t, "response", bounded.Response, free.Response, 1e-9)
		}
	}
}

func TestResponseTail(t *testing.T) {
	// Two workers, where δ = cμ − λ passes through μ at λ = 1.
	for _, lambda := range []float64{0.5, 1 - 1e-9, 1, 1 + 1e-9, 1.5} {
		mean, dt := 0.0, 1e-3
		for x := dt / 2; x < 60; x += dt {
			tail, err := MMcResponseTail(lambda, 1, 2, x)
			mean += must(t, tail, err) * dt
		}
		m, err := MMc(lambda, 1, 2)
		near(t, "mean response as the area under the tail", mean, must(t, m, err).Response, 1e-6)
	}
}

func TestResponseQuantiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(1, 100).Draw(t, "c")
		lambda := float64(c) * rapid.Float64Range(0.01, 0.999).Draw(t, "ρ")
		p := rapid.Float64Range(0.01, 0.9999).Draw(t, "p")
		q, err := MMcResponseQuantile(lambda, 1, c, p)
		must(t, q, err)
		tail, err := MMcResponseTail(lambda, 1, c, q)
		if must(t, tail, err); math.Abs(tail-(1-p)) > 1e-9 {
			t.Fatalf("P(W > %v) = %v, want %v", q, tail, 1-p)
		}
		wait, err := MMcWaitQuantile(lambda, 1, c, p)
		if must(t, wait, err); !(wait >= 0 && wait <= q) {
			t.Fatalf("wait %v, response %v", wait, q)
		}
		if one, _ := MM1ResponseQuantile(lambda/float64(c), 1, p); c == 1 && math.Abs(one-q) > 1e-9*q {
			t.Fatalf("M/M/1: %v, M/M/c with one worker: %v", one, q)
		}
	})
}

func TestHighestRate(t *testing.T) {
	rate, err := HighestRate(100, 12, 0.4, 0.01)
	if must(t, rate, err); math.Round(rate) != 1188 {
		t.Errorf("12 workers × 10 ms, 99 %% within 400 ms: got %v, want 1188", rate)
	}
	rough, err := HeavyTrafficRate(1200, 1, 0.4, 0.01)
	near(t, "heavy traffic", must(t, rough, err), 1188.5, 1e-4)
	none, err := HighestRate(100, 12, 0.01, 0.01)
	if must(t, none, err) != 0 {
		t.Errorf("a limit below the 99th percentile of the service time: got %v, want 0", none)
	}
	if low, _ := HeavyTrafficRate(10, 1, 0.1, 0.01); low != 0 {
		t.Errorf("heavy traffic below 0: got %v, want 0", low)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(1, 2000).Draw(t, "c")
		limit := rapid.Float64Range(5, 100).Draw(t, "limit")
		rate, err := HighestRate(1, c, limit, 0.01)
		must(t, rate, err)
		if tail, _ := MMcResponseTail(rate, 1, c, limit); rate >= float64(c) || tail > 0.01 {
			t.Fatalf("%v late at %v of %d", tail, rate, c)
		}
		up := rate + (float64(c)-rate)*0.01
		if tail, _ := MMcResponseTail(up, 1, c, limit); tail <= 0.01 {
			t.Fatalf("only %v late at %v, above %v", tail, up, rate)
		}
	})
}

func TestQueuesRefuse(t *testing.T) {
	_, err := MM1(1, 1)
	refused(t, "arrival rate", err)
	_, err = MM1(-1, 1)
	refused(t, "arrival rate", err)
	_, err = MM1K(1, 1, 0)
	refused(t, "requests in the system", err)
	_, err = MMcK(1, 1, 3, 2)
	refused(t, "requests in the system", err)
	_, err = MMcK(1, math.Inf(1), 3, 5)
	refused(t, "service rate", err)
	_, err = MMcK(1e-80, 1e80, 3, 5)
	refused(t, "arrival rate / service rate", err)
	_, err = MMc(1, 1, 0)
	refused(t, "workers", err)
	_, err = MD1(1, 0)
	refused(t, "service rate", err)
	_, err = MG1(1, 0.5, -1)
	refused(t, "squared coefficient of variation", err)
	_, err = MG1(1, 1e-200, 1)
	refused(t, "service time", err)
	_, err = MMcResponseTail(1, 1, 2, -1)
	refused(t, "time", err)
	_, err = MMcResponseQuantile(1, 1, 2, 1)
	refused(t, "quantile", err)
	_, err = MMcWaitQuantile(1, 1, 2, math.NaN())
	refused(t, "quantile", err)
	_, err = MM1ResponseQuantile(2, 1, 0.5)
	refused(t, "arrival rate", err)
	_, err = HighestRate(1, 1, 1, 0)
	refused(t, "share late", err)
	_, err = HeavyTrafficRate(1, -1, 1, 0.1)
	refused(t, "squared coefficient of variation", err)
}
