package tmo06

import (
	"math"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

func set(key string, seconds float64, line int) model.Value {
	return model.Value{Key: key, Raw: key, Unit: model.Seconds, Amount: seconds, Origin: model.Set, At: model.Position{File: "f", Line: line}}
}

// Two layers of one call are compared, and what is not one call is not.
func TestLayers(t *testing.T) {
	app := model.Hop{Name: "command storage", To: "storage", Layer: model.App, Total: set("timeout", 0.4, 1)}
	lib := model.Hop{Name: "client storage", To: "storage", Layer: model.Library, PerTry: set("requestTimeout", 3.5, 2)}
	tries := model.Value{Key: "attempts", Unit: model.Count, Amount: 2, Origin: model.Set}
	for name, tt := range map[string]struct {
		change   func(app, lib *model.Hop)
		severity finding.Severity // 0 for no finding
		message  string
	}{
		"founding case": {func(_, _ *model.Hop) {}, finding.Error, "waits up to 3.5s, 8.75 times the 400ms of command storage: work goes on for 3.1s"},
		"a little over": {func(_, l *model.Hop) { l.PerTry = set("requestTimeout", 0.45, 2) }, finding.Warning, "1.12 times"},
		"below":         {func(_, l *model.Hop) { l.PerTry = set("requestTimeout", 0.3, 2) }, 0, ""},
		"tries over":    {func(_, l *model.Hop) { l.PerTry = set("requestTimeout", 0.3, 2); l.Retry.Tries = tries }, finding.Warning, "waits up to 600ms"},
		"cut by its own": {func(_, l *model.Hop) {
			l.PerTry, l.Total, l.Retry.Tries = set("p", 0.3, 2), set("total", 0.4, 3), tries
		}, 0, ""},
		"over its own":    {func(_, l *model.Hop) { l.Total = set("total", 0.4, 3) }, finding.Warning, "requestTimeout has no effect"},
		"no limit within": {func(_, l *model.Hop) { l.PerTry = set("requestTimeout", math.Inf(1), 2) }, finding.Error, "no limit"},
		"other callee":    {func(_, l *model.Hop) { l.To = "index" }, 0, ""},
		"other caller":    {func(a, l *model.Hop) { a.From, l.From = "a", "b" }, 0, ""},
		"same layer":      {func(_, l *model.Hop) { l.Layer = model.App }, 0, ""},
		"unknown layer":   {func(a, _ *model.Hop) { a.Layer = model.LayerUnknown }, 0, ""},
		"stream":          {func(_, l *model.Hop) { l.Streams = true }, 0, ""},
		"hole":            {func(a, _ *model.Hop) { a.Total = model.Value{Origin: model.Hole} }, 0, ""},
		"both defaults":   {func(a, l *model.Hop) { a.Total.Origin, l.PerTry.Origin = model.Default, model.Default }, 0, ""},
	} {
		a, l := app, lib
		tt.change(&a, &l)
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Hops: []*model.Hop{&l, &a}}}})
		switch {
		case tt.severity == 0:
			if len(found) != 0 {
				t.Errorf("%s: %+v", name, found)
			}
		case len(found) != 1 || found[0].Severity != tt.severity || !strings.Contains(found[0].Message, tt.message) || found[0].Location.Line != 2:
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// A limit of the application around a library in one hop, as Hystrix around Ribbon.
func TestLibraryWithin(t *testing.T) {
	hop := model.Hop{Name: "hystrix and ribbon storage", Layer: model.App, Total: set("timeoutInMilliseconds", 1, 1), GapRead: set("ReadTimeout", 30, 2)}
	two := model.Value{Unit: model.Count, Amount: 2, Origin: model.Set}
	for name, tt := range map[string]struct {
		change   func(*model.Hop)
		severity finding.Severity
	}{
		"thirty times":   {func(*model.Hop) {}, finding.Error},
		"a little":       {func(h *model.Hop) { h.GapRead = set("ReadTimeout", 1.5, 2) }, finding.Warning},
		"under":          {func(h *model.Hop) { h.GapRead = set("ReadTimeout", 0.8, 2) }, 0},
		"tries":          {func(h *model.Hop) { h.Retry.Tries = two }, 0},
		"proxy":          {func(h *model.Hop) { h.Layer = model.Gateway }, 0},
		"nothing is set": {func(h *model.Hop) { h.Total.Origin, h.GapRead.Origin = model.Default, model.Default }, 0},
		"no limit":       {func(h *model.Hop) { h.Total = set("timeoutInMilliseconds", math.Inf(1), 1) }, 0},
	} {
		h := hop
		tt.change(&h)
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Hops: []*model.Hop{&h}}}})
		if len(found) > 1 || len(found) == 0 && tt.severity != 0 || len(found) == 1 && found[0].Severity != tt.severity {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
