package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/gc"
	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// failOnWorse is the value of --fail-on of gc compare.
const failOnWorse = "worse"

func newGCCompare(a *app) *cobra.Command {
	o := &gcOptions{}
	c := &cobra.Command{
		Use:   "compare BEFORE AFTER",
		Short: "Did a change help? Compare two GC logs",
		Long: `Compares two logs of about the same load, as before and after a change: the overhead with
its interval, the pauses by quantile with theirs, the tiers that were violated. What the
logs cannot tell apart is no difference. Each of BEFORE and AFTER is one log: a file, a
rotated set, a directory with one, or - for stdin.`,
		Example: examples(
			"gc compare before.log after.log", "",
			"gc compare before.log after.log --fail-on worse", "a gate for CI",
			"gc compare old/ new/ --since 10m -o markdown", "without the first ten minutes, for a review"),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fault.Usagef("%s: expected two logs, found %d", c.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return runGCCompare(c.Context(), a, o, args, c.Flags().Changed)
		},
	}
	o.addFlags(c)
	enumVar(c, c.Flags(), &o.failOn, "fail-on", noGate, "gate: fail if AFTER is worse", failOnWorse, noGate)
	return c
}

func runGCCompare(ctx context.Context, a *app, o *gcOptions, args []string, given func(string) bool) error {
	cfg, err := o.config(given)
	if err != nil {
		return err
	}
	r := &gcRun{app: a, opts: o, cfg: cfg}
	if r.cut, err = o.cut(); err != nil {
		return err
	}
	var logs []*gc.Log
	for _, arg := range args {
		l, err := r.one(ctx, arg)
		if err != nil {
			return err
		}
		logs = append(logs, l)
	}
	res := gc.Compare(logs[0], logs[1])
	err = r.out.write(result{JSON: res, Report: compareReport(res, logs)})
	if o.failOn == failOnWorse && res.Verdict == gc.Worse {
		err = errors.Join(err, fault.Gatef("gate failed: --fail-on worse: %s", res.Sentence))
	}
	return errors.Join(err, r.strictError())
}

// one reads an argument that stands for one log.
func (r *gcRun) one(ctx context.Context, arg string) (*gc.Log, error) {
	x := input.Expand([]string{arg})
	if err := errors.Join(x.Problems...); err != nil {
		return nil, err
	}
	streams := gcparse.Streams(ctx, x.Sources)
	if len(streams) != 1 {
		return nil, fault.Usagef("%s: expected one log, found %d", arg, len(streams))
	}
	view := newReadView(ctx, r.app, streams)
	defer view.close()
	seen, _ := view.log(0)
	l, err := r.readLog(ctx, streams[0], 1, seen)
	if err != nil {
		return nil, err
	}
	if l == nil {
		return nil, fault.NoAnswerf("%s", strings.Join(r.empty, "; "))
	}
	if l.RunCount == 0 {
		return nil, fault.NoAnswerf("%s", notALog(l))
	}
	r.notesLost(l)
	return l, nil
}

// compareReport builds what people read from the comparison.
func compareReport(c *gc.Comparison, logs []*gc.Log) *report.Report {
	level := map[string]report.Level{gc.Better: report.Good, gc.Worse: report.Bad}
	out := &report.Report{Title: "GC before and after", Notes: c.Warnings, Verdict: report.Verdict{Text: c.Sentence, Level: report.Warn}}
	if l, ok := level[c.Verdict]; ok {
		out.Verdict.Level = l
	}
	t := report.Table{Caption: "Figures, with 95% intervals where there are enough pauses", Columns: []report.Column{
		{Title: "figure"}, {Title: "before", Align: report.Right}, {Title: "after", Align: report.Right}, {Title: "after is"}, {Title: "by"},
	}}
	for _, r := range c.Rows {
		row := report.Row(r.Name, estimate(r.Before, r.Unit), estimate(r.After, r.Unit), or(r.Verdict, "–"), r.Basis)
		row[3].Level = level[r.Verdict]
		t.Rows = append(t.Rows, row)
	}
	out.Add(t)
	for i, s := range []gc.Side{c.Before, c.After} {
		kv := &rows{report.KeyValues{Caption: []string{"Before", "After"}[i]}}
		kv.add("log", s.Name, "")
		kv.add("collector", or(s.Collector, notStated), fmt.Sprintf("%s over %s", counted(s.Stops, "pause", "pauses"), units.Seconds(s.Observed)))
		kv.add("by itself", s.Answer, s.Sentence)
		out.Add(kv.KeyValues)
	}
	for i, l := range logs {
		prefix := []string{"before: ", "after: "}[i]
		out.Notes = append(out.Notes, logNotes(l, prefix)...)
	}
	return out
}

// estimate writes a figure with its interval.
func estimate(e *gc.Estimate, unit string) string {
	if e == nil {
		return units.NotAvailable
	}
	write := map[string]func(float64) string{
		"seconds": units.Seconds, "ratio": units.Share, "per_second": units.Rate,
		"bytes_per_second": func(v float64) string { return units.Size(int64(v)) + "/s" },
	}[unit]
	if write == nil {
		write = units.Number
	}
	if e.Low == nil || e.High == nil {
		return write(e.Value)
	}
	return fmt.Sprintf("%s (%s to %s)", write(e.Value), write(*e.Low), write(*e.High))
}
