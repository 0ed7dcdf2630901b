package lint

import (
	"fmt"

	"example.com/kneeline/analyze/lint/baseline"
	"example.com/kneeline/internal/finding"
)

// Compared is what a run was compared with, and what came of it.
type Compared struct {
	// Baseline is the file of agreed findings, Revision that of git; empty for none.
	Baseline string `json:"baseline,omitempty"`
	Revision string `json:"revision,omitempty"`
	New      int    `json:"new_count"`
	Still    int    `json:"still_count"`
	// FixedCount counts what the baseline has and the run has not found.
	FixedCount int `json:"fixed_count"`
	// Unseen counts what the baseline has for rules and files that had no part in the
	// run.
	Unseen int              `json:"unseen_count"`
	Fixed  []baseline.Entry `json:"fixed,omitempty"`
}

// Fixes are what the fixes with exactly one right value came to.
type Fixes struct {
	// Written says that the files have been changed; false for a look at what would be.
	Written bool        `json:"written"`
	Files   []FixedFile `json:"files"`
	// Fixed are the findings that the changes do away with, Left those with one right
	// value that are left to a person.
	Fixed []FixedFinding `json:"fixed"`
	Left  []LeftFinding  `json:"left"`
}

// FixedFinding is a finding with the edits that do away with it.
type FixedFinding struct {
	finding.Finding
	Changes []finding.Edit `json:"edits"`
}

// LeftFinding is a finding whose one right value is not written, and why.
type LeftFinding struct {
	finding.Finding
	Why string `json:"why"`
}

// FixedFile is the change of one file.
type FixedFile struct {
	Name  string `json:"file"`
	Fixed int    `json:"fixed_count"`
	// Diff is the change as a unified diff.
	Diff string `json:"diff"`
}

// Compare keeps as findings those that are new beside a baseline and to a revision, nil
// for none, and puts the others into Still. It may be called for one after the other.
func (r *Result) Compare(c *Compared, agreed *baseline.File, isNew func(finding.Location) bool, opts Options) {
	if agreed != nil {
		looked := map[string]bool{}
		for _, name := range r.looked {
			looked[name] = true
		}
		var ignored []finding.Finding
		for _, g := range r.Ignored {
			ignored = append(ignored, g.Finding)
		}
		is := agreed.Compare(r.Findings, ignored, func(id, file string) bool { return opts.runs(id) && (file == "" || looked[file]) })
		r.Findings, r.Still = is.New, append(r.Still, is.Still...)
		c.Fixed, c.Unseen = is.Fixed, is.Unseen
		for _, e := range is.Fixed {
			c.FixedCount += e.Count
		}
	}
	if isNew != nil {
		kept := []finding.Finding{}
		for _, f := range r.Findings {
			if isNew(f.Location) {
				kept = append(kept, f)
			} else {
				r.Still = append(r.Still, f)
			}
		}
		r.Findings = kept
	}
	r.Still = finding.Ordered(r.Still)
	c.New, c.Still = len(r.Findings), len(r.Still)
	r.Compared = c
	r.finish()
}

// beside says what a run was compared with, as the end of a sentence.
func (c *Compared) beside() string {
	text := fmt.Sprintf("; %d known", c.Still)
	if c.FixedCount > 0 {
		text += fmt.Sprintf(", %d fixed", c.FixedCount)
	}
	return text
}

// sentence says what became of the fixes.
func (f *Fixes) sentence() string {
	verb := "would be made"
	if f.Written {
		verb = "made"
	}
	switch {
	case len(f.Fixed) == 0 && len(f.Left) == 0:
		return "no fix has just one right value"
	case len(f.Fixed) == 0:
		return fmt.Sprintf("no fix %s, %d left to you", verb, len(f.Left))
	case len(f.Left) > 0:
		return fmt.Sprintf("%s %s in %s, %d left to you", Counted(len(f.Fixed), "fix"), verb, Counted(len(f.Files), "file"), len(f.Left))
	}
	return fmt.Sprintf("%s %s in %s", Counted(len(f.Fixed), "fix"), verb, Counted(len(f.Files), "file"))
}

// AddFixes adds what became of the fixes to the result.
func (r *Result) AddFixes(f *Fixes) {
	r.Fixes = f
	r.finish()
}
