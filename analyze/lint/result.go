package lint

import (
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Schema names the form of the result.
const Schema = "kneeline.lint/v1"

// Result is what a run of lint came to; it is the JSON.
type Result struct {
	Schema   string `json:"schema"`
	Complete bool   `json:"complete"`
	// Verdict is the answer in one sentence.
	Verdict  string            `json:"verdict"`
	Counts   Counts            `json:"counts"`
	Findings []finding.Finding `json:"findings"`
	// Ignored are the findings that comments in the files ask to leave out.
	Ignored []Ignored `json:"ignored,omitempty"`
	// CouldNotCheck is what rules lack.
	CouldNotCheck []rule.Missing `json:"could_not_check,omitempty"`
	// Files are the files that a format was recognised in, in the order of their names.
	Files []File `json:"files"`
	// Problems are what could not be read, file by file.
	Problems []Problem `json:"problems,omitempty"`
	// Compared says what the run was compared with: Findings are then new ones alone,
	// and Still the others.
	Compared *Compared         `json:"compared,omitempty"`
	Still    []finding.Finding `json:"still,omitempty"`
	// Fixes are what the fixes with one right value came to, where they were asked for.
	Fixes *Fixes `json:"fixes,omitempty"`

	// looked are the names of all files that were looked at.
	looked []string
}

// Counts sums up a result.
type Counts struct {
	Errors   int `json:"error_count"`
	Warnings int `json:"warning_count"`
	Notes    int `json:"note_count"`
	Ignored  int `json:"ignored_count"`
	// Files is how many files were looked at, Recognised those with a format of ours.
	Files      int `json:"file_count"`
	Recognised int `json:"recognised_count"`
	// Skipped are files that were not looked into: binary or too large.
	Skipped  int `json:"skipped_count"`
	Hops     int `json:"hop_count"`
	Services int `json:"service_count"`
	Rules    int `json:"rule_count"`
}

// File is one file with a format that is read.
type File struct {
	Name string `json:"file"`
	// Formats are what was found in it.
	Formats  []string `json:"formats"`
	Hops     int      `json:"hop_count"`
	Services int      `json:"service_count"`
	Holes    int      `json:"hole_count,omitempty"`
	Template string   `json:"template,omitempty"`
}

// Problem is a part of a file that could not be read.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// Ignored is a finding that a comment asks to leave out.
type Ignored struct {
	finding.Finding
	// Reason is the comment's, Until the day after which it holds no more, empty for
	// none.
	Reason string `json:"reason"`
	Until  string `json:"until,omitempty"`
	// At is where the comment is.
	At model.Position `json:"comment"`
}

// AddProblems adds what could not be read of files that take part otherwise, such as a
// topology.
func (r *Result) AddProblems(all []Problem) {
	r.Problems = append(r.Problems, all...)
	r.finish()
}
