package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/fix"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Options are how a run judges.
type Options struct {
	Rules []rule.Rule
	// Only and Skip choose rules by ID; Only empty is all of them.
	Only, Skip []string
	// Now is the day on which ignores hold or have expired.
	Now time.Time
	// Keep keeps the documents of files that were checked, for a chain to be made of
	// them: memory then grows with the files.
	Keep bool
	// Chain is how the services call each other, nil where nobody says.
	Chain *chain.Chain
}

// Chosen are the rules that are held against files.
func (o Options) Chosen() []rule.Rule {
	return slices.DeleteFunc(slices.Clone(o.Rules), func(r rule.Rule) bool { return !o.runs(r.ID) })
}

// runs reports whether a rule is chosen.
func (o Options) runs(id string) bool {
	return (len(o.Only) == 0 || slices.Contains(o.Only, id)) && !slices.Contains(o.Skip, id)
}

// Check holds the rules that look at one file against a file and lets go of what it
// came to, but for what other rules need beside other files: so that a tree of any size
// fits into memory. It is safe for concurrent use; [Judge] does it where it was not done.
func (o Options) Check(c *Collected) {
	if c.checked {
		return
	}
	c.problems = c.AllProblems()
	c.summary = c.sum()
	c.checked = true
	g := &model.Graph{Documents: c.Documents}
	for i := range o.Rules {
		ru := &o.Rules[i]
		switch {
		case len(c.Documents) == 0 || !o.runs(ru.ID):
		case ru.Check == nil: // of chains alone
		case ru.Across != nil:
			c.keep(ru)
		default:
			found, missing := rule.RunEdits(ru, g, func(f *finding.Finding, wanted []rule.Edit) { fix.Place(c.data, f, wanted) })
			c.findings = append(c.findings, found...)
			c.missing = append(c.missing, missing...)
		}
	}
	if !o.Keep {
		c.Documents = nil
		if c.kept == nil {
			c.wide = c.few()
		}
	}
	c.data = nil
}

// keep keeps what a rule needs beside other files.
func (c *Collected) keep(ru *rule.Rule) {
	for _, d := range c.Documents {
		if left := ru.Across(d); left != nil {
			if c.kept == nil {
				c.kept = map[string][]*model.Document{}
			}
			c.kept[ru.ID] = append(c.kept[ru.ID], left)
		}
	}
}

// sum counts what a file came to.
func (c *Collected) sum() File {
	f := File{Name: c.Name, Template: c.Template, Formats: []string{}}
	for _, d := range c.Documents {
		if !slices.Contains(f.Formats, d.Format) {
			f.Formats = append(f.Formats, d.Format)
		}
		f.Hops += len(d.Hops)
		f.Services += len(d.Services)
		f.Holes += len(d.Holes)
	}
	return f
}

// Judge holds rules against what files came to. The order of the files does not
// matter.
func Judge(files []Collected, opts Options) *Result {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b Collected) int { return cmp.Compare(a.Name, b.Name) })
	r := &Result{Schema: Schema, Complete: true, Findings: []finding.Finding{}, Files: []File{}}
	var ignores []*ignore
	var all []finding.Finding
	for i := range files {
		opts.Check(&files[i])
		r.file(&files[i])
		ignores = append(ignores, files[i].ignores...)
		all = append(all, files[i].findings...)
	}
	chosen := opts.Chosen()
	r.Counts.Rules = len(chosen)
	for _, ru := range chosen {
		if ru.Across != nil && ru.Check != nil {
			g := &model.Graph{}
			for i := range files {
				g.Documents = append(g.Documents, files[i].kept[ru.ID]...)
			}
			found, missing := rule.Run(&ru, g)
			all = append(all, found...)
			r.CouldNotCheck = append(r.CouldNotCheck, missing...)
		}
	}
	if opts.Chain != nil {
		all = r.chain(chosen, opts.Chain, all)
	}
	r.characters(files, all)
	slices.SortStableFunc(r.CouldNotCheck, func(a, b rule.Missing) int { return cmp.Compare(a.Rule, b.Rule) })
	r.ignore(finding.Ordered(all), ignores, opts)
	r.finish()
	return r
}

// characters has the columns of findings, and of what else has a place, count characters.
func (r *Result) characters(files []Collected, all []finding.Finding) {
	of := ColumnsOf(files)
	if len(of) == 0 {
		return
	}
	for i := range all {
		at := &all[i].Location
		at.Column = of[at.File].column(at.Line, at.Column)
	}
	for i := range r.CouldNotCheck {
		of.Count(&r.CouldNotCheck[i].At)
	}
	of.CountProblems(r.Problems)
}

// file adds what one file came to.
func (r *Result) file(c *Collected) {
	r.Counts.Files++
	r.looked = append(r.looked, c.Name)
	switch c.State {
	case Binary, TooLarge:
		r.Counts.Skipped++
	case Recognised:
		r.Counts.Recognised++
		r.Counts.Hops += c.summary.Hops
		r.Counts.Services += c.summary.Services
		r.Files = append(r.Files, c.summary)
	}
	r.Problems = append(r.Problems, c.problems...)
	r.CouldNotCheck = append(r.CouldNotCheck, c.missing...)
}

// AllProblems are what could not be read of a file and of the documents in it.
func (c *Collected) AllProblems() []Problem {
	if c.checked {
		return c.problems
	}
	var out []Problem
	if c.State == TooLarge {
		out = append(out, Problem{File: c.Name, Message: fmt.Sprintf("larger than %d MiB: not read", MaxFile>>20)})
	}
	add := func(all []model.Problem) {
		for _, p := range all {
			out = append(out, Problem{File: c.Name, Line: p.At.Line, Column: p.At.Column, Message: p.Err})
		}
	}
	add(c.Problems)
	for _, d := range c.Documents {
		add(d.Problems)
	}
	return out
}

// ignore takes out the findings that comments ask to leave out, and says which
// comments are of no use.
func (r *Result) ignore(all []finding.Finding, ignores []*ignore, opts Options) {
	used := map[*ignore]bool{}
	for i := range all {
		g := ignoreOf(&all[i], ignores, opts.Now)
		if g == nil {
			r.Findings = append(r.Findings, all[i])
			continue
		}
		used[g] = true
		r.Ignored = append(r.Ignored, Ignored{Finding: all[i], Reason: g.reason, Until: g.until, At: g.at})
	}
	for _, g := range ignores {
		if used[g] || !slices.ContainsFunc(g.rules, opts.runs) {
			continue
		}
		why := "no finding of these rules is on the line that it is for"
		if g.until != "" && opts.Now.Format(time.DateOnly) > g.until {
			why = "it has expired on " + g.until
		}
		r.Problems = append(r.Problems, Problem{File: g.at.File, Line: g.at.Line, Column: g.at.Column, Message: "unused kneeline:ignore: " + why})
	}
}

func ignoreOf(f *finding.Finding, ignores []*ignore, now time.Time) *ignore {
	for _, g := range ignores {
		if g.holds(f, now) {
			return g
		}
	}
	return nil
}

// finish counts, orders and sums up.
func (r *Result) finish() {
	r.Counts.Errors, r.Counts.Warnings, r.Counts.Notes = 0, 0, 0
	for _, f := range r.Findings {
		switch f.Severity {
		case finding.Error:
			r.Counts.Errors++
		case finding.Warning:
			r.Counts.Warnings++
		default:
			r.Counts.Notes++
		}
	}
	r.Counts.Ignored = len(r.Ignored)
	slices.SortStableFunc(r.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	r.Verdict = r.sentence()
	if r.Compared != nil {
		r.Verdict += r.Compared.beside()
	}
	if r.Fixes != nil {
		r.Verdict = r.Fixes.sentence() + "; " + r.Verdict
	}
}

// sentence is the answer in one line.
func (r *Result) sentence() string {
	c := r.Counts
	switch {
	case c.Recognised == 0 && c.Files == 1:
		return "the file is of no format that is read"
	case c.Recognised == 0:
		return fmt.Sprintf("none of %s is of a format that is read", Counted(c.Files, "file"))
	case len(r.Findings) == 0:
		return fmt.Sprintf("no %sobjection to %s", r.new("new "), Counted(c.Recognised, "file"))
	}
	return fmt.Sprintf("%s%s, %s and %s in %s", r.new("new: "), Counted(c.Errors, "error"), Counted(c.Warnings, "warning"), Counted(c.Notes, "note"), Counted(c.Recognised, "file"))
}

// new is a word that says of findings that there are known ones beside them.
func (r *Result) new(word string) string {
	if r.Compared == nil {
		return ""
	}
	return word
}

// Counted is a number of things as the verdicts of lint write it: "1 fix", "1,200 files".
func Counted(n int, word string) string {
	switch {
	case n == 1:
		return "1 " + word
	case strings.HasSuffix(word, "x"):
		return units.Count(n) + " " + word + "es"
	}
	return units.Count(n) + " " + word + "s"
}
