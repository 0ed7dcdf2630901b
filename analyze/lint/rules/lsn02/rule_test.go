package lsn02

import (
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

func count(key string, amount float64, line int) model.Value {
	return model.Value{Key: key, Unit: model.Count, Amount: amount, Origin: model.Set, At: model.Position{File: "f", Line: line}}
}

// A sysctl file of the run decides what is cut, the smallest of several.
func TestKernelOfTheRun(t *testing.T) {
	run := func(backlog float64, kernels ...float64) []finding.Finding {
		g := &model.Graph{Documents: []*model.Document{{Services: []*model.Service{{Name: "web", Listen: model.Listen{Backlog: count("backlog", backlog, 5)}}}}}}
		for _, k := range kernels {
			g.Documents = append(g.Documents, &model.Document{Services: []*model.Service{{Name: "sysctl", Kernel: map[string]model.Value{somaxconn: count(somaxconn, k, 1)}}}})
		}
		found, _ := rule.Run(&Rule, g)
		return found
	}
	if f := run(2000, 4096, 1024); len(f) != 1 || f[0].Severity != finding.Warning || f[0].Message != "the accept queue of 2,000 is cut to 1,024" || f[0].Location.Line != 5 {
		t.Errorf("%+v", f)
	}
	if f := run(65535); len(f) != 1 || f[0].Severity != finding.Note {
		t.Errorf("%+v", f)
	}
	for _, f := range [][]finding.Finding{run(2000), run(1024, 1024), run(65535, 65535)} {
		if len(f) > 0 {
			t.Errorf("%+v", f)
		}
	}
}

// What needs a capacity is told as such.
func TestBeyondUseNeedsCapacity(t *testing.T) {
	s := &model.Service{Name: "web", Listen: model.Listen{Backlog: count("acceptCount", 100, 5)}, Exec: model.Exec{Threads: count("maxThreads", 200, 6)}}
	found, missing := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Services: []*model.Service{s}}}})
	if len(found) != 0 || len(missing) != 1 || missing[0].At.Line != 5 {
		t.Errorf("%+v %+v", found, missing)
	}
}
