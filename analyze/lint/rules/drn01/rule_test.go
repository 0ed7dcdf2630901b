package drn01

import (
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

func set(key string, seconds float64) model.Value {
	return model.Value{Key: key, Unit: model.Seconds, Amount: seconds, Origin: model.Set, At: model.Position{File: "f", Line: 1}}
}

func byDefault(key string, seconds float64) model.Value {
	v := set(key, seconds)
	v.Origin = model.Default
	return v
}

func TestGrace(t *testing.T) {
	hole := model.Value{Origin: model.Hole}
	for name, tt := range map[string]struct {
		drain    model.Drain
		total    model.Value
		severity finding.Severity
		message  string
	}{
		"hook over grace":    {model.Drain{Grace: byDefault("g", 30), PreStop: set("h", 60)}, model.Value{}, finding.Error, "killed before it is told"},
		"hook fits":          {model.Drain{Grace: byDefault("g", 30), PreStop: set("h", 10)}, model.Value{}, 0, ""},
		"hook and wait":      {model.Drain{Grace: byDefault("g", 30), PreStop: set("h", 15), Stop: set("s", 20)}, model.Value{}, finding.Warning, "take 35s, the grace is 30s"},
		"default wait":       {model.Drain{Grace: byDefault("g", 30), PreStop: set("h", 15), Stop: byDefault("s", 30)}, model.Value{}, 0, ""},
		"five seconds":       {model.Drain{Grace: set("g", 5)}, model.Value{}, finding.Warning, "the grace is 5s"},
		"ten minutes":        {model.Drain{Grace: set("g", 600)}, model.Value{}, 0, ""},
		"hook unknown":       {model.Drain{Grace: set("g", 5), PreStop: hole}, model.Value{}, 0, ""},
		"wait under half":    {model.Drain{Stop: set("s", 5)}, set("t", 30), finding.Error, "waits 5s for its requests, which may take 30s"},
		"wait a little less": {model.Drain{Stop: set("s", 25)}, set("t", 30), finding.Warning, "waits 25s"},
		"wait is enough":     {model.Drain{Stop: set("s", 30)}, set("t", 30), 0, ""},
	} {
		s := &model.Service{Name: "s", Drain: tt.drain, Exec: model.Exec{Total: tt.total}}
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Services: []*model.Service{s}}}})
		switch {
		case tt.severity == 0:
			if len(found) != 0 {
				t.Errorf("%s: %+v", name, found)
			}
		case len(found) != 1 || found[0].Severity != tt.severity || !strings.Contains(found[0].Message, tt.message):
			t.Errorf("%s: %+v", name, found)
		}
	}
}
