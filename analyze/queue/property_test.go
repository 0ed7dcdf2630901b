package queue

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/kneeline/queuecalc"
)

// anyConfig draws a configuration that makes sense.
func anyConfig(t *rapid.T) Config {
	mu := math.Exp(rapid.Float64Range(math.Log(0.5), math.Log(2e4)).Draw(t, "ln capacity"))
	timeout := time.Duration(math.Exp(rapid.Float64Range(math.Log(1e6), math.Log(5e9)).Draw(t, "ln timeout")))
	c := Config{Capacity: queuecalc.Interval{Estimate: mu}, Timeout: timeout}
	if rapid.Bool().Draw(t, "interval") {
		c.Capacity.Low, c.Capacity.High = mu*rapid.Float64Range(0.7, 1).Draw(t, "low"), mu*rapid.Float64Range(1, 1.3).Draw(t, "high")
	}
	if rapid.Bool().Draw(t, "service time") {
		c.ServiceTime = time.Duration(rapid.Float64Range(0.01, 0.9).Draw(t, "service share") * float64(timeout))
		c.ServiceP99 = time.Duration(rapid.Float64Range(1, 3).Draw(t, "p99 share") * float64(c.ServiceTime))
	} else if rapid.Bool().Draw(t, "workers") {
		c.Workers = rapid.IntRange(1, 2000).Draw(t, "count of workers")
	}
	if rapid.Bool().Draw(t, "hedge") {
		c.HedgeAfter = time.Duration(rapid.Float64Range(0.01, 1.5).Draw(t, "hedge share") * float64(timeout))
	}
	if rapid.Bool().Draw(t, "peak") {
		c.Peak = mu * rapid.Float64Range(0.1, 1.5).Draw(t, "peak share")
	}
	if rapid.Bool().Draw(t, "clients") {
		c.Clients = rapid.Int64Range(1, 5000).Draw(t, "count of clients")
		c.Pool = rapid.Int64Range(0, 500).Draw(t, "pool")
	}
	if rapid.Bool().Draw(t, "retries") {
		c.Retries = new(rapid.IntRange(0, 5).Draw(t, "count of retries"))
		c.RetryAfter = time.Duration(rapid.Float64Range(0, 2).Draw(t, "retry share") * float64(timeout))
	}
	return c
}

// Whatever is asked, the answer is made of finite numbers, shares between none
// and all, and the sizes stand in their order.
func TestAnswersAreFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyConfig(t)
		c.Queue = &Length{Positions: rapid.Int64Range(0, 1_000_000).Draw(t, "queue")}
		c.AcceptQueue = new(rapid.Int64Range(0, 70_000).Draw(t, "accept queue"))
		c.BytesPerRequest = rapid.Int64Range(0, 1<<20).Draw(t, "bytes")
		c.Explain = true
		r, err := Audit(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatalf("NaN or infinity: %v", err)
		}
		a := r.Advice
		if a.Positions > a.Basis.Safe || a.Basis.Safe > max(a.Basis.BreakPoint, 1) || a.AcceptQueue < 1 || a.RateLimit.Rate <= 0 {
			t.Fatalf("out of order: %+v", a)
		}
		if a.PositionsHigh != nil && *a.PositionsHigh < a.Positions {
			t.Fatalf("%d at the high end, %d at the low one", *a.PositionsHigh, a.Positions)
		}
		for _, row := range r.Goodput {
			for _, g := range row.Goodput {
				if !(g.Goodput >= 0 && g.Goodput <= 1+1e-9) {
					t.Fatalf("goodput %v", g.Goodput)
				}
			}
		}
		for _, curve := range r.Curves {
			last := CurvePoint{}
			for _, p := range curve.Points {
				if p.Positions <= last.Positions || p.WaitP99 < last.WaitP99*(1-1e-3) {
					t.Fatalf("at %v ×: %+v after %+v: a longer queue never waits less", curve.Load, p, last)
				}
				last = p
			}
		}
		if d := *r.Today.Dead; d < 0 || d > c.Queue.Positions {
			t.Fatalf("%d of %d are dead", d, c.Queue.Positions)
		}
	})
}

// What is advised is accepted: with the advice as today's settings there is
// nothing to find but what the advice says cannot be helped.
func TestAdviceIsAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyConfig(t)
		first, err := Audit(c)
		if err != nil {
			t.Fatal(err)
		}
		a := first.Advice
		c.Queue, c.AcceptQueue = &Length{Positions: a.Positions}, &a.AcceptQueue
		if a.WorkersToSubtract {
			c.Queue.Positions-- // at the least
		}
		if a.Pool != nil {
			c.Pool = a.Pool.Max
		}
		if a.Retry != nil && a.Retry.Budget != nil {
			c.RetryBudget = a.Retry.Budget
		}
		second, err := Audit(c)
		if err != nil {
			t.Fatal(err)
		}
		if second.Advice.Positions != a.Positions || second.Advice.AcceptQueue != a.AcceptQueue {
			t.Fatalf("the advice depends on today's values: %+v, then %+v", a, second.Advice)
		}
		for _, f := range second.Findings {
			switch {
			case f.Rule == "BUD-01" && c.RetryBudget == nil: // without a peak no budget can be advised
			case f.Rule == "CON-01" && int64(c.Workers) > a.BreakPoint: // the workers are as they were
			case f.Rule == "BUD-04" && c.Peak > first.Advice.RateLimit.Rate: // the peak alone is too much
			default:
				t.Fatalf("%s %s", f.Rule, f.Message)
			}
		}
	})
}

// The advised queue keeps nearly all goodput at every load of the tables, while
// the break point loses much of it.
func TestAdvisedQueueKeepsGoodput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mu := math.Exp(rapid.Float64Range(math.Log(200), math.Log(1e5)).Draw(t, "ln capacity"))
		x := rapid.Float64Range(100, 5000).Draw(t, "capacity × timeout")
		c := Config{Capacity: queuecalc.Interval{Estimate: mu}, Timeout: time.Duration(x / mu * 1e9), Workers: 1}
		r, err := Audit(c)
		if err != nil {
			t.Fatal(err)
		}
		m, err := newModel(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, load := range queuecalc.Loads() {
			g, err := m.goodput(Length{Positions: r.Advice.Positions}, load)
			if err != nil {
				t.Fatal(err)
			}
			if least := 0.98; load > 1 && g < least {
				t.Fatalf("goodput %v at %v × capacity with the advised %d of %d", g, load, r.Advice.Positions, r.Advice.BreakPoint)
			}
		}
	})
}
