package lsn01

import (
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

func TestBacklogs(t *testing.T) {
	for _, tt := range []struct {
		backlog model.Value
		want    finding.Severity
	}{
		{model.Value{Key: "acceptQueueSize", Unit: model.Count, Amount: 50, Origin: model.Derived, Source: "0 is 50 in the JRE"}, finding.Warning},
		{model.Value{Key: "acceptQueueSize", Unit: model.Count, Amount: 50, Origin: model.Default, Source: "JRE"}, finding.Warning},
		{model.Value{Key: "acceptQueueSize", Unit: model.Count, Amount: 50, Origin: model.Default, Source: "JRE", Unverified: true}, finding.Note},
		{model.Value{Key: "backlog", Unit: model.Count, Amount: 10, Origin: model.Set}, finding.Warning},
		{model.Value{Key: "backlog", Unit: model.Count, Amount: 128, Origin: model.Set}, 0},
		{model.Value{Key: "backlog", Unit: model.Count, Origin: model.Hole, Raw: "{{ x }}"}, 0},
		{model.Value{}, 0},
	} {
		s := &model.Service{Name: "web", At: model.Position{File: "f", Line: 3}, Listen: model.Listen{Backlog: tt.backlog}}
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Services: []*model.Service{s}}}})
		var got finding.Severity
		if len(found) > 0 {
			got = found[0].Severity
			if found[0].Location.Line != 3 || found[0].Remediation == "" {
				t.Errorf("%+v", found[0])
			}
		}
		if got != tt.want {
			t.Errorf("%s %s: %v, want %v", tt.backlog.Key, tt.backlog, got, tt.want)
		}
	}
}
