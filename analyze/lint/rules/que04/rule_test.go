package que04

import (
	"math"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

func value(key string, amount float64, origin model.Origin) model.Value {
	return model.Value{Key: key, Raw: "x", Unit: model.Count, Amount: amount, Origin: origin, Source: "test", At: model.Position{File: "f", Line: 9}}
}

func TestThreadPools(t *testing.T) {
	none := math.Inf(1)
	for _, tt := range []struct {
		name        string
		queue       model.Value
		connections model.Value
		want        finding.Severity
	}{
		{"set to none", value("maxQueued", none, model.Set), model.Value{}, finding.Error},
		{"none by default", value("maxQueued", none, model.Default), model.Value{}, finding.Warning},
		{"behind a limit of connections", value("maxQueueSize", none, model.Default), value("maxConnections", 8192, model.Default), 0},
		{"set, behind a limit of connections", value("maxQueueSize", none, model.Set), value("maxConnections", 8192, model.Default), finding.Error},
		{"bounded", value("maxQueued", 400, model.Set), model.Value{}, 0},
		{"not known", model.Value{}, model.Value{}, 0},
	} {
		s := &model.Service{Name: "web", Exec: model.Exec{Queue: tt.queue}, Listen: model.Listen{MaxConnections: tt.connections}}
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Services: []*model.Service{s}}}})
		var got finding.Severity
		if len(found) > 0 {
			got = found[0].Severity
		}
		if got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Defaults of many pools are told once a document; what is written, each time.
func TestWaiters(t *testing.T) {
	hop := func(origin model.Origin, line int) *model.Hop {
		w := value("waiters", math.Inf(1), origin)
		w.At.Line = line
		return &model.Hop{Name: "pool", Pool: model.Pool{Max: value("poolSize", 200, model.Default), Waiters: w}}
	}
	d := &model.Document{Hops: []*model.Hop{hop(model.Default, 1), hop(model.Default, 2), hop(model.Set, 3), hop(model.Set, 4)}}
	bounded := hop(model.Set, 5)
	bounded.Pool.Wait = model.Value{Unit: model.Seconds, Amount: 1, Origin: model.Set}
	d.Hops = append(d.Hops, bounded)
	found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{d}})
	if len(found) != 3 {
		t.Errorf("%d findings: %+v", len(found), found)
	}
}
