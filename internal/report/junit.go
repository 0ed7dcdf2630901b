package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"example.com/kneeline/internal/finding"
)

// The parts of the JUnit XML that test reporters agree on.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitMessage `xml:"failure"`
		Error   *junitMessage `xml:"error"`
		Skipped *junitMessage `xml:"skipped"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes findings as the results of tests: a suite a file, a case a finding. A
// finding fails its case if it fails the run; a file without any has one case that
// passes, what could not be read is an error, and what is left out is skipped.
func JUnit(w io.Writer, is Issues) error {
	all := junitSuites{Name: is.Tool}
	at := map[string]int{}
	suite := func(file string) *junitSuite {
		name := file
		if name == "" {
			name = "-"
		}
		i, ok := at[name]
		if !ok {
			i = len(all.Suites)
			at[name] = i
			all.Suites = append(all.Suites, junitSuite{Name: clean(relative(name))})
		}
		return &all.Suites[i]
	}
	for _, f := range is.Files {
		suite(f)
	}
	for _, f := range is.Findings {
		suite(f.Location.File).add(junitFinding(f, is.FailOn))
	}
	for _, s := range is.Suppressed {
		c := junitFinding(s.Finding, 0)
		c.Out, c.Skipped = "", &junitMessage{Message: clean(s.Reason)}
		suite(s.Location.File).add(c)
	}
	for _, p := range is.Problems {
		s := suite(p.File)
		s.add(junitCase{Name: "readable", Class: s.Name, File: s.Name, Line: p.Line, Error: &junitMessage{Message: clean(p.Message), Type: "unreadable"}})
	}
	for i := range all.Suites {
		s := &all.Suites[i]
		if len(s.Cases) == 0 {
			s.add(junitCase{Name: "no findings", Class: s.Name, File: s.Name})
		}
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func junitFinding(f finding.Finding, failOn finding.Severity) junitCase {
	file := clean(relative(f.Location.File))
	text := strings.Join(append([]string{clean(f.Location.String())}, explanation(f)...), "\n")
	c := junitCase{Name: fmt.Sprintf("%s %s", f.Rule, clean(f.Message)), Class: file, File: file, Line: f.Location.Line}
	if failOn > 0 && f.Severity >= failOn {
		c.Failure = &junitMessage{Message: clean(f.Message), Type: f.Severity.String(), Text: text}
	} else {
		c.Out = f.Severity.String() + "\n" + text
	}
	return c
}
