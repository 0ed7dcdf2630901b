package catalog

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
)

// Whatever is in a chain, no rule panics, and each finding is whole.
func TestRandomChains(t *testing.T) {
	rules := All()
	rapid.Check(t, func(t *rapid.T) {
		c := drawChain(t)
		for i := range rules {
			if rules[i].Chain == nil {
				continue
			}
			found, missing, _ := rule.RunChain(&rules[i], c)
			for _, f := range found {
				whole(t, f)
			}
			for _, m := range missing {
				if m.What == "" {
					t.Fatalf("%s lacks nothing", m.Rule)
				}
			}
		}
	})
}

func drawChain(t *rapid.T) *chain.Chain {
	c := &chain.Chain{File: "t"}
	doc := &model.Document{File: "f", Line: 1, Format: rapid.SampledFrom([]string{"d2", "topology", "nginx"}).Draw(t, "format")}
	for i := range rapid.IntRange(1, 4).Draw(t, "services") {
		s := &chain.Service{Name: fmt.Sprintf("s%d", i), At: model.Position{File: "t", Line: i + 1}}
		v := reflect.ValueOf(s).Elem()
		for j := range v.NumField() {
			if v.Field(j).Type() == valueType {
				v.Field(j).Set(reflect.ValueOf(draw(t)))
			}
		}
		if rapid.Bool().Draw(t, "part") {
			part := &model.Service{}
			fill(t, reflect.ValueOf(part).Elem(), 0)
			s.Parts = append(s.Parts, chain.Part{Document: doc, Service: part})
		}
		c.Services = append(c.Services, s)
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "hops") {
		pick := func(what string) *chain.Service { return rapid.SampledFrom(c.Services).Draw(t, what) }
		h := &chain.Hop{From: pick("from"), To: pick("to"), At: model.Position{File: "t", Line: 10 + i}, Rate: draw(t), PerPair: rapid.Bool().Draw(t, "pair")}
		for range rapid.IntRange(0, 2).Draw(t, "layers") {
			m := &model.Hop{}
			fill(t, reflect.ValueOf(m).Elem(), 0)
			h.Layers = append(h.Layers, chain.Layer{Document: doc, Hop: m})
		}
		h.From.Out, h.To.In = append(h.From.Out, h), append(h.To.In, h)
		c.Hops = append(c.Hops, h)
	}
	return c
}
