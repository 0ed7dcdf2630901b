package cmd

import (
	"fmt"
	"regexp"
	"strconv"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/internal/finding"
)

// amend puts lines of templates in the place of lines of the stream that helm template
// has written. A line that cannot be found in its template is left out of the place and
// named as what it is.
func (in *lintRead) amend(res *lint.Result) {
	for _, f := range in.streams {
		m := mapping{renderedFile: f, places: regexp.MustCompile(regexp.QuoteMeta(f.name) + `:([0-9]+)`)}
		for i := range res.Findings {
			m.finding(&res.Findings[i])
		}
		for i := range res.Ignored {
			m.finding(&res.Ignored[i].Finding)
			if at := &res.Ignored[i].At; at.File == f.name {
				at.Line, at.Column = m.line(at.Line, at.Column)
			}
		}
		for i := range res.CouldNotCheck {
			if at := &res.CouldNotCheck[i].At; at.File == f.name {
				at.Line, at.Column = m.line(at.Line, at.Column)
			}
		}
		for i := range res.Problems {
			if p := &res.Problems[i]; p.File == f.name {
				p.Line, p.Column = m.line(p.Line, p.Column)
			}
		}
	}
	if len(in.streams) > 0 {
		res.Findings = finding.Ordered(res.Findings)
	}
}

// mapping leads from the stream to one template.
type mapping struct {
	renderedFile
	places *regexp.Regexp
}

func (m mapping) finding(f *finding.Finding) {
	if f.Location.File != m.name {
		return
	}
	if f.Edits != nil {
		f.Edits, f.NoEdit = nil, "a template writes it"
	}
	before := f.Location.Line
	f.Location.Line, f.Location.Column = m.line(before, f.Location.Column)
	for i := range f.Evidence {
		f.Evidence[i].Value = m.text(f.Evidence[i].Value)
	}
	f.Message = m.text(f.Message)
	if before > 0 && f.Location.Line == 0 {
		f.Evidence = append(f.Evidence, finding.Evidence{Name: "rendered", Value: fmt.Sprintf("line %d of stdin", before)})
	}
}

// line is the place in the template, without a line where that is not clear. Columns
// are the same, since expressions stand behind keys.
func (m mapping) line(line, column int) (int, int) {
	if m.lines == nil {
		return 0, 0
	}
	if to := m.lines.Of(line); to > 0 {
		return to, column
	}
	return 0, 0
}

// text puts the places in a text right.
func (m mapping) text(s string) string {
	return m.places.ReplaceAllStringFunc(s, func(place string) string {
		digits := m.places.FindStringSubmatch(place)[1]
		n, err := strconv.Atoi(digits)
		if err != nil {
			return place
		}
		if to, _ := m.line(n, 0); to > 0 {
			return fmt.Sprintf("%s:%d", m.name, to)
		}
		return fmt.Sprintf("%s, line %d of stdin", m.name, n)
	})
}
