package rule

import (
	"fmt"
	"slices"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/internal/finding"
)

// Found is a finding that a check is filling in. It is valid until the next one.
type Found struct {
	f *finding.Finding
	p *Pass
	// doubtful says that it rests on a default that nobody has seen in a source.
	doubtful bool
}

// Severity overrides the severity of the rule's page. What rests on an unverified
// default stays a note.
func (f *Found) Severity(s finding.Severity) *Found {
	if !f.doubtful {
		f.f.Severity = s
	}
	return f
}

// Because adds the values that the finding rests on, each once, with where it comes from.
// One that nobody has seen in a source makes the finding a note.
func (f *Found) Because(values ...model.Value) *Found {
	for _, v := range values {
		if v.Unverified {
			f.f.Severity, f.doubtful = finding.Note, true
		}
		e := finding.Evidence{Name: v.Key, Value: Explain(v)}
		if slices.Contains(f.f.Evidence, e) {
			continue
		}
		if v.Unit == model.Count && slices.ContainsFunc(f.f.Evidence, func(other finding.Evidence) bool { return other.Name == e.Name }) {
			// A setting of retries, and what it comes to: the format counts otherwise.
			e.Name = "tries in all"
		}
		f.f.Evidence = append(f.f.Evidence, e)
	}
	return f
}

// Formula adds the formula with its numbers put in.
func (f *Found) Formula(format string, args ...any) *Found {
	f.f.Evidence = append(f.f.Evidence, finding.Evidence{Name: "formula", Value: fmt.Sprintf(format, args...)})
	return f
}

// Fix says which setting to write, with its value.
func (f *Found) Fix(format string, args ...any) *Found {
	f.f.Remediation = fmt.Sprintf(format, args...)
	return f
}

// At is where a value is written, and the place of the object that it belongs to for
// one that is not written anywhere.
func At(v model.Value, object model.Position) model.Position {
	if v.At.Line > 0 {
		return v.At
	}
	return object
}

// Explain writes a value with where it comes from: file and line, or the default and
// its source.
func Explain(v model.Value) string {
	switch v.Origin {
	case model.Set, model.Hole:
		if v.At.Line > 0 {
			return fmt.Sprintf("%s (%s:%d)", v, v.At.File, v.At.Line)
		}
		return fmt.Sprintf("%s (%s)", v, v.At.File)
	case model.Default:
		if v.Unverified {
			return fmt.Sprintf("%s (default, not verified: %s)", v, v.Source)
		}
		return fmt.Sprintf("%s (default: %s)", v, v.Source)
	case model.Derived:
		return fmt.Sprintf("%s (%s)", v, v.Source)
	}
	return v.String()
}
