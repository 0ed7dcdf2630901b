package headroom

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
)

// troubled is a service that holds but for a restart in the middle, and that
// refuses with hints.
type troubled struct{ hints loadgen.Hints }

func (o troubled) Offer(_ context.Context, _ loadgen.Offer, p loadgen.Pilot) (*loadgen.Result, error) {
	res := &loadgen.Result{Hints: o.hints}
	tl := &res.Timeline
	for {
		step := p.Steer(tl)
		if step.Stop {
			return res, nil
		}
		if step.Segment == len(res.Segments) {
			res.Segments = append(res.Segments, loadgen.Segment{Start: tl.Now})
		}
		s := &res.Segments[step.Segment]
		for range loadgen.ControlPeriod / loadgen.WindowWidth {
			n := uint32(step.Rate * loadgen.WindowWidth.Seconds())
			w := loadgen.Window{Sent: n, Answered: n}
			w.Cohort.Planned, w.Cohort.By[outcome.Full] = n, n
			tl.Windows = append(tl.Windows, w)
			s.Counts.Add(w.Cohort.Wide())
		}
		s.Duration += loadgen.ControlPeriod
		tl.Now += loadgen.ControlPeriod
		tl.Final = tl.Now
		if step.Segment == 1 && s.When == nil {
			at := tl.Now
			s.Causes = map[string]uint64{loadgen.CauseReset: 12}
			s.When = map[string]*loadgen.Spells{
				loadgen.CauseReset: {{First: at, Last: at + 300*time.Millisecond, Count: 12}},
				"timed out":        {{First: at + 3*time.Second, Last: at + 3*time.Second, Count: 1}},
			}
		}
	}
}

// TestTroubles guards that a result says what went wrong when, in the order of
// time, and that a phase past capacity does not fill it with what it is for.
func TestTroubles(t *testing.T) {
	cfg := subject{limit: 400 * ms}.config(1)
	cfg.Gate = Gate{HoldRate: 1000, HoldFor: 12 * time.Second}
	res, err := Measure(context.Background(), troubled{}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Troubles) != 2 {
		t.Fatalf("%+v", res.Troubles)
	}
	a, b := res.Troubles[0], res.Troubles[1]
	if a.What != loadgen.CauseReset || a.Class != "failed" || a.Phase != PhaseHold || a.Count != 12 || a.Last-a.First < 0.29 || a.First < 2 {
		t.Errorf("%+v", a)
	}
	if b.What != "timed out" || b.Class != "timed out" || b.First <= a.Last {
		t.Errorf("%+v", b)
	}
	var past troubles
	past.add(&loadgen.Segment{When: map[string]*loadgen.Spells{"shed": {{Count: 5}}, "timed out": {{Count: 5}}}}, PhaseOverload, 0)
	if len(past.list()) != 0 {
		t.Errorf("%+v", past.list())
	}
}

// TestHintFinding guards that hints which are not kept are a finding, and that
// too little to tell, or half, is none.
func TestHintFinding(t *testing.T) {
	for name, c := range map[string]struct {
		hints  loadgen.Hints
		broken bool
	}{
		"none":       {loadgen.Hints{}, false},
		"kept":       {loadgen.Hints{Given: 100, Judged: 90, After: 1000, Good: 930}, false},
		"half":       {loadgen.Hints{Given: 100, Judged: 90, After: 1000, Good: 480}, false},
		"broken":     {loadgen.Hints{Given: 100, Judged: 90, After: 1000, Good: 40}, true},
		"too little": {loadgen.Hints{Given: 100, Judged: 9, After: 49, Good: 0}, false},
		"no end":     {loadgen.Hints{Given: 100}, false},
	} {
		r := retryAfter(c.hints)
		if (r == nil) != (c.hints.Given == 0) || r.broken() != c.broken {
			t.Errorf("%s: %+v, broken %v", name, r, r.broken())
		}
	}
	cfg := subject{limit: 400 * ms}.config(1)
	cfg.Gate = Gate{HoldRate: 1000, HoldFor: 12 * time.Second}
	res, err := Measure(context.Background(), troubled{loadgen.Hints{Given: 100, Judged: 90, After: 1000, Good: 40}}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(res.Findings, func(f finding.Finding) bool { return f.Rule == RuleHintBroken })
	if i < 0 || !strings.Contains(res.Findings[i].Message, "4%") || !strings.Contains(res.Findings[i].Message, "1,000 requests") {
		t.Errorf("%+v", res.Findings)
	}
	if !slices.ContainsFunc(Rules(), func(r finding.Rule) bool { return r.ID == RuleHintBroken }) {
		t.Error("the rule has no page")
	}
}

// TestJoin guards that results of several machines keep their troubles, on one
// clock, and the account of hints.
func TestJoin(t *testing.T) {
	list := JoinTroubles(
		[]Trouble{{What: loadgen.CauseReset, Class: "failed", Phase: PhaseHold, Count: 2, First: 5, Last: 5.5}},
		[]Trouble{
			{What: loadgen.CauseReset, Class: "failed", Phase: PhaseHold, Count: 3, First: 4, Last: 5},
			{What: "timed out", Class: "timed out", Phase: PhaseHold, Count: 1, First: 1, Last: 1},
		}, 1)
	want := []Trouble{
		{What: "timed out", Class: "timed out", Phase: PhaseHold, Count: 1, First: 2, Last: 2},
		{What: loadgen.CauseReset, Class: "failed", Phase: PhaseHold, Count: 5, First: 5, Last: 6},
	}
	if !slices.Equal(list, want) {
		t.Errorf("%+v", list)
	}
	var none *RetryAfter
	a := retryAfter(loadgen.Hints{Given: 10, Judged: 8, After: 100, Good: 90})
	if none.With(a) != a || a.With(none) != a || none.With(none) != nil {
		t.Error("nothing added is something")
	}
	if s := a.With(a); s.Hinted != 20 || s.Judged != 16 || s.After != 200 || s.Succeeded != 180 || *s.Share != 0.9 {
		t.Errorf("%+v", s)
	}
}
