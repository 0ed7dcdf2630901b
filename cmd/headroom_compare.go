package cmd

import (
	"errors"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/compare"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// compareOptions are the flags of `kneeline headroom compare`.
type compareOptions struct {
	alpha  units.ShareValue
	failOn string
}

func newHeadroomCompare(a *app) *cobra.Command {
	o := &compareOptions{}
	c := &cobra.Command{
		Use:   "compare BEFORE AFTER",
		Short: "Did a change help? Compare two results of headroom",
		Long: `Compares two results of headroom, as before and after a change: capacity by both intervals,
goodput past capacity, the time to recover, and for two holds of one rate the response
times and the bad requests. It says better, worse or no difference, and how often it says
better or worse of one and the same service. What was measured differently is not compared.`,
		Example: examples(
			"headroom compare before.json after.json", "",
			"headroom compare before.json after.json --fail-on worse", "a gate for CI",
			"headroom compare before.json after.json --alpha 1% -o markdown", "fewer false alarms, for a review"),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fault.Usagef("%s: expected two results, found %d", c.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runHeadroomCompare(a, o, args) },
	}
	o.addFlags(c)
	return c
}

func (o *compareOptions) addFlags(c *cobra.Command) {
	c.Flags().Var(&o.alpha, "alpha", "how often one and the same service may be called better or worse (default 5%)")
	enumVar(c, c.Flags(), &o.failOn, "fail-on", noGate, "gate: fail if the second is worse", failOnWorse, noGate)
}

func runHeadroomCompare(a *app, o *compareOptions, args []string) error {
	var results []*headroom.Result
	var names []string
	for _, arg := range args { // one by one: the same file may stand twice
		r, n, err := readResults(a, []string{arg})
		if err != nil {
			return err
		}
		if len(r) != 1 {
			return fault.Usagef("%s: expected one result, found %d", arg, len(r))
		}
		results, names = append(results, r[0]), append(names, n[0])
	}
	c, err := compare.Results(results[0], results[1], compare.Config{Alpha: float64(o.alpha), Before: names[0], After: names[1]})
	if c == nil {
		return err
	}
	werr := a.out.write(result{JSON: c, Report: headroomCompareReport(c)})
	if err == nil && o.failOn == failOnWorse && c.Verdict == compare.Worse {
		err = fault.Gatef("gate failed: --fail-on worse: %s", c.Sentence)
	}
	return errors.Join(err, werr)
}

// compareLevels colour the verdicts.
var compareLevels = map[string]report.Level{compare.Better: report.Good, compare.Worse: report.Bad, compare.NotComparable: report.Warn}

// headroomCompareReport builds what people read from the comparison.
func headroomCompareReport(c *compare.Comparison) *report.Report {
	out := &report.Report{Title: "Headroom before and after", Notes: c.Warnings,
		Verdict: report.Verdict{Text: c.Sentence, Level: compareLevels[c.Verdict]}}
	if len(c.Rows) > 0 {
		out.Add(compareTable(c.Rows, "before", "after"))
	}
	out.Add(report.KeyValues{Caption: "How it is judged", Items: []report.KeyValue{
		{Key: "rule", Value: c.Rule},
		{Key: "chance of a wrong verdict", Value: "at most " + units.Share(c.Alpha), Note: "of two measurements of one service"},
	}})
	for i, s := range []compare.Side{c.Before, c.After} {
		kv := &rows{report.KeyValues{Caption: []string{"Before", "After"}[i]}}
		kv.add("result", s.Name, "")
		kv.add("target", or(s.Target, units.NotAvailable), "")
		kv.add("objective", s.SLO, "clients wait "+units.Seconds(s.TimeoutSeconds))
		kv.add("requests", units.Count(s.Requests), "")
		out.Add(kv.KeyValues)
	}
	return out
}

// compareTable lists the figures of both sides.
func compareTable(rows []compare.Row, before, after string) report.Table {
	t := report.Table{Caption: "Figures, with 95% intervals where there are some", Columns: []report.Column{
		{Title: "figure"}, rightColumn(before), rightColumn(after), rightColumn("change"), {Title: after + " is"}, {Title: "by"}}}
	for i := range rows {
		r := &rows[i]
		row := report.Row(r.Name, compareEstimate(r, r.Before), compareEstimate(r, r.After),
			r.ChangeText(), or(r.Verdict, "–"), r.Basis)
		row[4].Level = compareLevels[r.Verdict]
		t.Rows = append(t.Rows, row)
	}
	return t
}

func compareEstimate(r *compare.Row, e *compare.Estimate) string {
	switch {
	case e == nil:
		return units.NotAvailable
	case e.Low == nil || e.High == nil:
		return r.Value(e.Value)
	}
	return r.Value(e.Value) + " (" + r.Value(*e.Low) + " to " + r.Value(*e.High) + ")"
}
