package gc

import (
	"fmt"
	"math"
	"strings"

	"example.com/kneeline/internal/units"
)

// CompareSchema names the shape of [Comparison] as JSON.
const CompareSchema = "kneeline.gc-compare/v1"

// Verdicts of a [Comparison] and its rows.
const (
	Better       = "better"
	Worse        = "worse"
	Mixed        = "mixed"
	NoDifference = "no difference"
	// CannotTell is the verdict where there is too little to compare.
	CannotTell = "cannot tell"
)

// Comparison is one log against another, as before and after a change.
type Comparison struct {
	Schema   string `json:"schema"`
	Complete bool   `json:"complete"`
	// Verdict is that of After: better, worse, mixed, no difference, cannot tell.
	Verdict string `json:"verdict"`
	// Sentence says it with the figures it rests on.
	Sentence string   `json:"sentence"`
	Before   Side     `json:"before"`
	After    Side     `json:"after"`
	Rows     []Row    `json:"rows"`
	Warnings []string `json:"warnings"`
}

// Side is one of the two logs.
type Side struct {
	Name      string  `json:"name"`
	Collector string  `json:"collector,omitempty"`
	Observed  float64 `json:"observed_seconds"`
	Stops     int64   `json:"stop_count"`
	Answer    string  `json:"answer"`
	Sentence  string  `json:"sentence"`
}

// Row is one figure on both sides.
type Row struct {
	Name string `json:"name"`
	// Unit is seconds, ratio, per_second or bytes_per_second.
	Unit   string    `json:"unit"`
	Before *Estimate `json:"before,omitempty"`
	After  *Estimate `json:"after,omitempty"`
	// Verdict is empty for a figure that is neither good nor bad, like the rate of
	// allocation.
	Verdict string `json:"verdict,omitempty"`
	// Basis is what the verdict rests on.
	Basis string `json:"basis"`
}

// Estimate is a figure with the ends of its 95 % confidence interval, which are
// absent where it has none.
type Estimate struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// Compare compares two judgements that [Analyzer.Finish] made with the same
// settings.
func Compare(before, after *Log) *Comparison {
	c := &Comparison{Schema: CompareSchema, Complete: before.Complete && after.Complete, Before: side(before), After: side(after), Warnings: []string{}}
	c.Rows = append(c.Rows, answerRow(before, after), overheadRow(before, after))
	for _, n := range quantileNames {
		c.Rows = append(c.Rows, pauseRow(before, after, n.name, n.q))
	}
	c.Rows = append(c.Rows,
		plain("pauses", "per_second", before.Rates.PausesPerSecond, after.Rates.PausesPerSecond),
		plain("allocation", "bytes_per_second", before.Rates.Allocation, after.Rates.Allocation),
		plain("promotion", "bytes_per_second", before.Rates.Promotion, after.Rates.Promotion))
	c.decide()
	c.warn(before, after)
	return c
}

func side(l *Log) Side {
	return Side{Name: l.Name, Collector: l.Collector, Observed: l.Observed, Stops: l.Pauses.Stops, Answer: l.Verdict.Answer, Sentence: l.Verdict.Sentence}
}

// answerRow compares the peaks over the window by the verdicts on them.
func answerRow(before, after *Log) Row {
	r := Row{Name: "peak overhead", Unit: "ratio", Basis: "tier violations"}
	if p, _, ok := before.peak(); ok {
		r.Before = &Estimate{Value: p}
	}
	if p, _, ok := after.peak(); ok {
		r.After = &Estimate{Value: p}
	}
	level := func(l *Log) float64 {
		if in := worstIncident(l.Incidents); in != nil {
			return in.Threshold
		}
		return 0
	}
	a, b := level(before), level(after)
	switch {
	case before.Verdict.Answer == Unknown || after.Verdict.Answer == Unknown:
		r.Verdict = CannotTell
	case b < a:
		r.Verdict = Better
	case b > a:
		r.Verdict = Worse
	default:
		r.Verdict = NoDifference
	}
	if a > 0 || b > 0 {
		r.Basis = fmt.Sprintf("highest tier violated: %s before, %s after", levelName(a), levelName(b))
	}
	return r
}

func levelName(v float64) string {
	if v == 0 {
		return "none"
	}
	return percent(v)
}

func plain(name, unit string, a, b *float64) Row {
	r := Row{Name: name, Unit: unit, Basis: "for the load"}
	if a != nil {
		r.Before = &Estimate{Value: *a}
	}
	if b != nil {
		r.After = &Estimate{Value: *b}
	}
	return r
}

// decide is the verdict over the rows: what all that can tell say together.
func (c *Comparison) decide() {
	n := map[string][]string{}
	for _, r := range c.Rows {
		if r.Verdict != "" {
			n[r.Verdict] = append(n[r.Verdict], r.words())
		}
	}
	better, worse := n[Better], n[Worse]
	switch {
	case len(better) > 0 && len(worse) > 0:
		c.Verdict = Mixed
		c.Sentence = "after is better in some and worse in others: better " + strings.Join(better, ", ") + "; worse " + strings.Join(worse, ", ")
	case len(better) > 0:
		c.Verdict = Better
		c.Sentence = "after is better: " + strings.Join(better, ", ")
	case len(worse) > 0:
		c.Verdict = Worse
		c.Sentence = "after is worse: " + strings.Join(worse, ", ")
	case len(n[NoDifference]) > 1:
		c.Verdict = NoDifference
		c.Sentence = "no difference between before and after: " + strings.Join(n[NoDifference], ", ")
	default:
		c.Verdict = CannotTell
		c.Sentence = "there is too little in the logs to compare them"
	}
}

// words says a row in short: "overhead 3.1% to 1.2%".
func (r Row) words() string {
	f := func(e *Estimate) string {
		switch {
		case e == nil:
			return units.NotAvailable
		case r.Unit == "seconds":
			return units.Seconds(e.Value)
		}
		return percent(e.Value)
	}
	return fmt.Sprintf("%s %s to %s", r.Name, f(r.Before), f(r.After))
}

// warn says what makes the two hard to compare.
func (c *Comparison) warn(before, after *Log) {
	if a, b := before.Rates.Allocation, after.Rates.Allocation; a != nil && b != nil && math.Abs(*a-*b) > 0.25*math.Max(*a, *b) {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the rate of allocation went from %s/s to %s/s: the load was not the same",
			units.Size(int64(*a)), units.Size(int64(*b))))
	}
	if before.Observed > 0 && after.Observed > 0 && math.Max(before.Observed, after.Observed) > 4*math.Min(before.Observed, after.Observed) {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the logs cover %s and %s: the longer one has had more chances for something rare",
			units.Seconds(before.Observed), units.Seconds(after.Observed)))
	}
	for _, l := range []*Log{before, after} {
		if l.Verdict.Answer == Unknown {
			c.Warnings = append(c.Warnings, l.Name+": "+l.Verdict.Sentence)
		}
	}
}
