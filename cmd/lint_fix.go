package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/fix"
	"example.com/kneeline/internal/atomicfile"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/input"
	"example.com/kneeline/internal/report"
)

// lintFix are the flags on fixes.
type lintFix struct {
	fix, dryRun bool
}

func (o *lintFix) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&o.fix, "fix", false, "write the fixes that have just one right value into the files")
	f.BoolVar(&o.dryRun, "dry-run", false, "with --fix: show the changes as a diff and write none")
	onlyByHand(f, "fix", "dry-run")
}

// check refuses what cannot be fixed.
func (o *lintFix) check(args []string) error {
	switch {
	case o.dryRun && !o.fix:
		return fault.Usagef("--dry-run is for --fix, which it keeps from writing")
	case o.fix && slices.Contains(args, input.Stdin):
		return fault.Usagef("--fix: expected files, found - for stdin, which cannot be written to")
	}
	return nil
}

// apply plans the fixes of a result and writes them unless they are only to be shown.
// What could not be read or written is in the error; the other files are changed.
func (o *lintFix) apply(ctx context.Context, c *lint.Collector, res *lint.Result, opts lint.Options) (*lint.Fixes, error) {
	opts.Chain, opts.Keep = nil, false // what a fix is proven by is held against its file alone
	out := &lint.Fixes{Written: !o.dryRun, Files: []lint.FixedFile{}, Fixed: []lint.FixedFinding{}, Left: []lint.LeftFinding{}}
	var errs []error
	for _, group := range byFile(res.Findings) {
		file := group[0].Location.File
		if ctx.Err() != nil || !slices.ContainsFunc(group, fixable) {
			continue
		}
		change, err := planFile(c, file, group, opts)
		if err == nil && len(change.Fixed) > 0 && !o.dryRun {
			err = writeFixed(filepath.FromSlash(file), change.New)
		}
		if err != nil {
			errs = append(errs, fault.NoAnswerf("--fix: %w", err))
			continue
		}
		for _, f := range change.Left {
			out.Left = append(out.Left, lint.LeftFinding{Finding: f, Why: f.NoEdit})
		}
		for _, f := range change.Fixed {
			out.Fixed = append(out.Fixed, lint.FixedFinding{Finding: f, Changes: f.Edits})
		}
		if len(change.Fixed) > 0 {
			out.Files = append(out.Files, lint.FixedFile{Name: file, Fixed: len(change.Fixed), Diff: change.Diff()})
		}
	}
	return out, errors.Join(errs...)
}

// fixed makes the fixes of the findings that are new, and judges the files anew where
// some have been changed. What could not be written is among the errors of the inputs.
func (o *lintOptions) fixed(ctx context.Context, a *app, args []string, opts lint.Options, known *beside, in *lintRead, res *lint.Result) (*lintRead, *lint.Result, error) {
	c, err := o.collector(a)
	if err != nil {
		return nil, nil, err
	}
	if !o.write {
		if err := o.compare(known, res, opts); err != nil {
			return nil, nil, err
		}
	}
	fixes, failed := o.apply(ctx, c, res, opts)
	if fixes.Written && len(fixes.Files) > 0 {
		if in, res, err = o.judge(ctx, a, args, opts); err != nil {
			return nil, nil, err
		}
	}
	if failed != nil {
		in.errs = append(in.errs, failed)
	}
	res.AddFixes(fixes)
	return in, res, nil
}

func fixable(f finding.Finding) bool { return len(f.Edits) > 0 || f.NoEdit != "" }

// writeFixed puts the fixed text in the place of a file. One that nobody may write to is
// left alone, though a new file could take its name.
func writeFixed(path string, text []byte) error {
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("cannot write %s: it is read-only", path)
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(text))
		return err
	})
}

// packed are the first bytes of files that are read unpacked: gzip and zstd.
var packed = [][]byte{{0x1f, 0x8b}, {0x28, 0xb5, 0x2f, 0xfd}}

func planFile(c *lint.Collector, file string, group []finding.Finding, opts lint.Options) (fix.Change, error) {
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		return fix.Change{}, err
	}
	if slices.ContainsFunc(packed, func(magic []byte) bool { return bytes.HasPrefix(data, magic) }) {
		group = slices.Clone(group)
		for i := range group {
			if fixable(group[i]) {
				group[i].Edits, group[i].NoEdit = nil, "the file is packed"
			}
		}
	}
	return fix.Plan(file, data, group, func(data []byte) ([]finding.Finding, int) {
		r := lint.Judge([]lint.Collected{c.Read(file, data)}, opts)
		return r.Findings, len(r.Problems)
	}), nil
}

// fixBlocks show what became of the fixes.
func fixBlocks(f *lint.Fixes) []report.Block {
	if f == nil {
		return nil
	}
	var blocks []report.Block
	for _, file := range f.Files {
		caption := "Would be changed: " + file.Name
		if f.Written {
			caption = "Changed: " + file.Name
		}
		blocks = append(blocks, report.Code{Caption: caption, Text: file.Diff, Lang: "diff"})
	}
	if len(f.Left) > 0 {
		t := report.Table{Caption: "Fixes left to you", Columns: []report.Column{{Title: "rule"}, {Title: "where"}, {Title: "fix"}, {Title: "why it is not written"}}}
		for _, x := range f.Left {
			t.Rows = append(t.Rows, report.Row(x.Rule, finding.Location{File: x.Location.File, Line: x.Location.Line}.String(), x.Remediation, x.Why))
		}
		blocks = append(blocks, t)
	}
	return blocks
}
