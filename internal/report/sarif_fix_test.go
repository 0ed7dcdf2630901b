package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"example.com/kneeline/internal/finding"
)

// Fixes are spans of lines and columns that count characters; what the run was compared
// with is the state of each result.
func TestSARIFFixes(t *testing.T) {
	is := ciIssues()
	is.Findings = is.Findings[:1]
	is.Findings[0].Edits = []finding.Edit{
		{File: "./a b.yaml", Offset: 10, Line: 2, Column: 4, Old: "5ä", New: "6s"},
		{File: "./a b.yaml", Offset: 30, Line: 4, Column: 1, Old: "- POST\n"},
		{File: "c.yaml", Line: 1, Column: 1, Old: "x", New: "y"},
	}
	is.Compared, is.Known, is.Gone = true, []finding.Finding{is.Findings[0]}, []finding.Finding{is.Findings[0]}
	is.Known[0].Edits, is.Gone[0].Edits = nil, nil
	var b bytes.Buffer
	if err := SARIF(&b, is); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Results []struct {
				BaselineState string
				Fixes         []struct {
					Description     struct{ Text string }
					ArtifactChanges []struct {
						ArtifactLocation struct{ URI string }
						Replacements     []struct {
							DeletedRegion   struct{ StartLine, StartColumn, EndLine, EndColumn int }
							InsertedContent *struct{ Text string }
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	var states []string
	for _, r := range log.Runs[0].Results {
		states = append(states, r.BaselineState)
	}
	if got := fmt.Sprint(states); got != "[new unchanged unchanged absent]" { // the second is left out by a comment
		t.Errorf("states %s", got)
	}
	fixes := log.Runs[0].Results[0].Fixes
	if len(fixes) != 1 || fixes[0].Description.Text != "set timeout to 1s" || len(fixes[0].ArtifactChanges) != 2 || len(log.Runs[0].Results[2].Fixes) != 0 {
		t.Fatalf("%+v", fixes)
	}
	one := fixes[0].ArtifactChanges[0]
	if one.ArtifactLocation.URI != "a%20b.yaml" || len(one.Replacements) != 2 {
		t.Fatalf("%+v", one)
	}
	if r := one.Replacements[0]; fmt.Sprint(r.DeletedRegion) != "{2 4 2 6}" || r.InsertedContent == nil || r.InsertedContent.Text != "6s" {
		t.Errorf("%+v", r)
	}
	if r := one.Replacements[1]; fmt.Sprint(r.DeletedRegion) != "{4 1 5 1}" || r.InsertedContent != nil {
		t.Errorf("%+v", r)
	}
}
