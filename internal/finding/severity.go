package finding

import (
	"fmt"
	"strings"
)

// Severity is how much a finding matters. Greater is worse; the zero value is no
// severity, so that a rule without one is noticed.
type Severity uint8

const (
	// Note is worth knowing and asks for nothing.
	Note Severity = iota + 1
	// Warning is a likely mistake or one whose harm depends on what is not known.
	Warning
	// Error is a setting or an event that does harm under load, shown by numbers.
	Error
)

// Severities returns all severities from the least to the worst.
func Severities() []Severity { return []Severity{Note, Warning, Error} }

// String returns the severity's name.
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return "none"
}

// ParseSeverity reads a severity's name.
func ParseSeverity(text string) (Severity, error) {
	for _, s := range Severities() {
		if strings.EqualFold(strings.TrimSpace(text), s.String()) {
			return s, nil
		}
	}
	return 0, fmt.Errorf("severity %q: expected note, warning or error", text)
}

// MarshalText writes the severity's name.
func (s Severity) MarshalText() ([]byte, error) {
	if s < Note || s > Error {
		return nil, fmt.Errorf("severity %d: expected note, warning or error", uint8(s))
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads a severity's name.
func (s *Severity) UnmarshalText(text []byte) error { return s.Set(string(text)) }

// Set makes *Severity the value of a command-line flag.
func (s *Severity) Set(text string) error {
	v, err := ParseSeverity(text)
	if err == nil {
		*s = v
	}
	return err
}

// Type returns the word that stands for the value in help.
func (*Severity) Type() string { return "severity" }
