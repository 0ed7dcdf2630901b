package catalog

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Whatever a reader puts into the model, no rule panics, and each finding is whole: a
// place, what it rests on, what to set, and no number that is none.
func TestRandomModels(t *testing.T) {
	rules := All()
	rapid.Check(t, func(t *rapid.T) {
		d := &model.Document{File: "f", Format: "toy", Product: rapid.SampledFrom([]string{"toy", "nginx", "envoy", "resilience4j", "grpc"}).Draw(t, "product")}
		for range rapid.IntRange(0, 2).Draw(t, "hops") {
			h := &model.Hop{}
			fill(t, reflect.ValueOf(h).Elem(), 0)
			d.Hops = append(d.Hops, h)
		}
		for range rapid.IntRange(0, 1).Draw(t, "services") {
			s := &model.Service{}
			fill(t, reflect.ValueOf(s).Elem(), 0)
			d.Services = append(d.Services, s)
		}
		g := &model.Graph{Documents: []*model.Document{d}}
		for i := range rules {
			found, _ := rule.Run(&rules[i], g)
			for _, f := range found {
				whole(t, f)
			}
		}
	})
}

// whole holds that a finding has all that people need.
func whole(t *rapid.T, f finding.Finding) {
	text := f.Message + " " + f.Remediation
	for _, e := range f.Evidence {
		text += " " + e.Name + " " + e.Value
	}
	switch {
	case f.Location.File == "" || f.Location.Line == 0:
		t.Fatalf("%s: no place: %+v", f.Rule, f)
	case len(f.Evidence) == 0 || f.Remediation == "" || f.Message == "":
		t.Fatalf("%s: not whole: %+v", f.Rule, f)
	case strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || strings.Contains(text, "%!"):
		t.Fatalf("%s: a number that is none: %s", f.Rule, text)
	case strings.HasSuffix(f.Message, ".") || strings.Contains(f.Message, "\n"):
		t.Fatalf("%s: not one sentence: %q", f.Rule, f.Message)
	}
}

var valueType, positionType = reflect.TypeFor[model.Value](), reflect.TypeFor[model.Position]()

// fill puts something into each field of the model.
func fill(t *rapid.T, v reflect.Value, depth int) {
	switch {
	case v.Type() == valueType:
		v.Set(reflect.ValueOf(draw(t)))
		return
	case v.Type() == positionType:
		v.Set(reflect.ValueOf(model.Position{File: "f", Line: rapid.IntRange(1, 9).Draw(t, "line"), Column: 1}))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), depth+1)
		}
	case reflect.Slice:
		n := rapid.IntRange(0, 2).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), depth+1)
		}
	case reflect.String:
		v.SetString(rapid.SampledFrom([]string{"", "a", "liveness", "readiness", "health", "POST", "delay"}).Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "flag"))
	case reflect.Int:
		v.SetInt(int64(rapid.IntRange(0, 5).Draw(t, "number")))
	case reflect.Uint8:
		v.SetUint(uint64(rapid.IntRange(0, 2).Draw(t, "kind")))
	}
}

// draw returns a value as readers make them, the odd ones included.
func draw(t *rapid.T) model.Value {
	v := model.Value{Key: rapid.SampledFrom([]string{"k", "timeout", "max"}).Draw(t, "key"), Unit: model.Unit(rapid.IntRange(0, 6).Draw(t, "unit")), Source: "s"}
	v.Origin = model.Origin(rapid.IntRange(0, 4).Draw(t, "origin"))
	if v.Origin == model.Absent {
		return model.Value{Key: v.Key}
	}
	v.Amount = rapid.SampledFrom([]float64{0, 0.001, 0.05, 0.5, 1, 1, 2, 5, 30, 60, 75.5, 200, 1024, 7200, 1e6, math.Inf(1), math.NaN(), -1}).Draw(t, "amount")
	v.Raw = rapid.SampledFrom([]string{"0", "5", "5s", "on", "true"}).Draw(t, "raw")
	v.Unverified = v.Origin == model.Default && rapid.Bool().Draw(t, "unverified")
	v.At = model.Position{File: "f", Line: rapid.IntRange(1, 9).Draw(t, "line"), Column: 1}
	return v
}
