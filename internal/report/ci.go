package report

import (
	"fmt"
	"net/url"
	"path"
	"strings"

	"example.com/kneeline/internal/finding"
)

// Issues are findings for programs that show them beside the code: [SARIF], [JUnit],
// [GitHub] and [GitLab] write them.
type Issues struct {
	// Tool and Version name the program that found them.
	Tool, Version string
	// Rules are the pages of the rules that were held against the files, by ID.
	Rules []finding.Rule
	// Findings are in the order in which they are to be shown.
	Findings []finding.Finding
	// Suppressed are findings that the files ask to leave out, with the reason.
	Suppressed []Suppressed
	// Compared says that Findings are those that are new beside a baseline or a
	// revision; Known are the others, Gone those of the baseline that were not found.
	Compared    bool
	Known, Gone []finding.Finding
	// Files are the files that were judged, for formats that list what is right too.
	Files []string
	// Problems are what could not be read.
	Problems []Unread
	// FailOn is the least severity that fails the run, 0 if none does.
	FailOn finding.Severity
}

// Suppressed is a finding that is left out, and why.
type Suppressed struct {
	finding.Finding
	Reason string
}

// Unread is a part of a file that could not be read.
type Unread struct {
	File         string
	Line, Column int
	Message      string
}

// explanation is all that a finding rests on, a line each: for the formats that have
// one text for it.
func explanation(f finding.Finding) []string {
	var lines []string
	for _, e := range f.Evidence {
		lines = append(lines, clean(e.Name)+": "+clean(e.Value))
	}
	if f.Remediation != "" {
		lines = append(lines, "fix: "+clean(f.Remediation))
	}
	return lines
}

// fingerprints returns one for each finding, no two alike: what has the fingerprint of
// one before it is counted, in the order of the findings.
func fingerprints(all []finding.Finding) []string {
	seen := map[string]int{}
	out := make([]string, len(all))
	for i, f := range all {
		seen[f.Fingerprint]++
		out[i] = f.Fingerprint
		if n := seen[f.Fingerprint]; n > 1 {
			out[i] = fmt.Sprintf("%s:%d", f.Fingerprint, n)
		}
	}
	return out
}

// relative is a file's path with slashes, without ./ before it.
func relative(file string) string {
	return path.Clean(strings.ReplaceAll(file, `\`, "/"))
}

// uri is a file's path as a reference: relative to the directory that the program ran
// in unless the path is absolute.
func uri(file string) string {
	p := relative(file)
	if len(p) > 1 && p[1] == ':' {
		p = "/" + p // a drive's letter
	}
	if strings.HasPrefix(p, "/") {
		return (&url.URL{Scheme: "file", Path: p}).String()
	}
	ref := (&url.URL{Path: p}).String()
	return strings.TrimPrefix(ref, "./") // put before a first part with a colon
}
