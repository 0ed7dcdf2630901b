package prb03

import (
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
)

func TestPatience(t *testing.T) {
	probe := func(kind string, period, failures float64, origin model.Origin) model.Check {
		return model.Check{
			Kind:     kind,
			Interval: model.Value{Key: "periodSeconds", Unit: model.Seconds, Amount: period, Origin: model.Set, At: model.Position{File: "f", Line: 2}},
			Failures: model.Value{Key: "failureThreshold", Unit: model.Count, Amount: failures, Origin: origin, At: model.Position{File: "f", Line: 3}},
		}
	}
	for name, tt := range map[string]struct {
		check model.Check
		line  int // 0 for no finding
	}{
		"15 s":                {probe("liveness", 5, 3, model.Set), 3},
		"failures by default": {probe("liveness", 5, 3, model.Default), 2},
		"30 s":                {probe("liveness", 10, 3, model.Set), 0},
		"readiness":           {probe("readiness", 1, 1, model.Set), 0},
	} {
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Services: []*model.Service{{Name: "s", Probes: []model.Check{tt.check}}}}}})
		if (len(found) == 1) != (tt.line > 0) || tt.line > 0 && (found[0].Location.Line != tt.line || !strings.Contains(found[0].Remediation, "failureThreshold to 12")) {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
