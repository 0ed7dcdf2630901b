package report

import (
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/term"
)

// severityLevel is how a finding of a severity is shown.
func severityLevel(s finding.Severity) Level {
	switch s {
	case finding.Error:
		return Bad
	case finding.Warning:
		return Warn
	}
	return Neutral
}

func (f Findings) none() string {
	if f.Empty != "" {
		return f.Empty
	}
	return "no findings"
}

// findings writes each finding as severity, rule and message, and under it what
// it rests on and how to fix it.
func (t *text) findings(f Findings) {
	t.caption(f.Caption)
	if len(f.Findings) == 0 {
		t.prose("", f.none(), 0, t.styles.Faint)
	}
	for i, it := range f.Findings {
		if i > 0 {
			t.gap()
		}
		t.finding(it)
	}
}

// longName is over how many columns the name of a setting gets a line of its own, so
// that it does not push the values of the others to the right.
const longName = 24

func (t *text) finding(f finding.Finding) {
	severity, rule := t.clean(f.Severity.String()), t.clean(f.Rule)
	lead := t.level(severityLevel(f.Severity)).Render(severity) + " " + rule + " "
	hang := 2
	if term.Width(lead)+minWidth <= t.room() {
		t.prose(lead, f.Message, term.Width(lead), t.styles.Strong)
	} else {
		t.prose("", severity+" "+rule, 0, t.level(severityLevel(f.Severity)))
		t.prose("", f.Message, hang, t.styles.Strong)
	}
	details := []finding.Evidence{{Name: "where", Value: f.Location.String()}}
	details = append(details, f.Evidence...)
	details = append(details, finding.Evidence{Name: "fix", Value: f.Remediation})
	names := 0
	for _, d := range details {
		if w := term.Width(t.clean(d.Name)); d.Value != "" && w <= longName {
			names = max(names, w)
		}
	}
	t.indent += hang
	for _, d := range details {
		if d.Value != "" {
			t.keyValue(KeyValue{Key: d.Name, Value: d.Value}, t.hang(names))
		}
	}
	t.indent -= hang
}
