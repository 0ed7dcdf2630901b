package drn03

import (
	"math"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
)

func TestDraining(t *testing.T) {
	value := func(amount float64, origin model.Origin) model.Value {
		return model.Value{Key: "drainingTimeoutSec", Unit: model.Seconds, Amount: amount, Origin: origin, At: model.Position{File: "f", Line: 1}}
	}
	for name, tt := range map[string]struct {
		balancer model.Value
		want     int
	}{
		"off by default": {value(0, model.Default), 1}, "set to none": {value(0, model.Set), 1}, "set": {value(60, model.Set), 0},
		"no limit": {value(math.Inf(1), model.Set), 0}, "hole": {value(0, model.Hole), 0}, "absent": {model.Value{}, 0},
	} {
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Services: []*model.Service{{Name: "s", Drain: model.Drain{Balancer: tt.balancer}}}}}})
		if len(found) != tt.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
