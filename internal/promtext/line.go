package promtext

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Label is a name and a value.
type Label struct{ Name, Value string }

// Sample is one line of values.
type Sample struct {
	Name   string
	Labels []Label
	Value  float64
}

// label returns the value of a label, empty when it is not there: the two are the
// same to Prometheus.
func (s *Sample) label(name string) string {
	for _, l := range s.Labels {
		if l.Name == name {
			return l.Value
		}
	}
	return ""
}

// maxLabels bounds the labels of one sample.
const maxLabels = 256

// scanner goes along a line.
type scanner struct {
	text string
	at   int
}

func (s *scanner) fail(format string, args ...any) error {
	return fmt.Errorf("column %d: %s", s.at+1, fmt.Sprintf(format, args...))
}

func (s *scanner) blanks() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
		s.at++
	}
}

func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// found is what stands at the place, for messages.
func (s *scanner) found() string {
	if s.at >= len(s.text) {
		return "the end of the line"
	}
	rest := s.text[s.at:]
	return strconv.Quote(rest[:min(len(rest), 12)])
}

// name reads the name of a metric or a label; colons are for metrics.
func (s *scanner) name(colons bool) string {
	from := s.at
	for s.at < len(s.text) {
		c := s.text[s.at]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || colons && c == ':'
		if !letter && !(s.at > from && c >= '0' && c <= '9') {
			break
		}
		s.at++
	}
	return s.text[from:s.at]
}

// quoted reads a string in double quotes with the escapes of the format.
func (s *scanner) quoted() (string, error) {
	if s.peek() != '"' {
		return "", s.fail("expected a value in double quotes, found %s", s.found())
	}
	s.at++
	from := s.at
	plain := true
	for ; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			plain = false
			s.at++
		case '"':
			text := s.text[from:s.at]
			s.at++
			if plain {
				return text, nil
			}
			return unescape(text), nil
		}
	}
	return "", s.fail("expected a closing quote, found %s", s.found())
}

// unescape undoes \\, \" and \n; any other backslash stands for itself, as
// Prometheus reads it.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			switch text[i+1] {
			case '\\', '"':
				i++
			case 'n':
				b.WriteByte('\n')
				i++
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// parseLine reads a sample; ok is false for a blank line and a comment.
func parseLine(text string) (sample Sample, ok bool, err error) {
	s := &scanner{text: strings.TrimSuffix(text, "\r")}
	s.blanks()
	if c := s.peek(); c == 0 && s.at >= len(s.text) || c == '#' {
		return sample, false, nil
	}
	sample.Name = s.name(true)
	s.blanks()
	if s.peek() == '{' {
		if err := s.labels(&sample); err != nil {
			return sample, false, err
		}
		s.blanks()
	}
	if sample.Name == "" {
		return sample, false, s.fail("expected the name of a metric, found %s", s.found())
	}
	if sample.Value, err = s.number("a value"); err != nil {
		return sample, false, err
	}
	s.blanks()
	if s.at < len(s.text) && s.peek() != '#' { // an exemplar begins with #
		if _, err := s.number("a timestamp"); err != nil {
			return sample, false, err
		}
		s.blanks()
	}
	if s.at < len(s.text) && s.peek() != '#' {
		return sample, false, s.fail("expected the end of the line, found %s", s.found())
	}
	return sample, true, nil
}

// labels reads {name="value",…}; a name in quotes alone is that of the metric.
func (s *scanner) labels(sample *Sample) error {
	s.at++
	for {
		s.blanks()
		if s.peek() == '}' {
			s.at++
			return nil
		}
		var name string
		var err error
		inQuotes := s.peek() == '"'
		if inQuotes {
			name, err = s.quoted()
		} else {
			name = s.name(false)
		}
		s.blanks()
		switch {
		case err != nil:
			return err
		case inQuotes && s.peek() != '=' && sample.Name == "":
			sample.Name = name
		case name == "":
			return s.fail("expected a label, found %s", s.found())
		case s.peek() != '=':
			return s.fail("expected = after the label %s, found %s", name, s.found())
		default:
			s.at++
			s.blanks()
			value, err := s.quoted()
			if err != nil {
				return err
			}
			if len(sample.Labels) == maxLabels {
				return s.fail("expected at most %d labels, found more", maxLabels)
			}
			sample.Labels = append(sample.Labels, Label{name, value})
		}
		s.blanks()
		switch s.peek() {
		case ',':
			s.at++
		case '}':
		default:
			return s.fail("expected , or } after a label, found %s", s.found())
		}
	}
}

// number reads a number as Prometheus writes them.
func (s *scanner) number(what string) (float64, error) {
	s.blanks()
	from := s.at
	for s.at < len(s.text) && s.text[s.at] != ' ' && s.text[s.at] != '\t' {
		s.at++
	}
	word := s.text[from:s.at]
	v, err := strconv.ParseFloat(word, 64)
	if err != nil && !math.IsInf(v, 0) || strings.ContainsAny(word, "_xXpP") {
		s.at = from
		return 0, s.fail("expected %s, found %s", what, s.found())
	}
	return v, nil
}
