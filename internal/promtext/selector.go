package promtext

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Selector names series: a metric, and matchers of labels as in a query, of which
// all must hold.
type Selector struct {
	Name     string
	Matchers []Matcher
	text     string
}

// Matcher compares one label.
type Matcher struct {
	Label string
	// Op is =, !=, =~ or !~; the last two match regular expressions of the whole
	// value (RE2).
	Op    string
	Value string
	re    *regexp.Regexp
}

// maxPattern bounds a regular expression.
const maxPattern = 1000

// String returns the selector as it was written.
func (s Selector) String() string { return s.text }

// ParseSelector reads the selector at the beginning of a text, such as
// http_requests_total{code=~"5.."}, and returns what follows it.
func ParseSelector(text string) (Selector, string, error) {
	s := &scanner{text: text}
	s.blanks()
	from := s.at
	sel := Selector{Name: s.name(true)}
	if s.peek() == '{' {
		s.at++
		if err := s.matchers(&sel); err != nil {
			return sel, "", err
		}
	}
	if sel.Name == "" {
		return sel, "", s.fail("expected the name of a metric, found %s", s.found())
	}
	sel.text = s.text[from:s.at]
	return sel, s.text[s.at:], nil
}

func (s *scanner) matchers(sel *Selector) error {
	for {
		s.blanks()
		if s.peek() == '}' {
			s.at++
			return nil
		}
		if s.peek() == '"' {
			name, err := s.quoted()
			if err != nil {
				return err
			}
			if sel.Name != "" {
				return s.fail("expected one name of a metric, found a second %q", name)
			}
			sel.Name = name
		} else {
			m, err := s.matcher()
			if err != nil {
				return err
			}
			if sel.Matchers = append(sel.Matchers, m); len(sel.Matchers) > maxLabels {
				return s.fail("expected at most %d matchers, found more", maxLabels)
			}
		}
		s.blanks()
		switch s.peek() {
		case ',':
			s.at++
		case '}':
		default:
			return s.fail("expected , or } after a matcher, found %s", s.found())
		}
	}
}

func (s *scanner) matcher() (Matcher, error) {
	m := Matcher{Label: s.name(false)}
	if m.Label == "" {
		return m, s.fail("expected a label, found %s", s.found())
	}
	s.blanks()
	for _, op := range []string{"=~", "!~", "!=", "="} {
		if strings.HasPrefix(s.text[s.at:], op) {
			m.Op = op
			break
		}
	}
	if m.Op == "" {
		return m, s.fail("expected =, !=, =~ or !~ after the label %s, found %s", m.Label, s.found())
	}
	s.at += len(m.Op)
	s.blanks()
	var err error
	if m.Value, err = s.quoted(); err != nil {
		return m, err
	}
	if strings.HasSuffix(m.Op, "~") {
		if len(m.Value) > maxPattern {
			return m, s.fail("expected a pattern of at most %d bytes, found %d", maxPattern, len(m.Value))
		}
		if m.re, err = regexp.Compile("^(?s:" + m.Value + ")$"); err != nil {
			return m, fmt.Errorf("label %s: %w", m.Label, err)
		}
	}
	return m, nil
}

// Match reports whether a sample is one that is meant.
func (s *Selector) Match(sample *Sample) bool {
	if sample.Name != s.Name {
		return false
	}
	for i := range s.Matchers {
		if !s.Matchers[i].match(sample.label(s.Matchers[i].Label)) {
			return false
		}
	}
	return true
}

func (m *Matcher) match(value string) bool {
	switch m.Op {
	case "=":
		return value == m.Value
	case "!=":
		return value != m.Value
	case "=~":
		return m.re.MatchString(value)
	}
	return !m.re.MatchString(value)
}

// key is a series as a word: its labels as they were written.
func (s *Sample) key() string {
	var b strings.Builder
	for _, l := range s.Labels {
		b.WriteString(l.Name + "=" + strconv.Quote(l.Value) + ",")
	}
	return b.String()
}
