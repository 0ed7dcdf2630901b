package tmo18

import (
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
)

func TestOverrides(t *testing.T) {
	value := func(unit model.Unit, amount float64, origin model.Origin) model.Value {
		return model.Value{Key: "allowedClientOverrideKeys", Raw: "http.requestTimeout", Text: "http.requestTimeout", Unit: unit, Amount: amount, Origin: origin, At: model.Position{File: "f", Line: 1}}
	}
	for name, tt := range map[string]struct {
		v    model.Value
		want int
	}{
		"keys": {value(model.None, 0, model.Set), 1}, "on": {value(model.Flag, 1, model.Set), 1}, "off": {value(model.Flag, 0, model.Set), 0},
		"a bound": {value(model.Seconds, 5, model.Set), 0}, "default": {value(model.None, 0, model.Default), 0}, "hole": {value(model.None, 0, model.Hole), 0},
	} {
		h := &model.Hop{Name: "h", CallerOverrides: tt.v}
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Hops: []*model.Hop{h}}}})
		if len(found) != tt.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
