package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Finding is one thing a command objects to.
type Finding struct {
	// Rule is the ID of the rule that is broken.
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	// Message is one sentence with the figures, without a final period.
	Message  string   `json:"message"`
	Location Location `json:"location"`
	// Evidence is the numbers the finding rests on, formatted for people.
	Evidence []Evidence `json:"evidence,omitempty"`
	// Remediation is the exact setting to change and the value to give it.
	Remediation string `json:"remediation,omitempty"`
	// Edits write the remediation into the files, where there is exactly one right
	// value and it can be put in place safely. All of them are made or none. Results
	// that offer them have keys of their own for them.
	Edits []Edit `json:"-"`
	// NoEdit says why a remediation with exactly one right value is not in Edits.
	NoEdit string `json:"-"`
	// Fingerprint identifies the finding from one run to the next; see the
	// function of the same name.
	Fingerprint string `json:"fingerprint"`
}

// Edit replaces one text of a file by another.
type Edit struct {
	File string `json:"file"`
	// Offset is where Old begins, in bytes from the beginning of the file.
	Offset int `json:"offset_bytes"`
	// Line and Column are the same place for people, counted from 1, the column in
	// characters; what is replaced is within one line, or whole lines.
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Old    string `json:"old"`
	New    string `json:"new"`
}

// Location is where a finding is. Fields that do not apply are zero.
type Location struct {
	File string `json:"file,omitempty"`
	// Line and Column count from 1.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Span is a time span as people read it, such as "62s-70s".
	Span string `json:"span,omitempty"`
	// Object is what has no place in a file: a service, a queue, a class.
	Object string `json:"object,omitempty"`
}

// String returns the location on one line, in the form file:line:column that
// editors follow, then object and span; empty for no location.
func (l Location) String() string {
	var parts []string
	if l.File != "" {
		place := l.File
		if l.Line > 0 {
			place += ":" + strconv.Itoa(l.Line)
			if l.Column > 0 {
				place += ":" + strconv.Itoa(l.Column)
			}
		}
		parts = append(parts, place)
	}
	for _, s := range []string{l.Object, l.Span} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " ")
}

// Evidence is one number or setting a finding rests on.
type Evidence struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// fingerprintVersion is part of what is hashed: should the recipe ever change,
// old and new fingerprints cannot be mistaken for each other.
const fingerprintVersion = "1"

// Fingerprint returns 16 hexadecimal digits that stay the same as long as a
// finding is the same one: they depend on the rule, the file's path, the object
// and key, which tells findings of one rule at one place apart (the setting's
// name, say). They do not depend on line, column or time span, which move when
// something else changes, nor on the figures in the message.
func Fingerprint(rule string, at Location, key string) string {
	h := sha256.New()
	for _, part := range []string{fingerprintVersion, rule, normalPath(at.File), strings.TrimSpace(at.Object), key} {
		// The length keeps "ab"+"c" apart from "a"+"bc".
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// normalPath makes one name of the ways to write a path: "./a/b", "a//b" and
// "a\b" are "a/b".
func normalPath(file string) string {
	if file == "" {
		return ""
	}
	return path.Clean(strings.ReplaceAll(file, `\`, "/"))
}

// Ordered returns findings without duplicates, the worst first, then by place
// and rule. Two findings are duplicates when rule, location and message are the
// same; the one with the higher severity stays.
func Ordered(findings []Finding) []Finding {
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, compare)
	type identity struct {
		rule, message string
		at            Location
	}
	seen := make(map[identity]bool, len(sorted))
	return slices.DeleteFunc(sorted, func(f Finding) bool {
		id := identity{f.Rule, f.Message, f.Location}
		dup := seen[id]
		seen[id] = true
		return dup
	})
}

func compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.Location.File, b.Location.File),
		cmp.Compare(a.Location.Line, b.Location.Line),
		cmp.Compare(a.Location.Column, b.Location.Column),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Location.Object, b.Location.Object),
		cmp.Compare(a.Location.Span, b.Location.Span),
		cmp.Compare(a.Message, b.Message),
	)
}

// MaxSeverity returns the worst severity among findings, 0 when there is none.
func MaxSeverity(findings []Finding) Severity {
	var worst Severity
	for _, f := range findings {
		worst = max(worst, f.Severity)
	}
	return worst
}
