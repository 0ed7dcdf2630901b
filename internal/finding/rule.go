package finding

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Rule is one thing that can be wrong, with the page that explains it. Every
// field is filled in; [NewRegistry] insists.
type Rule struct {
	// ID is a family and a number, such as QUE-01; it is never used again for
	// another rule.
	ID string `json:"id"`
	// Name is a short name in words joined by hyphens.
	Name string `json:"name"`
	// Title says what is wrong in one line without a final period.
	Title string `json:"title"`
	// Why says what harm it does, in whole sentences.
	Why string `json:"why"`
	// Formula is the computation behind the finding, or how it is decided where
	// nothing is computed.
	Formula string `json:"formula"`
	// Sources are where the claim and the formula come from.
	Sources []string `json:"sources"`
	// Bad and Good are an example of each, as a config or a report shows it.
	Bad  string `json:"bad"`
	Good string `json:"good"`
	// Fix says what to change.
	Fix string `json:"fix"`
	// Severity is what a finding has unless the analysis knows better.
	Severity Severity `json:"severity"`
	// Since is the first version with the rule.
	Since string `json:"since"`
}

// Found returns a finding of r with its severity and the fingerprint for key; see
// [Fingerprint]. The caller adds evidence and remediation.
func (r Rule) Found(at Location, key, message string) Finding {
	return Finding{
		Rule:        r.ID,
		Severity:    r.Severity,
		Message:     message,
		Location:    at,
		Fingerprint: Fingerprint(r.ID, at, key),
	}
}

// Section is one part of a rule's page.
type Section struct {
	Heading string
	// Lines are paragraphs, list items or, where Code is set, lines to be shown
	// as they are.
	Lines []string
	Code  bool
}

// Page returns the rule's page in order of reading. Its title is ID, name and
// Title.
func (r Rule) Page() []Section {
	prose := func(heading, text string) Section {
		var paragraphs []string
		for p := range strings.SplitSeq(text, "\n\n") {
			paragraphs = append(paragraphs, strings.Join(strings.Fields(p), " "))
		}
		return Section{Heading: heading, Lines: paragraphs}
	}
	code := func(heading, text string) Section {
		return Section{Heading: heading, Lines: strings.Split(strings.Trim(text, "\n"), "\n"), Code: true}
	}
	return []Section{
		prose("Why", r.Why),
		code("Formula", r.Formula),
		code("Bad", r.Bad),
		code("Good", r.Good),
		prose("Fix", r.Fix),
		{Heading: "Sources", Lines: r.Sources},
	}
}

var (
	idForm      = regexp.MustCompile(`^[A-Z]{3}-[0-9]{2}$`)
	nameForm    = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	versionForm = regexp.MustCompile(`^[0-9]+\.[0-9]+(\.[0-9]+)?$`)
)

// maxTitle is how many characters of a title fit beside ID and severity in 80
// columns.
const maxTitle = 64

// validate returns all that is wrong with r.
func (r Rule) validate() error {
	var problems []error
	problem := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("rule %s: %s", r.label(), fmt.Sprintf(format, args...)))
	}
	if !idForm.MatchString(r.ID) {
		problem("expected an ID of three capitals, a hyphen and two digits, found %q", r.ID)
	}
	if !nameForm.MatchString(r.Name) {
		problem("expected a name of lower-case words joined by hyphens, found %q", r.Name)
	}
	if !versionForm.MatchString(r.Since) {
		problem("expected a version such as 0.1 in Since, found %q", r.Since)
	}
	if r.Severity < Note || r.Severity > Error {
		problem("no severity")
	}
	if strings.HasSuffix(r.Title, ".") || strings.Contains(r.Title, "\n") || utf8.RuneCountInString(r.Title) > maxTitle {
		problem("expected a title of one line, at most %d characters and no final period, found %q", maxTitle, r.Title)
	}
	for _, f := range []struct{ name, text string }{
		{"Title", r.Title}, {"Why", r.Why}, {"Formula", r.Formula}, {"Bad", r.Bad}, {"Good", r.Good}, {"Fix", r.Fix},
	} {
		if strings.TrimSpace(f.text) == "" {
			problem("%s is empty", f.name)
		}
	}
	if len(r.Sources) == 0 {
		problem("no source")
	}
	for i, s := range r.Sources {
		if strings.TrimSpace(s) == "" {
			problem("source %d is empty", i+1)
		}
	}
	return errors.Join(problems...)
}

func (r Rule) label() string {
	if r.ID != "" {
		return r.ID
	}
	return fmt.Sprintf("%q", r.Name)
}
