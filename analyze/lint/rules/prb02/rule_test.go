package prb02

import (
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
)

func TestOverPeriod(t *testing.T) {
	sec := func(s float64) model.Value {
		return model.Value{Key: "k", Unit: model.Seconds, Amount: s, Origin: model.Set, At: model.Position{File: "f", Line: 1}}
	}
	for name, tt := range map[string]struct {
		check model.Check
		want  int
	}{
		"over":         {model.Check{Kind: "readiness", Timeout: sec(10), Interval: sec(5)}, 1},
		"equal":        {model.Check{Kind: "readiness", Timeout: sec(5), Interval: sec(5)}, 0},
		"health check": {model.Check{Kind: "health", Timeout: sec(10), Interval: sec(5)}, 0},
		"hole":         {model.Check{Kind: "liveness", Timeout: model.Value{Origin: model.Hole}, Interval: sec(5)}, 0},
		"no period":    {model.Check{Kind: "liveness", Timeout: sec(5)}, 0},
	} {
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Services: []*model.Service{{Name: "s", Probes: []model.Check{tt.check}}}}}})
		if len(found) != tt.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
