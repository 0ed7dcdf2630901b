package ab

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/compare"
	"example.com/kneeline/analyze/headroom/stat"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
)

// Schema names the shape of [Result] as JSON.
const Schema = "kneeline.headroom-ab/v1"

// Result is the answer, and as JSON the document of the command.
type Result struct {
	Schema   string `json:"schema"`
	Complete bool   `json:"complete"`
	// Verdict is what B is beside A: better, worse or no difference; it is empty
	// when the comparison did not run to its end.
	Verdict  string `json:"verdict,omitempty"`
	Sentence string `json:"sentence"`
	// Alpha bounds how often two services that are alike are called better or worse.
	Alpha float64 `json:"wrong_verdict_probability"`
	Rule  string  `json:"rule"`

	SLO            string   `json:"slo"`
	TimeoutSeconds float64  `json:"timeout_seconds"`
	StartedUnix    *float64 `json:"started_unix_seconds,omitempty"`
	// RatePerSecond is what was offered to either, RateFrom where it comes from.
	RatePerSecond float64 `json:"rate_per_second"`
	RateFrom      string  `json:"rate_from,omitempty"`
	Pairs         int     `json:"pairs"`
	BlockSeconds  float64 `json:"block_seconds"`

	A Side `json:"a"`
	B Side `json:"b"`
	// Rows are the figures; before is A and after is B.
	Rows     []compare.Row `json:"figures"`
	Blocks   []BlockRow    `json:"blocks"`
	Warnings []string      `json:"warnings"`
}

// Side is one of the two services.
type Side struct {
	Target    string             `json:"target"`
	Account   headroom.Account   `json:"account"`
	Generator headroom.Generator `json:"generator"`
	// Capacity is from the short search by which the rate was chosen, if there was
	// one; CapacityAtLeast is in its place when it was over the rate cap.
	Capacity        *headroom.Interval `json:"capacity_per_second,omitempty"`
	CapacityAtLeast *float64           `json:"capacity_at_least_per_second,omitempty"`
}

// BlockRow is one block, in the order in which they were offered.
type BlockRow struct {
	Pair int `json:"pair"`
	// Side is a or b.
	Side    string   `json:"side"`
	Planned float64  `json:"planned_per_second"`
	Goodput float64  `json:"goodput_per_second"`
	Mean    *float64 `json:"mean_seconds,omitempty"`
	P50     *float64 `json:"p50_seconds,omitempty"`
	P99     *float64 `json:"p99_seconds,omitempty"`
	// Bad is the share of bad requests by the clause that uses most of its budget.
	Bad     float64 `json:"bad_ratio"`
	Void    string  `json:"void,omitempty"`
	Stopped string  `json:"stopped,omitempty"`
}

func ptr[T any](v T) *T { return &v }

func (m *match) row(n, i int, b *headroom.Block) BlockRow {
	r := BlockRow{Pair: n, Side: []string{"a", "b"}[i], Void: b.Void, Stopped: b.Stopped}
	if b.Seconds > 0 {
		r.Planned, r.Goodput = float64(b.Counts.Planned)/b.Seconds, float64(b.Good)/b.Seconds
	}
	if b.Full.Count() > 0 {
		r.Mean = ptr(b.Full.Mean() / 1e9)
		r.P50, r.P99 = ptr(float64(b.Full.Quantile(0.5))/1e9), ptr(float64(b.Full.Quantile(0.99))/1e9)
	}
	if slo.Judged(b.Counts) > 0 {
		_, c := m.cfg.Headroom.SLO.Worst(b.Counts)
		r.Bad = c.Share(b.Counts)
	}
	return r
}

// figures is how many are tested; that many share the error rate.
const figures = 4

// result judges what was measured.
func (m *match) result(err error) *Result {
	c := m.cfg
	r := &Result{
		Schema: Schema, Complete: m.failure(err) == nil, Alpha: c.Alpha,
		SLO: c.Headroom.SLO.String(), TimeoutSeconds: c.Headroom.Timeout.Seconds(),
		RatePerSecond: c.Rate, Pairs: len(m.pairs), BlockSeconds: c.Block.Seconds(),
		Rows: []compare.Row{}, Blocks: m.rows, Warnings: m.warnings(),
		Rule: fmt.Sprintf("%d pairs of blocks of %s, the order within each drawn at random; for each figure the mean difference within pairs against all ways "+
			"of swapping the two, which is exact for services that are alike; %d figures together are wrong about such in at most %s of comparisons (Holm's correction)",
			len(m.pairs), units.Duration(c.Block), figures, units.Share(c.Alpha)),
	}
	if r.Blocks == nil {
		r.Blocks = []BlockRow{}
	}
	for i, s := range m.sides {
		side := Side{Target: m.name(i)}
		if s.blocks != nil {
			side.Account, side.Generator = s.blocks.Account()
		}
		if i == 0 {
			r.A = side
		} else {
			r.B = side
		}
	}
	if len(m.pairs) > 0 {
		m.figures(r)
	}
	if !r.Complete {
		r.Sentence = "No verdict: the comparison did not run to its end"
		return r
	}
	m.judge(r)
	return r
}

// NotBegun is the result of a comparison that err ended before its first block, as
// when no rate was found to compare at.
func NotBegun(cfg Config, err error) *Result {
	m := &match{cfg: cfg.withDefaults(), sides: [2]*side{{}, {}}}
	return m.result(err)
}

// figures tests all of them.
func (m *match) figures(r *Result) {
	r.Rows = append(r.Rows,
		m.latency("mean response time", func(b *headroom.Block) float64 { return b.Full.Mean() }),
		m.latency("p50", func(b *headroom.Block) float64 { return float64(b.Full.Quantile(0.5)) }),
		m.latency("p99", func(b *headroom.Block) float64 { return float64(b.Full.Quantile(0.99)) }),
		m.bad())
	var all []*compare.Row
	for i := range r.Rows {
		all = append(all, &r.Rows[i])
	}
	compare.Judge(all, m.cfg.Alpha)
}

// latency compares a figure of full answers, as a ratio. Pairs of which a side has
// too few of them count as no difference.
func (m *match) latency(name string, of func(*headroom.Block) float64) compare.Row {
	var d []float64
	left := 0
	sums := [2]float64{}
	for _, p := range m.pairs {
		x, y := of(p[0]), of(p[1])
		if x <= 0 || y <= 0 {
			left++
			d = append(d, 0)
			continue
		}
		sums[0] += math.Log(x)
		sums[1] += math.Log(y)
		d = append(d, math.Log(y/x))
	}
	t := stat.PairedMean(d, m.cfg.Alpha, m.rng)
	row := compare.Row{Name: name, Unit: compare.Seconds, P: &t.P, Margin: compare.LatencyMargin,
		Change: compare.NewChange(math.Expm1(t.Value), math.Expm1(t.Low), math.Expm1(t.High)),
		Basis:  fmt.Sprintf("ratios within %d pairs", len(d))}
	if n := float64(len(d) - left); n > 0 {
		row.Before, row.After = &compare.Estimate{Value: math.Exp(sums[0]/n) / 1e9}, &compare.Estimate{Value: math.Exp(sums[1]/n) / 1e9}
	}
	if left > 0 {
		row.Basis += fmt.Sprintf("; in %d of them a side had no full answer", left)
	}
	return row
}

// bad compares the shares of bad requests, by the clause that used most of its
// budget over all blocks of both.
func (m *match) bad() compare.Row {
	var all outcome.Counts
	for _, p := range m.pairs {
		all.Add(p[0].Counts)
		all.Add(p[1].Counts)
	}
	_, clause := m.cfg.Headroom.SLO.Worst(all)
	var d []float64
	var mean [2]float64
	for _, p := range m.pairs {
		x, y := clause.Share(p[0].Counts), clause.Share(p[1].Counts)
		d = append(d, y-x)
		mean[0] += x / float64(len(m.pairs))
		mean[1] += y / float64(len(m.pairs))
	}
	t := stat.PairedMean(d, m.cfg.Alpha, m.rng)
	return compare.Row{Name: "bad requests by " + clause.String(), Unit: compare.Ratio, P: &t.P, Margin: compare.ShareMargin,
		Change: compare.NewChange(t.Value, t.Low, t.High),
		Before: &compare.Estimate{Value: mean[0]}, After: &compare.Estimate{Value: mean[1]},
		Basis: fmt.Sprintf("differences within %d pairs", len(d))}
}

// judge gives the verdict and says it with its figures.
func (m *match) judge(r *Result) {
	at := " at " + units.Rate(r.RatePerSecond)
	var figures string
	switch r.Verdict, figures = compare.Overall(r.Rows, words); r.Verdict {
	case compare.Worse:
		r.Sentence = "B is worse than A" + at + ": " + figures
	case compare.Better:
		r.Sentence = "B is better than A" + at + ": " + figures
	default:
		r.Sentence = "No difference between A and B" + at + ": " + words(&r.Rows[0]) + "; " + words(&r.Rows[len(r.Rows)-1])
	}
}

// words are a figure as a part of the sentence.
func words(r *compare.Row) string {
	text := r.Name
	if r.Before != nil && r.After != nil {
		text += fmt.Sprintf(" %s of A, %s of B", r.Value(r.Before.Value), r.Value(r.After.Value))
	}
	if change := r.ChangeRange(); change != "" {
		text += " (" + change + ")"
	}
	return text
}
