// Package baseline is the list of findings that a project has agreed to live with for
// now, so that a gate fails on new ones alone.
//
// A finding is known again by its fingerprint, which depends on neither lines nor
// figures. The package judges nothing and opens no files.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"example.com/kneeline/internal/finding"
)

// Schema names the form of the file.
const Schema = "kneeline.lint-baseline/v1"

// File is a baseline; it is the JSON.
type File struct {
	Schema   string  `json:"schema"`
	Findings []Entry `json:"findings"`
}

// Entry is one finding, or several with one fingerprint.
type Entry struct {
	Fingerprint string `json:"fingerprint"`
	// Count is how many findings have the fingerprint, at least 1.
	Count int    `json:"count"`
	Rule  string `json:"rule"`
	File  string `json:"file,omitempty"`
	// Object and Message are for people who read the file; they are not compared.
	Object  string `json:"object,omitempty"`
	Message string `json:"message,omitempty"`
}

// Of returns the baseline of findings, in an order that does not depend on theirs.
func Of(all []finding.Finding) File {
	f := File{Schema: Schema, Findings: []Entry{}}
	at := map[string]int{}
	for _, x := range all {
		if i, ok := at[x.Fingerprint]; ok {
			f.Findings[i].Count++
			continue
		}
		at[x.Fingerprint] = len(f.Findings)
		f.Findings = append(f.Findings, Entry{
			Fingerprint: x.Fingerprint, Count: 1, Rule: x.Rule, File: x.Location.File, Object: x.Location.Object, Message: x.Message,
		})
	}
	slices.SortFunc(f.Findings, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	return f
}

// Write writes the file.
func (f File) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(f)
}

// Read reads a file that [File.Write] has written.
func Read(data []byte) (File, error) {
	var f File
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&f); err != nil {
		return File{}, fmt.Errorf("byte %d: expected a baseline as --write-baseline writes it: %w", dec.InputOffset(), err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return File{}, fmt.Errorf("byte %d: expected the end of the file after the baseline", dec.InputOffset())
	}
	if f.Schema != Schema {
		return File{}, fmt.Errorf("expected the schema %s, found %q", Schema, f.Schema)
	}
	for i, e := range f.Findings {
		if e.Fingerprint == "" || e.Count < 1 || e.Rule == "" {
			return File{}, fmt.Errorf("finding %d: expected a fingerprint, a rule and a count of at least 1", i+1)
		}
	}
	return f, nil
}

// Comparison is how the findings of a run stand to a baseline.
type Comparison struct {
	// New are not in the baseline, Still are.
	New, Still []finding.Finding
	// Fixed are in the baseline and were not found, though their rules were held
	// against their files.
	Fixed []Entry
	// Unseen counts findings of the baseline whose rule or file had no part in the run.
	Unseen int
}

// Compare compares findings with a baseline. Ignored are findings that comments leave
// out: they are not fixed. Judged says whether a rule was held against a file.
func (f File) Compare(found, ignored []finding.Finding, judged func(rule, file string) bool) Comparison {
	left := map[string]int{}
	for _, e := range f.Findings {
		left[e.Fingerprint] += e.Count
	}
	c := Comparison{New: []finding.Finding{}}
	for _, x := range found {
		if left[x.Fingerprint] > 0 {
			left[x.Fingerprint]--
			c.Still = append(c.Still, x)
			continue
		}
		c.New = append(c.New, x)
	}
	for _, x := range ignored {
		left[x.Fingerprint]--
	}
	for _, e := range f.Findings {
		n := min(left[e.Fingerprint], e.Count)
		switch {
		case n <= 0:
			continue
		case !judged(e.Rule, e.File):
			c.Unseen += n
		default:
			e.Count = n
			c.Fixed = append(c.Fixed, e)
		}
		left[e.Fingerprint] -= n
	}
	return c
}
