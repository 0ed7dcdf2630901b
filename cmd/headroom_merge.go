package cmd

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/merge"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// mergeOptions are the flags of `kneeline headroom merge`.
type mergeOptions struct {
	clockAhead []string
}

func newHeadroomMerge(a *app) *cobra.Command {
	o := &mergeOptions{}
	c := &cobra.Command{
		Use:   "merge RESULT...",
		Short: "Make one result of holds that several machines ran at the same time",
		Long: `Merges the results of N load generators that held a rate together, each its share of it
with --hold RATE/N: counts, histograms and windows add up, so that the merged result is
the one that a single generator would have had, quantiles to within a bucket. The verdict
on the objective is given for the rate of all together.

Searches are not merged: each of them steers by what it sees alone.`,
		Example: examples(
			"headroom merge part-1.json part-2.json -o json=all.json", "",
			"headroom merge 'part-*.json' --clock-ahead part-2.json=1.2s", "the second machine's clock is ahead",
			"headroom merge 'part-*.json' -o hdr=all.hlog", "for tools that read logs of HdrHistogram"),
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fault.Usagef("%s: expected results to merge, found none", c.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runHeadroomMerge(a, o, args) },
	}
	offerFormats(c, headroomFormats...)
	c.Flags().StringArrayVar(&o.clockAhead, "clock-ahead", nil, "by how much a machine's clock is ahead, as `FILE=DURATION`; may be repeated")
	return c
}

func runHeadroomMerge(a *app, o *mergeOptions, args []string) error {
	results, names, err := readResults(a, args)
	if err != nil {
		return err
	}
	ahead, err := o.clocks(names)
	if err != nil {
		return err
	}
	var parts []merge.Input
	for i, r := range results {
		parts = append(parts, merge.Input{Name: names[i], Result: r, ClockAhead: ahead[names[i]]})
	}
	res, err := merge.Results(parts)
	if res == nil {
		return err
	}
	cfg := headroom.Config{Target: res.Target, Timeout: time.Duration(res.TimeoutSeconds * float64(time.Second)),
		Gate: headroom.Gate{HoldRate: res.Settings.HoldRate, HoldFor: time.Duration(res.Settings.HoldSeconds * float64(time.Second))}}
	m := &measurement{app: a, opts: &headroomOptions{}, cfg: cfg}
	rep := m.report(res, err)
	rep.Title = "Merged: " + rep.Title
	rep.Add(partsTable(res))
	werr := a.out.write(result{JSON: res, Report: rep, Extra: headroomExtra(res)})
	return errors.Join(err, werr, gateError(res))
}

// clocks reads --clock-ahead, by name of a result.
func (o *mergeOptions) clocks(names []string) (map[string]time.Duration, error) {
	ahead := map[string]time.Duration{}
	for _, text := range o.clockAhead {
		i := strings.LastIndex(text, "=")
		if i < 0 {
			return nil, fault.Usagef("--clock-ahead: expected FILE=DURATION, found %q", text)
		}
		name := text[:i]
		var d units.DurationValue
		value, negative := strings.CutPrefix(text[i+1:], "-")
		if err := d.Set(value); err != nil {
			return nil, fault.Usagef("--clock-ahead %s: %w", name, err)
		}
		if negative {
			d = -d
		}
		known := false
		for _, n := range names {
			known = known || n == name
		}
		if !known {
			return nil, fault.Usagef("--clock-ahead: expected the name of one of the results, found %q", name)
		}
		ahead[name] = time.Duration(d)
	}
	return ahead, nil
}

// partsTable lists what was merged.
func partsTable(res *headroom.Result) report.Block {
	t := report.Table{Caption: "Parts", Columns: []report.Column{
		{Title: "result"}, rightColumn("rate"), rightColumn("requests"), rightColumn("began after the first")}}
	for _, p := range res.MergedFrom {
		offset := units.NotAvailable
		if p.Offset != nil {
			offset = units.Seconds(*p.Offset)
		}
		t.Rows = append(t.Rows, report.Row(p.Name, units.Rate(p.Rate), units.Count(p.Planned), offset))
	}
	return t
}
