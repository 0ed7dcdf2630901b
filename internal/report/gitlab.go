package report

import (
	"encoding/json"
	"io"
	"strings"

	"example.com/kneeline/internal/finding"
)

// gitlabIssue is an issue of a code quality report of GitLab, a part of the format of
// Code Climate.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// GitLab writes findings as a code quality report. It has no words for what could not
// be read.
func GitLab(w io.Writer, is Issues) error {
	issues := []gitlabIssue{}
	ids := fingerprints(is.Findings)
	for i, f := range is.Findings {
		text := clean(f.Message)
		if f.Remediation != "" {
			text += "; fix: " + clean(f.Remediation)
		}
		issues = append(issues, gitlabIssue{
			Description: text, CheckName: f.Rule, Fingerprint: ids[i], Severity: gitlabSeverity(f.Severity),
			// A line is required; what stands for the whole file stands at its beginning.
			Location: gitlabLocation{Path: strings.TrimPrefix(relative(f.Location.File), "./"), Lines: gitlabLines{max(f.Location.Line, 1)}},
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(issues)
}

// gitlabSeverity puts a severity into the five of the format.
func gitlabSeverity(s finding.Severity) string {
	switch s {
	case finding.Error:
		return "critical"
	case finding.Warning:
		return "major"
	}
	return "info"
}
