package headroom

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen"
	"example.com/kneeline/loadgen/target"
)

func measure(t *testing.T, v loadgen.Offerer, cfg Config) *Result {
	t.Helper()
	r, err := Measure(context.Background(), v, cfg)
	if err != nil {
		t.Fatal(err)
	}
	checkResult(t, r)
	return r
}

// checkResult asserts what holds for every complete result.
func checkResult(t *testing.T, r *Result) {
	t.Helper()
	if !r.Complete || r.Schema != Schema {
		t.Errorf("complete %v, schema %q", r.Complete, r.Schema)
	}
	var sum Account
	for _, x := range r.Result.Trials {
		a := x.Account
		if got := a.Full + a.Degraded + a.Shed + a.Failed + a.TimedOut + a.InFlight + a.NeverSent; got != a.Planned {
			t.Errorf("trial %s at %v s: %d classed of %d planned", x.Phase, x.Start, got, a.Planned)
		}
		sum.Planned += a.Planned
		sum.Full += a.Full
	}
	if sum.Planned != r.Account.Planned || sum.Full != r.Account.Full {
		t.Errorf("trials sum to %d planned, %d full; the account has %d, %d", sum.Planned, sum.Full, r.Account.Planned, r.Account.Full)
	}
	if c := r.Result.Capacity; c != nil && !(c.Low <= c.Estimate && c.Estimate <= c.High && c.Low >= 0) {
		t.Errorf("capacity %+v is no interval", c)
	}
}

// A few measurements of each kind of service land where the truth is. The
// tolerance is five standard deviations of the rate of completions, CV/√(services
// seen), and 2 % for the rest; TestStudy does the same with a hundred runs each.
func TestCapacityOfKnownServices(t *testing.T) {
	for _, s := range []struct {
		subject
		truth, cv float64
		method    string
	}{
		{named("12 × exp 10ms"), 1188.5, 1, MethodDepartures},
		{named("1 × exp 1ms"), 988.5, 1, MethodDepartures},
		{named("12 × fixed 10ms"), 1194.3, 0, MethodDepartures},
		{named("12 × lognormal 10ms cv 1.5"), 1180, 1.5, MethodDepartures},
		{named("12 × exp 10ms, stall 300ms/10s"), 1146, 1, MethodDepartures},
		{named("12 × exp 10ms, queue 400"), 1211, 1, MethodDepartures},
		{named("12 × exp 10ms, queue 0"), 588, 1, MethodCurve},
		{named("limit 500/s burst 50"), 500, 0.5, MethodCurve},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			v := virtual.New(s.cfg, 11)
			cfg := s.config(2)
			r := measure(t, v, cfg)
			a := r.Result
			if a.Capacity == nil || a.Method != s.method {
				t.Fatalf("capacity %v by %q, want one by %q", a.Capacity, a.Method, s.method)
			}
			within := 0.02 + 5*s.cv/math.Sqrt(s.truth*80)
			if e := a.Capacity.Estimate/s.truth - 1; math.Abs(e) > within {
				t.Errorf("capacity %.1f, truth %.1f: error %+.1f %%, want at most %.1f %%", a.Capacity.Estimate, s.truth, 100*e, 100*within)
			}
			if bad := 1 - float64(r.Account.Full)/float64(r.Account.Planned); bad > 0.03 {
				t.Errorf("%.1f %% of the requests of the search were bad", 100*bad)
			}
			if most := cfg.Budget.Search + 3*time.Second; v.Load() > most {
				t.Errorf("%s of load, want at most %s", v.Load(), most)
			}
		})
	}
}

func named(name string) subject {
	for _, s := range subjects() {
		if s.name == name {
			return s
		}
	}
	panic("no subject " + name)
}

// The demo: a queue of 5,000 loses all goodput past capacity and takes seconds to
// come back; a queue of 400 keeps it. The queue to set is the useful one.
func TestPastTheKnee(t *testing.T) {
	for _, c := range []struct {
		queue           int
		past            string
		ratioLo, ratioH float64
		back            [2]float64
		rules           []string
	}{
		{5000, PastCollapses, 0, 0.1, [2]float64{4, 18}, []string{RuleCollapse, RuleQueueDepth, RuleSlowReturn}},
		{400, PastSheds, 0.9, 1.1, [2]float64{0, 1.5}, nil},
	} {
		svc := target.Default()
		svc.Queue = c.queue
		cfg := subject{limit: 400 * ms}.config(3)
		cfg.Budget, cfg.Overload, cfg.Workers = DemoBudget(), true, 12
		v := virtual.New(svc, 3)
		r := measure(t, v, cfg)
		a := r.Result
		if a.PastCapacity != c.past || *a.GoodputRatio < c.ratioLo || *a.GoodputRatio > c.ratioH {
			t.Errorf("queue %d: %s, goodput ratio %.2f", c.queue, a.PastCapacity, *a.GoodputRatio)
		}
		if !*a.Recovers || *a.RecoverySeconds < c.back[0] || *a.RecoverySeconds > c.back[1] {
			t.Errorf("queue %d: recovers %v after %v s", c.queue, *a.Recovers, deref(a.RecoverySeconds))
		}
		if u := a.UsefulQueue; u == nil || math.Abs(float64(u.Positions)-402) > 15 || u.Workers != 12 {
			t.Errorf("queue %d: useful queue %+v, want about 402 positions", c.queue, u)
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, f.Rule)
		}
		for _, want := range c.rules {
			if !strings.Contains(strings.Join(got, " "), want) {
				t.Errorf("queue %d: findings %v lack %s", c.queue, got, want)
			}
		}
		if len(c.rules) == 0 && len(got) > 0 {
			t.Errorf("queue %d: findings %v, want none", c.queue, got)
		}
		if v.Load() > 66*time.Second {
			t.Errorf("queue %d: %s of load", c.queue, v.Load())
		}
	}
}

// A service whose answers are too slow by themselves has no capacity.
func TestFloorBreaksTheSLO(t *testing.T) {
	o, err := slo.Parse("p99<20ms,errors<1%")
	if err != nil {
		t.Fatal(err)
	}
	v := virtual.New(target.Default(), 5)
	r := measure(t, v, Config{SLO: o, Timeout: 400 * ms, Seed: 1})
	a := r.Result
	if a.Capacity != nil || a.Floor == nil || a.Floor.BadShare < 0.05 || a.BoundBy != "latency" {
		t.Errorf("capacity %v, floor %+v, bound by %q", a.Capacity, a.Floor, a.BoundBy)
	}
	if len(r.Findings) != 1 || r.Findings[0].Rule != RuleFloor {
		t.Errorf("findings %+v", r.Findings)
	}
	if v.Load() > 20*time.Second {
		t.Errorf("%s of load to see that", v.Load())
	}
}

// A service that bears the rate cap has a lower bound of capacity and no estimate.
func TestAboveTheCap(t *testing.T) {
	cfg := subject{limit: 400 * ms}.config(1)
	cfg.Caps.Rate = 600
	r := measure(t, virtual.New(target.Default(), 6), cfg)
	a := r.Result
	if a.Capacity != nil || a.AtLeast == nil || math.Abs(*a.AtLeast-600) > 30 || a.BoundBy != BoundByRateCap {
		t.Errorf("capacity %v, at least %v, bound by %q", a.Capacity, deref(a.AtLeast), a.BoundBy)
	}
	if len(r.Warnings) == 0 {
		t.Error("no warning that capacity is above the cap")
	}
}

// Failures at a constant share spend the budget at any rate, or none of it.
func TestConstantFailures(t *testing.T) {
	v := virtual.New(target.Default(), 7)
	v.Fail = func(_, u float64) bool { return u < 0.05 }
	r := measure(t, v, subject{limit: 400 * ms}.config(1))
	if a := r.Result; a.Capacity != nil || a.Floor == nil || a.BoundBy != "errors" {
		t.Errorf("5 %% failures: capacity %v, floor %+v, bound by %q", a.Capacity, a.Floor, a.BoundBy)
	}
	v = virtual.New(target.Default(), 8)
	v.Fail = func(_, u float64) bool { return u < 0.002 }
	r = measure(t, v, subject{limit: 400 * ms}.config(1))
	if a := r.Result; a.Capacity == nil || math.Abs(a.Capacity.Estimate/1187-1) > 0.03 {
		t.Errorf("0.2 %% failures: capacity %+v, want about 1187", a.Capacity)
	}
}

// Failures that grow with the rate bound capacity where they spend the budget.
func TestFailuresGrowWithTheRate(t *testing.T) {
	v := virtual.New(target.Default(), 9)
	// 1 % at 700/s, and three times as much for each 10 % more.
	share := func(rate float64) float64 { return 0.01 * math.Exp(math.Log(3)*(rate-700)/70) }
	v.Fail = func(rate, u float64) bool { return u < min(share(rate), 0.9) }
	r := measure(t, v, subject{limit: 400 * ms}.config(1))
	a := r.Result
	// The rate over a tenth of a second scatters by 12 %, so that the mean share
	// is higher than the share at the mean rate: 1 % is reached below 700/s.
	if a.Capacity == nil || a.Method != MethodCurve || a.BoundBy != "errors" || a.Capacity.Estimate < 550 || a.Capacity.Estimate > 700 {
		t.Errorf("capacity %+v by %q, bound by %q", a.Capacity, a.Method, a.BoundBy)
	}
}

// A generator that stalls now and then voids segments, and the answer comes from
// the others; one that stalls all the time is said to be the limit.
func TestGeneratorStalls(t *testing.T) {
	v := virtual.New(target.Default(), 10)
	v.Pauses = []virtual.Pause{{At: 20 * time.Second, Length: 300 * ms}, {At: 70 * time.Second, Length: 200 * ms}}
	r := measure(t, v, subject{limit: 400 * ms}.config(1))
	if a := r.Result; a.Capacity == nil || math.Abs(a.Capacity.Estimate/1188-1) > 0.03 || r.Generator.VoidTrials == 0 {
		t.Errorf("capacity %+v with %d void trials", a.Capacity, r.Generator.VoidTrials)
	}
	v = virtual.New(target.Default(), 11)
	for at := time.Second; at < 300*time.Second; at += time.Second {
		v.Pauses = append(v.Pauses, virtual.Pause{At: at, Length: 200 * ms})
	}
	r, err := Measure(context.Background(), v, subject{limit: 400 * ms}.config(1))
	if err == nil || fault.KindOf(err) != fault.NoAnswer || !strings.Contains(err.Error(), "generator") {
		t.Errorf("error %v, want that the generator was the limit", err)
	}
	if r == nil || r.Complete || r.Result.BoundBy != "generator" {
		t.Error("the result is to be there, incomplete, bound by the generator")
	}
}

// dead is a service that never answers.
type dead struct{}

func (dead) Arrive(time.Duration, uint64)                                              {}
func (dead) Leave(uint64)                                                              {}
func (dead) Advance(time.Duration, func(id uint64, at time.Duration, a target.Answer)) {}

func TestNeverAnswers(t *testing.T) {
	v := &virtual.Offerer{Service: dead{}, Seed: 1}
	r, err := Measure(context.Background(), v, subject{limit: 400 * ms}.config(1))
	if err == nil || fault.KindOf(err) != fault.NoAnswer || !strings.Contains(err.Error(), "no answer within the timeout") {
		t.Errorf("error %v", err)
	}
	if r.Account.Planned > 60 || r.Account.TimedOut != r.Account.Planned {
		t.Errorf("account %+v: want a few requests, all timed out", r.Account)
	}
}

// Caps stop the load; the result says why.
func TestCapsStop(t *testing.T) {
	cfg := subject{limit: 400 * ms}.config(1)
	cfg.Caps.Requests = 2000
	r, err := Measure(context.Background(), virtual.New(target.Default(), 12), cfg)
	if err == nil || !strings.Contains(err.Error(), "cap on requests") || r.Account.Planned > 2000 {
		t.Errorf("error %v after %d requests", err, r.Account.Planned)
	}
	cfg = subject{limit: 400 * ms}.config(1)
	cfg.Budget, cfg.Overload, cfg.Caps.Failed = DemoBudget(), true, 2000
	r, err = Measure(context.Background(), virtual.New(target.Default(), 12), cfg)
	if err != nil || r.Result.Recovers != nil || len(r.Warnings) == 0 {
		t.Errorf("error %v, recovers %v, warnings %v", err, r.Result.Recovers, r.Warnings)
	}
	a := r.Account
	// What is under way when the cap is reached may still fail.
	if failed := a.Shed + a.Failed + a.TimedOut; failed > 2000+1000 {
		t.Errorf("%d requests failed under a cap of 2000", failed)
	}
}

// Interrupted, Measure returns what there is, and the cause.
func TestInterrupted(t *testing.T) {
	for _, after := range []time.Duration{time.Second, 40 * time.Second, 110 * time.Second} {
		ctx, cancel := context.WithCancelCause(context.Background())
		stop := errors.New("stop")
		cfg := subject{limit: 400 * ms}.config(1)
		cfg.Observe = func(p Progress) {
			if p.Elapsed >= after {
				cancel(stop)
			}
		}
		r, err := Measure(ctx, virtual.New(target.Default(), 13), cfg)
		if !errors.Is(err, stop) || r == nil || r.Complete || r.Account.Planned == 0 {
			t.Errorf("after %s: error %v, result %v", after, err, r != nil)
		}
		if after > 100*time.Second && r.Result.Capacity == nil {
			t.Errorf("after %s the capacity found so far is lost", after)
		}
		cancel(nil)
	}
}

// The same seed gives the same answer.
func TestDeterministic(t *testing.T) {
	var first Interval
	for i := range 2 {
		cfg := subject{limit: 400 * ms}.config(4)
		cfg.Budget.Search = 20 * time.Second
		c := *measure(t, virtual.New(target.Default(), 17), cfg).Result.Capacity
		if i > 0 && c != first {
			t.Errorf("%+v, then %+v", first, c)
		}
		first = c
	}
}

// Goodput counts what is right and in time.
func TestGood(t *testing.T) {
	o, err := slo.Parse("p99<100ms,errors<1%,degraded<5%")
	if err != nil {
		t.Fatal(err)
	}
	n := outcome.Counts{Planned: 100}
	n.By[outcome.Full], n.LateFull[0] = 70, 10
	n.By[outcome.Degraded], n.LateDegraded[0] = 20, 5
	n.By[outcome.TimedOut] = 10
	if got := good(Config{SLO: o}, n); got != 75 {
		t.Errorf("%d good with degraded answers allowed, want 75", got)
	}
	if got := good(Config{SLO: slo.Default(100 * ms)}, n); got != 60 {
		t.Errorf("%d good, want 60", got)
	}
}
