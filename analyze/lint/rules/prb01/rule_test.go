package prb01

import (
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
)

func value(key string, unit model.Unit, amount float64, origin model.Origin) model.Value {
	return model.Value{Key: key, Unit: unit, Amount: amount, Origin: origin, At: model.Position{File: "f", Line: 4}}
}

func TestOneSecond(t *testing.T) {
	probe := model.Check{
		Kind: "liveness", Serves: true, Target: "http :8080 /healthz",
		Timeout:  value("timeoutSeconds", model.Seconds, 1, model.Default),
		Interval: value("periodSeconds", model.Seconds, 10, model.Default), Failures: value("failureThreshold", model.Count, 3, model.Default),
	}
	for name, tt := range map[string]struct {
		change func(*model.Check)
		want   string
	}{
		"default":    {func(*model.Check) {}, "is not set and by default 1s"},
		"set":        {func(c *model.Check) { c.Timeout.Origin = model.Set }, "is set to 1s"},
		"five":       {func(c *model.Check) { c.Timeout.Amount = 5 }, ""},
		"readiness":  {func(c *model.Check) { c.Kind = "readiness" }, ""},
		"own port":   {func(c *model.Check) { c.Serves = false }, ""},
		"not known":  {func(c *model.Check) { c.Timeout = model.Value{Origin: model.Hole} }, ""},
		"many":       {func(c *model.Check) { c.Failures.Amount = 12 }, ""},
		"no failure": {func(c *model.Check) { c.Failures = model.Value{} }, "by default 1s"},
	} {
		c := probe
		tt.change(&c)
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Services: []*model.Service{{Name: "s", Probes: []model.Check{c}}}}}})
		if (len(found) == 1) != (tt.want != "") || tt.want != "" && !strings.Contains(found[0].Message, tt.want) {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
