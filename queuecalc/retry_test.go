package queuecalc

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestRetryPublished(t *testing.T) {
	a, err := Attempts(4, 0.5)
	near(t, "attempts", must(t, a, err), 1.875, 1e-12)
	three, err := Amplification(4, 4, 4)
	near(t, "three layers of four tries", must(t, three, err), 64, 1e-12)
	load, err := BudgetedLoad(1000, 0.025)
	near(t, "budget of 2.5 %", must(t, load, err), 1025, 1e-12)
	for retries, want := range map[int]float64{0: 300, 1: 150, 2: 100, 3: 75} {
		c, err := HiddenCapacity(300, retries)
		near(t, "hidden capacity", must(t, c, err), want, 1e-12)
	}
	budget, err := HealingBudget(300, 280)
	if must(t, budget, err); !(15 < budget && budget < 25) {
		t.Errorf("15/s heals and 25/s does not, got the border at %v", budget)
	}
	d, err := DrainTime(42*120, 1200, 1080)
	near(t, "drain", must(t, d, err).Seconds, 42, 1e-12)
}

func TestStallRecoveryPublished(t *testing.T) {
	toy := Stall{Load: 140, Capacity: 300, Outage: 10, Timeout: 1, Retries: 1}
	d, err := StallRecovery(toy)
	near(t, "load 140", must(t, d, err).Seconds, 118, 1e-12)
	toy.Load = 149
	d, err = StallRecovery(toy)
	near(t, "load 149", must(t, d, err).Seconds, 1266, 1e-3)
	toy.Load = 280
	if d, err = StallRecovery(toy); must(t, d, err).Ends {
		t.Errorf("load 280: heals after %v s, want never", d.Seconds)
	}
	toy.Load, toy.Outage = 20, 2
	if d, err = StallRecovery(toy); must(t, d, err) != (Drain{Ends: true}) {
		t.Errorf("a backlog of less than a timeout: got %+v, want an end at once", d)
	}
	toy.Outage = 0.5
	_, err = StallRecovery(toy)
	refused(t, "outage", err)
}

// fluidStall plays a stall in small steps of time: what waits, and the attempts
// sent again because they have waited for a timeout.
func fluidStall(s Stall) float64 {
	const dt = 1e-3
	delay := int(math.Round(s.Timeout / dt))
	sent := make([][]float64, s.Retries+1) // attempts of each rank per step
	backlog, served, arrived := 0.0, 0.0, []float64{0}
	behind := 0 // the step whose arrivals are being served
	for i := 0; ; i++ {
		now := float64(i) * dt
		// An attempt is late if the server has not reached its step by now.
		late := i >= delay && behind < i-delay
		total := 0.0
		for rank := range sent {
			n := s.Load * dt
			if rank > 0 {
				n = 0
				if late {
					n = sent[rank-1][i-delay]
				}
			}
			sent[rank] = append(sent[rank], n)
			total += n
		}
		backlog += total
		arrived = append(arrived, arrived[i]+total)
		if now >= s.Outage {
			done := min(backlog, s.Capacity*dt)
			backlog -= done
			served += done
			for behind < i && arrived[behind+1] <= served {
				behind++
			}
			if backlog <= s.Capacity*s.Timeout {
				return now - s.Outage
			}
		}
	}
}

func TestStallRecoveryAgainstFluid(t *testing.T) {
	for _, s := range []Stall{
		{140, 300, 10, 1, 1}, {100, 300, 5, 0.5, 1}, {70, 300, 8, 1, 3}, {200, 300, 5, 1, 0}, {80, 300, 6, 0.4, 2},
	} {
		d, err := StallRecovery(s)
		near(t, "recovery", must(t, d, err).Seconds, fluidStall(s), 0.02)
	}
}

func TestRetryProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 50).Draw(t, "tries")
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		a, err := Attempts(n, p)
		want, term := 0.0, 1.0
		for range n {
			want += term
			term *= p
		}
		if must(t, a, err); math.Abs(a-want) > 1e-9*want {
			t.Fatalf("got %v, sum %v", a, want)
		}
		if more, _ := Attempts(n+1, p); more < a*(1-1e-12) {
			t.Fatalf("one more try makes %v of %v", more, a)
		}
		c, err := HiddenCapacity(1000, n-1)
		s, err2 := StallRecovery(Stall{c * 1.001, 1000, 1e4, 0.001, n - 1})
		if must(t, c, err); must(t, s, err2).Ends {
			t.Fatalf("%d retries: heals above the hidden capacity %v", n-1, c)
		}
	})
}

func TestRetryEdges(t *testing.T) {
	for p, want := range map[float64]float64{0: 1, 1: 7} {
		if a, err := Attempts(7, p); must(t, a, err) != want {
			t.Errorf("failure %v: got %v attempts, want %v", p, a, want)
		}
	}
	if none, err := Amplification(); must(t, none, err) != 1 {
		t.Errorf("no layers: got %v, want 1", none)
	}
	if d, err := DrainTime(0, 1, 2); must(t, d, err) != (Drain{Ends: true}) {
		t.Errorf("nothing to drain: got %+v", d)
	}
	if d, err := DrainTime(1, 2, 2); must(t, d, err) != (Drain{}) {
		t.Errorf("load at capacity: got %+v, want no end", d)
	}
	if b, err := HealingBudget(1, 2); must(t, b, err) != 0 {
		t.Errorf("load above capacity: got a budget of %v", b)
	}
	_, err := Attempts(0, 0.5)
	refused(t, "tries", err)
	_, err = Attempts(2, 1.5)
	refused(t, "probability of failure", err)
	_, err = Amplification(4, 0.5)
	refused(t, "attempts of a layer", err)
	_, err = BudgetedLoad(1, math.NaN())
	refused(t, "retry budget", err)
	_, err = HiddenCapacity(1, -1)
	refused(t, "retries", err)
	_, err = HealingBudget(0, 1)
	refused(t, "capacity", err)
	_, err = DrainTime(-1, 1, 1)
	refused(t, "backlog", err)
	_, err = StallRecovery(Stall{1, 1, 1, 0, 1})
	refused(t, "timeout", err)
}
