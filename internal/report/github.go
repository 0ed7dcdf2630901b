package report

import (
	"fmt"
	"io"
	"strings"

	"example.com/kneeline/internal/finding"
)

// GitHub writes findings as workflow commands, which a run of GitHub Actions shows as
// annotations of the files. A runner shows the first ten of each level a step.
func GitHub(w io.Writer, is Issues) error {
	for _, f := range is.Findings {
		text := strings.Join(append([]string{clean(f.Message)}, explanation(f)...), "\n")
		if err := workflowCommand(w, githubLevel(f.Severity), f.Location, f.Rule, text); err != nil {
			return err
		}
	}
	for _, p := range is.Problems {
		at := finding.Location{File: p.File, Line: p.Line, Column: p.Column}
		if err := workflowCommand(w, "warning", at, "could not be read", clean(p.Message)); err != nil {
			return err
		}
	}
	return nil
}

func githubLevel(s finding.Severity) string {
	if s == finding.Note {
		return "notice"
	}
	return s.String()
}

func workflowCommand(w io.Writer, level string, at finding.Location, title, text string) error {
	var fields []string
	if at.File != "" {
		fields = append(fields, "file="+githubProperty(cleanPath(relative(at.File))))
	}
	if at.Line > 0 {
		fields = append(fields, fmt.Sprintf("line=%d", at.Line))
		if at.Column > 0 {
			fields = append(fields, fmt.Sprintf("col=%d", at.Column))
		}
	}
	fields = append(fields, "title="+githubProperty(title))
	_, err := fmt.Fprintf(w, "::%s %s::%s\n", level, strings.Join(fields, ","), githubData(text))
	return err
}

// What a workflow command takes for itself is escaped as actions/toolkit does it
// (packages/core/src/command.ts).
var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func githubData(s string) string     { return dataEscapes.Replace(s) }
func githubProperty(s string) string { return propertyEscapes.Replace(s) }
