package prb04

import (
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
)

func TestSameTarget(t *testing.T) {
	probe := func(kind, target string, failures float64) model.Check {
		return model.Check{
			Kind: kind, Target: target, At: model.Position{File: "f", Line: 1},
			Interval: model.Value{Unit: model.Seconds, Amount: 10, Origin: model.Default},
			Failures: model.Value{Key: "failureThreshold", Unit: model.Count, Amount: failures, Origin: model.Default},
		}
	}
	for name, tt := range map[string]struct {
		live, ready model.Check
		want        int
	}{
		"same":            {probe("liveness", "/a", 3), probe("readiness", "/a", 3), 1},
		"more patient":    {probe("liveness", "/a", 6), probe("readiness", "/a", 3), 0},
		"another target":  {probe("liveness", "/b", 3), probe("readiness", "/a", 3), 0},
		"no target":       {probe("liveness", "", 3), probe("readiness", "", 3), 0},
		"startup instead": {probe("liveness", "/a", 3), probe("startup", "/a", 3), 0},
	} {
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Services: []*model.Service{{Name: "s", Probes: []model.Check{tt.ready, tt.live}}}}}})
		if len(found) != tt.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
