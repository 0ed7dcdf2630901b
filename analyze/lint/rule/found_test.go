package rule

import (
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/internal/finding"
)

// A finding is never worth more than the default that it rests on.
func TestUnverifiedDefaultsAreNotes(t *testing.T) {
	doubted := model.Value{Key: "t", Unit: model.Seconds, Amount: 1, Origin: model.Default, Source: "memory", Unverified: true}
	r := &Rule{Check: func(p *Pass) {
		at := At(model.Value{}, model.Position{File: "f", Line: 3})
		p.Report(at, "h", "t", "before").Severity(finding.Error).Because(doubted)
		p.Report(at, "h", "t", "after").Because(doubted).Severity(finding.Error)
		p.Report(at, "h", "t", "sure").Severity(finding.Error).Because(model.Value{Key: "t", Origin: model.Set})
	}}
	r.ID, r.Severity = "TMO-99", finding.Warning
	found, _ := Run(r, &model.Graph{})
	for i, want := range []finding.Severity{finding.Note, finding.Note, finding.Error} {
		if found[i].Severity != want || found[i].Location.Line != 3 {
			t.Errorf("%s: %s, want %s", found[i].Message, found[i].Severity, want)
		}
	}
	if e := found[0].Evidence[0].Value; !strings.Contains(e, "not verified: memory") {
		t.Error(e)
	}
}
