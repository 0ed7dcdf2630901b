package compare

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
)

// TestTwoOfOneService: searches and holds of services that are alike are no
// different, and those of a service that lost a worker, or its long queue, are.
func TestTwoOfOneService(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		change              func(*headroom.Config)
		pairs               int
		want                string
	}{
		{"searches, alike", "", "", search, 2, NoDifference},
		{"a worker less", "", "workers=11", search, 1, Worse},
		{"a worker more", "workers=11", "", search, 1, Better},
		{"the queue bounded", "", "queue=400", search, 1, Better},
		{"holds, alike", "", "", holding(900, 24*time.Second), 2, NoDifference},
		{"10 % slower", "", "service=exp:11ms", holding(900, 24*time.Second), 1, Worse},
	} {
		if got := tally(t, tt.pairs, tt.before, tt.after, tt.change)["all"]; got[tt.want] != tt.pairs {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
	}
}

// drawn is a result of a service with capacity c, as a search with errors of s
// would have found it.
func drawn(rng *rand.Rand, c, s float64) *headroom.Result {
	est := c * (1 + s*rng.NormFloat64())
	iv := func(v, s float64) *headroom.Interval {
		return &headroom.Interval{Estimate: v, Low: v * (1 - 1.96*s), High: v * (1 + 1.96*s)}
	}
	good := 0.9 * c * (1 + s*rng.NormFloat64())
	ratio := good / (0.99 * est)
	return &headroom.Result{Complete: true, SLO: "p99<400ms", Result: headroom.Answer{
		Capacity: iv(est, s), GoodputRatio: &ratio, Overload: &headroom.Overload{GoodputPerSecond: good, Goodput: iv(good, s)},
	}}
}

// TestErrorRate: of pairs that are alike at most a share alpha is told apart,
// over all figures together, and of pairs four standard errors apart most are.
func TestErrorRate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 3000
	for _, alpha := range []float64{0.05, 0.2} {
		wrong, seen := 0, 0
		for range n {
			c, err := Results(drawn(rng, 1000, 0.02), drawn(rng, 1000, 0.02), Config{Alpha: alpha})
			if err != nil {
				t.Fatal(err)
			}
			if c.Verdict != NoDifference {
				wrong++
			}
			if c, _ = Results(drawn(rng, 1000, 0.02), drawn(rng, 880, 0.02), Config{Alpha: alpha}); c.Verdict == Worse {
				seen++
			}
		}
		if most := n*alpha + 3*math.Sqrt(n*alpha*(1-alpha)); float64(wrong) > most {
			t.Errorf("alpha %v: %d of %d pairs alike are told apart", alpha, wrong, n)
		}
		if float64(seen) < 0.9*n {
			t.Errorf("alpha %v: only %d of %d pairs with 12 %% less are seen", alpha, seen, n)
		}
	}
}

// A comparison turned round has the opposite verdict.
func TestTurnedRound(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	opposite := map[string]string{Better: Worse, Worse: Better, NoDifference: NoDifference}
	seen := map[string]int{}
	for range 200 {
		a, b := drawn(rng, 1000, 0.02), drawn(rng, 900+200*rng.Float64(), 0.02)
		x, _ := Results(a, b, Config{})
		y, _ := Results(b, a, Config{})
		seen[x.Verdict]++
		for i := range x.Rows {
			if y.Rows[i].Verdict != opposite[x.Rows[i].Verdict] {
				t.Fatalf("%+v and turned round %+v", x.Rows[i], y.Rows[i])
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("verdicts %v: the test does not see all", seen)
	}
}

func ratePtr(v float64) *float64 { return &v }

// Bounds in place of capacities, and none at all.
func TestKindsOfCapacity(t *testing.T) {
	found := func(low, est, high float64) headroom.Answer {
		return headroom.Answer{Capacity: &headroom.Interval{Estimate: est, Low: low, High: high}}
	}
	none := headroom.Answer{Floor: &headroom.Floor{}}
	over := headroom.Answer{AtLeast: ratePtr(1000)}
	for name, tt := range map[string]struct {
		b, a headroom.Answer
		want string
	}{
		"none before":         {none, found(900, 1000, 1100), Better},
		"none after":          {found(900, 1000, 1100), none, Worse},
		"none at all":         {none, none, NotComparable},
		"over the cap twice":  {over, over, NotComparable},
		"under the old bound": {over, found(780, 800, 820), Worse},
		"over the old one":    {found(780, 800, 820), over, Better},
		"beyond the bound":    {over, found(1180, 1200, 1220), NotComparable},
		"near the bound":      {over, found(900, 990, 1080), NoDifference},
		"no interval":         {found(0, 0, 0), found(1, 2, 3), NotComparable},
	} {
		c, err := Results(&headroom.Result{Complete: true, Result: tt.b}, &headroom.Result{Complete: true, Result: tt.a}, Config{})
		if c.Verdict != tt.want || (err != nil) != (tt.want == NotComparable) || c.Complete != (err == nil) {
			t.Errorf("%s: %s (%v)", name, c.Sentence, err)
		}
		if _, err := json.Marshal(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRecovery(t *testing.T) {
	back := func(s float64) headroom.Answer {
		yes := true
		return headroom.Answer{Recovers: &yes, RecoverySeconds: &s, Overload: &headroom.Overload{Allowance: 30}}
	}
	no := false
	never := headroom.Answer{Recovers: &no, Overload: &headroom.Overload{Allowance: 30}}
	for name, tt := range map[string]struct {
		b, a headroom.Answer
		want string
	}{
		"a little longer": {back(8), back(10), NoDifference},
		"much longer":     {back(1), back(10), Worse},
		"much shorter":    {back(10), back(1), Better},
		"never again":     {back(1), never, Worse},
		"at last":         {never, back(1), Better},
		"neither":         {never, never, NoDifference},
		"cut too short":   {back(25), never, ""},
	} {
		k := &comparer{alpha: 0.05, c: &Comparison{}}
		k.recovery(&tt.b, &tt.a)
		if got := k.c.Rows[0].Verdict; got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// What was measured differently is not compared, and what may explain a
// difference is said.
func TestComparable(t *testing.T) {
	base := func() *headroom.Result {
		r := drawn(rand.New(rand.NewPCG(1, 1)), 1000, 0.02)
		r.TimeoutSeconds, r.Target = 1, "x"
		r.Settings = &headroom.Settings{Arrivals: "poisson", MaxRate: 2000, SearchSeconds: 60}
		return r
	}
	for want, change := range map[string]func(*headroom.Result){
		"did not run to its end":  func(r *headroom.Result) { r.Complete = false },
		"the objective was":       func(r *headroom.Result) { r.SLO = "p99<1s" },
		"clients waited":          func(r *headroom.Result) { r.TimeoutSeconds = 2 },
		"the other a hold":        func(r *headroom.Result) { r.Settings.HoldRate = 5 },
		"arrivals were":           func(r *headroom.Result) { r.Settings.Arrivals = "constant" },
		"the clients' retries":    func(r *headroom.Result) { r.Settings.Retries = 1 },
		"warn: the targets":       func(r *headroom.Result) { r.Target = "y" },
		"warn: the caps":          func(r *headroom.Result) { r.Settings.MaxRate = 1 },
		"warn: the budgets":       func(r *headroom.Result) { r.Settings.SearchSeconds = 1 },
		"warn: older version":     func(r *headroom.Result) { r.Settings = nil },
		"warn: load generator":    func(r *headroom.Result) { r.Generator.VoidTrials = 1 },
		"warn: its own limits":    func(r *headroom.Result) { r.Generator.Limits = map[string]uint64{"files": 1} },
		"warn: no steady state":   func(r *headroom.Result) { r.Result.Trend = &headroom.Trend{} },
		"warn: contradicted":      func(r *headroom.Result) { r.Result.Check = &headroom.Check{} },
		"warn: which is no warn ": nil,
	} {
		other := base()
		if change == nil {
			if c, err := Results(base(), other, Config{}); err != nil || len(c.Warnings) > 0 || c.Verdict != NoDifference {
				t.Errorf("alike: %v, %q", err, c.Warnings)
			}
			continue
		}
		change(other)
		c, err := Results(base(), other, Config{Before: "b", After: "a"})
		if text, warns := strings.CutPrefix(want, "warn: "); warns {
			if err != nil || !strings.Contains(strings.Join(c.Warnings, "\n"), text) {
				t.Errorf("%s: %v, warnings %q", want, err, c.Warnings)
			}
		} else if err == nil || fault.KindOf(err) != fault.NoAnswer || !strings.Contains(c.Sentence, want) || c.Verdict != NotComparable {
			t.Errorf("%s: %v, %q", want, err, c.Sentence)
		}
	}
	for _, alpha := range []float64{-1, 0.6, math.NaN()} {
		if _, err := Results(base(), base(), Config{Alpha: alpha}); fault.KindOf(err) != fault.Usage {
			t.Errorf("alpha %v: %v", alpha, err)
		}
	}
}
