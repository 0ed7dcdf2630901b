package slo

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/outcome"
	"pgregory.net/rapid"
)

func mustParse(t interface{ Fatal(...any) }, text string) SLO {
	s, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// account is a run of 1,000 planned requests against thresholds 100 ms and
// 400 ms, with one count of each size so that no two sums are alike.
func account() outcome.Counts {
	c := outcome.Counts{Planned: 1000}
	c.By[outcome.Degraded] = 64
	c.By[outcome.Shed] = 32
	c.By[outcome.Failed] = 16
	c.By[outcome.TimedOut] = 8
	c.By[outcome.NeverSent] = 4
	c.By[outcome.InFlight] = 2
	c.By[outcome.Full] = 1000 - 126
	c.LateFull = [outcome.MaxThresholds]uint64{512, 128}
	c.LateDegraded = [outcome.MaxThresholds]uint64{33, 1}
	return c
}

func TestBad(t *testing.T) {
	const errors = 32 + 16 + 8 + 4
	for _, c := range []struct {
		slo  string
		want []uint64
	}{
		{"p50<100ms,p99<400ms,errors<1%", []uint64{512 + 64 + errors, 128 + 64 + errors, 64 + errors}},
		{"p50<100ms,p99<400ms,errors<1%,degraded<5%", []uint64{512 + 33 + errors, 128 + 1 + errors, errors, 64}},
	} {
		s := mustParse(t, c.slo)
		var got []uint64
		for _, cl := range s.Clauses {
			got = append(got, cl.Bad(account()))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: bad %v, want %v", c.slo, got, c.want)
		}
	}
	if got := Judged(account()); got != 998 {
		t.Errorf("judged %d, want all but the 2 in flight", got)
	}
}

func TestThresholdsAndBudgets(t *testing.T) {
	s := mustParse(t, "p99.9<1s,p50<20ms,p99<1s,errors<0.1%")
	if got := s.Thresholds(); !slices.Equal(got, []time.Duration{20 * ms, time.Second}) {
		t.Errorf("thresholds %v", got)
	}
	wantIndex := []int{0, 1, 1, 0}
	wantBudget := []float64{0.5, 0.01, 0.001, 0.001}
	for i, c := range s.Clauses {
		if c.Index != wantIndex[i] || c.Budget != wantBudget[i] {
			t.Errorf("clause %s: index %d, budget %v; want %d, %v", c, c.Index, c.Budget, wantIndex[i], wantBudget[i])
		}
	}
	if got := s.Clauses[2].Name(); got != "p99.9" {
		t.Errorf("name %q", got)
	}
	s.Thresholds()[0] = 0
	if s.Thresholds()[0] != 20*ms {
		t.Error("a caller can change the objective's thresholds")
	}
}

func TestDefault(t *testing.T) {
	s := Default(400 * ms)
	parsed := mustParse(t, s.String())
	if s.String() != "p99<400ms,errors<1%" || !slices.Equal(s.Clauses, parsed.Clauses) || !slices.Equal(s.Thresholds(), parsed.Thresholds()) {
		t.Errorf("Default is %q %+v, which parses as %+v", s, s, parsed)
	}
}

func TestCheck(t *testing.T) {
	s := mustParse(t, "p50<100ms,p99<400ms,errors<1%")
	if err := s.Check(400 * ms); err != nil {
		t.Errorf("a threshold of just the timeout gave %v", err)
	}
	err := s.Check(300 * ms)
	if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "p99<400ms") || !strings.Contains(err.Error(), "gives up after 300ms") {
		t.Errorf("a threshold over the timeout gave %v", err)
	}
}

func TestBudgetsAreInclusive(t *testing.T) {
	// 29 % of 100 is not 29 in binary: 0.29 * 100 is 28.999999999999996.
	s := mustParse(t, "errors<29%")
	c := outcome.Counts{Planned: 100}
	c.By[outcome.Failed], c.By[outcome.Full] = 29, 71
	if used, _ := s.Worst(c); !s.Met(c) || used != 1 {
		t.Errorf("29 of 100 under a budget of 29 %%: met %v, used %v", s.Met(c), used)
	}
	c.By[outcome.Failed], c.By[outcome.Full] = 30, 70
	if used, _ := s.Worst(c); s.Met(c) || used <= 1 {
		t.Errorf("30 of 100 under a budget of 29 %%: met %v, used %v", s.Met(c), used)
	}
}

func TestNothingJudged(t *testing.T) {
	c := outcome.Counts{Planned: 3}
	c.By[outcome.InFlight] = 3
	s := Default(time.Second)
	if used, worst := s.Worst(c); used != 0 || worst != s.Clauses[0] || !s.Met(c) || s.Limit(c) != LimitNone {
		t.Errorf("requests in flight alone: used %v of %s, met %v, limit %s", used, worst, s.Met(c), s.Limit(c))
	}
	var none SLO
	if used, worst := none.Worst(account()); used != 0 || worst != (Clause{}) || !none.Met(account()) || !none.IsZero() || none.Limit(account()) != LimitNone {
		t.Errorf("the zero objective judges: used %v of %v", used, worst)
	}
}

// TestWorstBetweenEquals guards which of two clauses with the same bad requests
// is named: the one whose words say what they were.
func TestWorstBetweenEquals(t *testing.T) {
	s := mustParse(t, "p99<100ms,errors<1%")
	for _, c := range []struct {
		class outcome.Class
		want  string
	}{
		{outcome.Failed, "errors<1%"},
		{outcome.Shed, "errors<1%"},
		{outcome.TimedOut, "p99<100ms"},
		{outcome.Degraded, "p99<100ms"},
	} {
		n := outcome.Counts{Planned: 100}
		n.By[outcome.Full], n.By[c.class] = 90, 10
		if used, worst := s.Worst(n); used != 10 || worst.String() != c.want {
			t.Errorf("10 %% %s: used %v of %s, want 10 of %s", c.class, used, worst, c.want)
		}
		n.LateFull[0] = 1
		if _, worst := s.Worst(n); worst.String() != "p99<100ms" {
			t.Errorf("10 %% %s and one late: worst %s", c.class, worst)
		}
	}
}

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		slo   string
		class outcome.Class
		late  uint64
		want  Limit
	}{
		{"p99<100ms,errors<1%", outcome.TimedOut, 0, LimitLatency},
		{"p99<100ms,errors<1%", outcome.Full, 9, LimitLatency},
		{"p99<100ms,errors<1%", outcome.Failed, 0, LimitErrors},
		{"p99<100ms,errors<1%", outcome.Shed, 3, LimitShed},
		{"p99<100ms,errors<1%", outcome.Degraded, 0, LimitDegraded},
		{"p99<100ms,errors<1%,degraded<1%", outcome.Degraded, 0, LimitDegraded},
		{"errors<1%", outcome.NeverSent, 0, LimitGenerator},
		{"errors<1%", outcome.Full, 9, LimitNone},
	} {
		n := outcome.Counts{Planned: 100}
		n.By[outcome.Full] = 90
		n.By[c.class] += 10
		n.LateFull[0] = c.late
		if got := mustParse(t, c.slo).Limit(n); got != c.want {
			t.Errorf("%s with 10 %% %s and %d late: limit %s, want %s", c.slo, c.class, c.late, got, c.want)
		}
	}
}

func TestLimitBetweenEquals(t *testing.T) {
	n := outcome.Counts{Planned: 100}
	n.By[outcome.Full], n.By[outcome.TimedOut], n.By[outcome.Failed], n.By[outcome.Shed] = 70, 10, 10, 10
	s := Default(time.Second)
	if got := s.Limit(n); got != LimitLatency {
		t.Errorf("as many timed out as failed and shed: limit %s, want the first", got)
	}
	n.By[outcome.Shed]++
	if got := s.Limit(n); got != LimitShed {
		t.Errorf("one more shed: limit %s", got)
	}
}

func drawCounts(t *rapid.T) outcome.Counts {
	var c outcome.Counts
	for i := range c.By {
		c.By[i] = rapid.Uint64Range(0, 1000).Draw(t, "class")
		c.Planned += c.By[i]
	}
	// Answers later than a threshold are at most those later than a lower one.
	full, degraded := c.By[outcome.Full], c.By[outcome.Degraded]
	for i := range c.LateFull {
		full = rapid.Uint64Range(0, full).Draw(t, "late full")
		degraded = rapid.Uint64Range(0, degraded).Draw(t, "late degraded")
		c.LateFull[i], c.LateDegraded[i] = full, degraded
	}
	return c
}

// TestJudgementProperties guards what every account must obey: Met and Worst
// agree, no clause has more bad requests than were judged, a degraded clause
// never makes the other clauses stricter, and a request that turns from full to
// failed never helps.
func TestJudgementProperties(t *testing.T) {
	strict := mustParse(t, "p50<20ms,p90<100ms,p99<400ms,p99.9<1s,errors<1%")
	relaxed := mustParse(t, strict.String()+",degraded<5%")
	rapid.Check(t, func(t *rapid.T) {
		c := drawCounts(t)
		for _, s := range []SLO{strict, relaxed} {
			if used, worst := s.Worst(c); (used <= 1) != s.Met(c) || used != worst.Share(c)/worst.Budget {
				t.Fatalf("%s: used %v of %s, met %v", s, used, worst, s.Met(c))
			}
			for _, cl := range s.Clauses {
				if cl.Bad(c) > Judged(c) {
					t.Fatalf("%s: %d bad of %d", cl, cl.Bad(c), Judged(c))
				}
			}
		}
		for i, cl := range strict.Clauses {
			if relaxed.Clauses[i].Bad(c) > cl.Bad(c) {
				t.Fatalf("%s: a degraded clause adds bad requests", cl)
			}
		}
		if c.By[outcome.Full] > c.LateFull[0] {
			worse := c
			worse.By[outcome.Full]--
			worse.By[outcome.Failed]++
			before, _ := strict.Worst(c)
			after, _ := strict.Worst(worse)
			if after < before {
				t.Fatalf("a failure improved the worst clause from %v to %v", before, after)
			}
		}
	})
}

func TestFlagValue(t *testing.T) {
	var s SLO
	if s.String() != "" || s.Type() != "slo" {
		t.Errorf("unset: %q %q", s.String(), s.Type())
	}
	if err := s.Set("errors<1%"); err != nil || s.String() != "errors<1%" {
		t.Errorf("Set: %v, %q", err, s)
	}
	if err := s.Set("nonsense"); err == nil || s.String() != "errors<1%" {
		t.Errorf("a wrong text gave %v and left %q", err, s)
	}
}
