package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"

	"example.com/kneeline/internal/finding"
)

// ciIssues are findings with all that these formats must take: what they escape, two
// of one fingerprint, no place at all.
func ciIssues() Issues {
	r := finding.Rule{
		ID: "TMO-02", Name: "no-limit", Title: "a call has no limit", Why: "It waits.\n\nFor ever.", Formula: "T = 0",
		Sources: []string{"a source"}, Bad: "timeout: 0s", Good: "timeout: 1s", Fix: "Set it.", Severity: finding.Warning, Since: "0.1",
	}
	at := finding.Location{File: "./a dir/b,c:d%.yaml", Line: 3, Column: 7, Object: "route /"}
	first := r.Found(at, "timeout", "100% of calls:\nwait, \x1b[31m<for> ever")
	first.Evidence = []finding.Evidence{{Name: "timeout", Value: "no limit (b.yaml:3)"}}
	first.Remediation = "set timeout to 1s"
	at.Line = 9
	second := r.Found(at, "timeout", "again")
	second.Severity = finding.Error
	return Issues{
		Tool: "kneeline", Version: "(devel)", Rules: []finding.Rule{r},
		Findings:   []finding.Finding{first, second, r.Found(finding.Location{}, "", "nowhere")},
		Suppressed: []Suppressed{{Finding: r.Found(finding.Location{File: "/abs/e.yaml", Line: 1}, "x", "left out"), Reason: "batch \"export\""}},
		Files:      []string{"./a dir/b,c:d%.yaml", "clean.yaml"},
		Problems:   []Unread{{File: "bad.yaml", Line: 2, Message: "expected YAML"}},
		FailOn:     finding.Error,
	}
}

func renderCI(t *testing.T, f func(io.Writer, Issues) error) []byte {
	t.Helper()
	var b, again bytes.Buffer
	if err := f(&b, ciIssues()); err != nil {
		t.Fatal(err)
	}
	if err := f(&again, ciIssues()); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("another output the second time")
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("an escape sequence came through")
	}
	return b.Bytes()
}

// The structure that the schema of SARIF 2.1.0 requires, and what GitHub's page on
// SARIF asks for beyond it.
func TestSARIF(t *testing.T) {
	var log struct {
		Version string
		Schema  string `json:"$schema"`
		Runs    []struct {
			ColumnKind string
			Tool       struct {
				Driver struct {
					Name  string
					Rules []struct {
						ID                                      string
						ShortDescription, FullDescription, Help struct{ Text, Markdown string }
						DefaultConfiguration                    struct{ Level string }
					}
				}
			}
			Invocations []struct {
				ExecutionSuccessful        *bool
				ToolExecutionNotifications []struct{ Message struct{ Text string } }
			}
			Results []struct {
				RuleID, Level string
				RuleIndex     *int
				Message       struct{ Text string }
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine, StartColumn int }
					}
					LogicalLocations []struct{ FullyQualifiedName string }
				}
				PartialFingerprints map[string]string
				Suppressions        []struct{ Kind, Justification string }
			}
		}
	}
	if err := json.Unmarshal(renderCI(t, SARIF), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || log.Schema == "" || len(log.Runs) != 1 {
		t.Fatalf("version %q, schema %q, %d runs", log.Version, log.Schema, len(log.Runs))
	}
	run := log.Runs[0]
	rule := run.Tool.Driver.Rules[0]
	if run.Tool.Driver.Name == "" || rule.ID != "TMO-02" || rule.DefaultConfiguration.Level != "warning" || rule.ShortDescription.Text == "" || rule.FullDescription.Text != "It waits. For ever." {
		t.Errorf("%+v", run.Tool.Driver)
	}
	if !strings.Contains(rule.Help.Text, "Formula\n  T = 0") || !strings.Contains(rule.Help.Markdown, "## Fix") {
		t.Errorf("help %q", rule.Help)
	}
	if inv := run.Invocations[0]; inv.ExecutionSuccessful == nil || len(inv.ToolExecutionNotifications) != 1 {
		t.Errorf("%+v", inv)
	}
	if len(run.Results) != 4 || !slices.Contains([]string{"utf16CodeUnits", "unicodeCodePoints"}, run.ColumnKind) {
		t.Fatalf("%d results, columns %s", len(run.Results), run.ColumnKind)
	}
	seen := map[string]bool{}
	for i, r := range run.Results {
		if r.RuleID != "TMO-02" || r.RuleIndex == nil || *r.RuleIndex != 0 || r.Message.Text == "" || !slices.Contains([]string{"none", "note", "warning", "error"}, r.Level) {
			t.Errorf("result %d: %+v", i, r)
		}
		for _, id := range r.PartialFingerprints {
			if seen[id] {
				t.Errorf("two of the fingerprint %s", id)
			}
			seen[id] = true
		}
	}
	if at := run.Results[0].Locations[0]; at.PhysicalLocation.ArtifactLocation.URI != "a%20dir/b,c:d%25.yaml" || at.PhysicalLocation.Region.StartLine != 3 || at.LogicalLocations[0].FullyQualifiedName != "route /" {
		t.Errorf("%+v", at)
	}
	if len(run.Results[2].Locations) != 0 {
		t.Errorf("a place for what has none: %+v", run.Results[2].Locations)
	}
	if s := run.Results[3]; len(s.Suppressions) != 1 || s.Suppressions[0].Kind != "inSource" || s.Locations[0].PhysicalLocation.ArtifactLocation.URI != "file:///abs/e.yaml" {
		t.Errorf("%+v", s)
	}
}

func TestJUnit(t *testing.T) {
	var suites junitSuites
	if err := xml.Unmarshal(renderCI(t, JUnit), &suites); err != nil {
		t.Fatal(err)
	}
	if suites.Tests != 6 || suites.Failures != 1 || suites.Errors != 1 {
		t.Errorf("%d tests, %d failures, %d errors", suites.Tests, suites.Failures, suites.Errors)
	}
	first := suites.Suites[0]
	if first.Name != "a dir/b,c:d%.yaml" || first.Tests != 2 || first.Failures != 1 {
		t.Errorf("%+v", first)
	}
	if clean := suites.Suites[1]; clean.Name != "clean.yaml" || clean.Tests != 1 || clean.Failures != 0 {
		t.Errorf("%+v", clean)
	}
	if f := first.Cases[1].Failure; f == nil || f.Type != "error" {
		t.Errorf("%+v", first.Cases[1])
	}
}

func TestGitHub(t *testing.T) {
	const want = `::warning file=a dir/b%2Cc%3Ad%25.yaml,line=3,col=7,title=TMO-02::100%25 of calls: wait, <for> ever%0Atimeout: no limit (b.yaml:3)%0Afix: set timeout to 1s
::error file=a dir/b%2Cc%3Ad%25.yaml,line=9,col=7,title=TMO-02::again
::warning title=TMO-02::nowhere
::warning file=bad.yaml,line=2,title=could not be read::expected YAML
`
	if got := string(renderCI(t, GitHub)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestGitLab(t *testing.T) {
	var all []gitlabIssue
	if err := json.Unmarshal(renderCI(t, GitLab), &all); err != nil {
		t.Fatal(err)
	}
	if len(all) != 3 {
		t.Fatalf("%d issues", len(all))
	}
	if i := all[0]; i.CheckName != "TMO-02" || i.Severity != "major" || i.Location.Path != "a dir/b,c:d%.yaml" || i.Location.Lines.Begin != 3 || !strings.HasSuffix(i.Description, "; fix: set timeout to 1s") {
		t.Errorf("%+v", i)
	}
	if all[0].Fingerprint == all[1].Fingerprint || all[1].Severity != "critical" || all[2].Location.Lines.Begin != 1 {
		t.Errorf("%+v", all)
	}
}

// An empty result is a whole document in each format.
func TestCIEmpty(t *testing.T) {
	for name, f := range map[string]func(io.Writer, Issues) error{"sarif": SARIF, "gitlab": GitLab} {
		var b bytes.Buffer
		if err := f(&b, Issues{Tool: "kneeline"}); err != nil || !json.Valid(b.Bytes()) || strings.Contains(b.String(), "null") {
			t.Errorf("%s: %v: %s", name, err, &b)
		}
	}
}

// A name of a file cannot write to the terminal that the commands are printed on, nor
// begin a command.
func TestGitHubHostileName(t *testing.T) {
	var b bytes.Buffer
	is := Issues{Findings: []finding.Finding{{Rule: "TMO-02", Severity: finding.Error, Message: "x", Location: finding.Location{File: "a\n::error::b\x1b[31m\u009b.yaml"}}}}
	if err := GitHub(&b, is); err != nil {
		t.Fatal(err)
	}
	if want := "::error file=a%0A%3A%3Aerror%3A%3Ab\ufffd[31m\ufffd.yaml,title=TMO-02::x\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
