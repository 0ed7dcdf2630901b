package cmd

import (
	"context"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/baseline"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/atomicfile"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// lintCompare are the flags on what findings are compared with.
type lintCompare struct {
	baseline string
	write    bool
	newFrom  string
}

// maxBaseline is the largest baseline that is read.
const maxBaseline = 64 << 20

func (o *lintCompare) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.baseline, "baseline", "", "report and fail on findings alone that are not in `FILE`")
	f.BoolVar(&o.write, "write-baseline", false, "write the findings of this run to the file of --baseline")
	f.StringVar(&o.newFrom, "new-from", "", "report and fail on findings alone that are on lines changed since `REV` of git")
	onlyByHand(f, "write-baseline")
	must(c.RegisterFlagCompletionFunc("baseline", completeFiles))
	must(c.RegisterFlagCompletionFunc("new-from", noCompletion))
}

func noCompletion(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// beside is what the findings of a run are compared with, read before any work.
type beside struct {
	compared lint.Compared
	agreed   *baseline.File
	isNew    func(finding.Location) bool
}

// notEmpty refuses flags that were given nothing: what a command in a script failed to
// tell must not pass for a flag that was left out.
func notEmpty(f *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if x := f.Lookup(name); x != nil && x.Changed && x.Value.String() == "" {
			what, _ := pflag.UnquoteUsage(x)
			return fault.Usagef("--%s: expected %s, found nothing", name, what)
		}
	}
	return nil
}

// open reads the baseline and asks git.
func (o *lintCompare) open(ctx context.Context) (*beside, error) {
	b := &beside{compared: lint.Compared{Baseline: filepath.ToSlash(o.baseline), Revision: o.newFrom}}
	if o.write && o.baseline == "" {
		return nil, fault.Usagef("--write-baseline: expected --baseline FILE with it, which it writes, found none")
	}
	if o.write {
		if err := atomicfile.Check(o.baseline); err != nil {
			return nil, fault.NoAnswerf("--baseline: %w", err)
		}
	}
	if o.baseline != "" && !o.write {
		data, err := input.ReadFile(o.baseline, nil, maxBaseline)
		if err != nil {
			return nil, fault.WithHint(err, "--write-baseline writes it from the findings of today")
		}
		agreed, err := baseline.Read(data)
		if err != nil {
			return nil, fault.NoAnswerf("%s: %w", o.baseline, err)
		}
		b.agreed = &agreed
	}
	if o.newFrom != "" {
		since, err := changedSince(ctx, o.newFrom)
		if err != nil {
			return nil, err
		}
		b.isNew = since
	}
	return b, nil
}

// compare keeps the new findings of a result, and writes the baseline where that is
// asked for: all are then known.
func (o *lintCompare) compare(b *beside, res *lint.Result, opts lint.Options) error {
	if res.Compared != nil {
		return nil // fixes were made of what is new
	}
	agreed := b.agreed
	if o.write && res.Complete { // what was not looked at is not agreed on
		now := baseline.Of(res.Findings)
		if err := atomicfile.Write(o.baseline, func(w io.Writer) error { return now.Write(w) }); err != nil {
			return fault.NoAnswerf("--baseline: %w", err)
		}
		agreed = &now
	}
	if agreed == nil && b.isNew == nil {
		return nil
	}
	c := b.compared
	res.Compare(&c, agreed, b.isNew, opts)
	return nil
}

// severityOf is the severity of a rule's page.
func severityOf(rules []rule.Rule, id string) finding.Severity {
	for _, r := range rules {
		if r.ID == id {
			return r.Severity
		}
	}
	return finding.Warning
}

// comparedBlocks say what is known and what is fixed.
func comparedBlocks(res *lint.Result) []report.Block {
	c := res.Compared
	if c == nil {
		return nil
	}
	kv := &rows{report.KeyValues{Caption: "Compared"}}
	if c.Baseline != "" {
		kv.add("baseline", c.Baseline, "")
	}
	if c.Revision != "" {
		kv.add("revision", c.Revision, "what is on other lines counts as known")
	}
	kv.add("new", units.Count(int64(c.New)), "")
	kv.add("still there", units.Count(int64(c.Still)), "not counted by --fail-on")
	if c.Baseline != "" {
		kv.add("fixed", units.Count(int64(c.FixedCount)), "")
	}
	if c.Unseen > 0 {
		kv.add("not looked at", units.Count(int64(c.Unseen)), "in the baseline, for rules or files without part in this run")
	}
	blocks := []report.Block{kv.KeyValues}
	if len(c.Fixed) > 0 {
		t := report.Table{Caption: "Fixed since the baseline", Columns: []report.Column{{Title: "rule"}, {Title: "where"}, {Title: "what it was"}}}
		for _, e := range c.Fixed {
			t.Rows = append(t.Rows, report.Row(e.Rule, finding.Location{File: e.File, Object: e.Object}.String(), e.Message))
		}
		blocks = append(blocks, t)
	}
	return blocks
}
