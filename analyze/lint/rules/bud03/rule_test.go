package bud03

import (
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

func set(key string, unit model.Unit, amount float64) model.Value {
	return model.Value{Key: key, Unit: unit, Amount: amount, Origin: model.Set, At: model.Position{File: "f", Line: 7}}
}

// FollowFeed: 2.5 % over 40 groups may double the load of one. The same share is right
// where a service is one group of hosts, and harmless below a doubling.
func TestScopes(t *testing.T) {
	for _, tt := range []struct {
		name    string
		product string
		scope   model.Scope
		ratio   float64
		groups  float64
		want    finding.Severity
	}{
		{"40 groups", "d2", model.PerService, 0.025, 40, finding.Error},
		{"4 groups", "d2", model.PerService, 0.025, 4, finding.Warning},
		{"unknown groups", "d2", model.PerService, 0.2, 0, finding.Warning},
		{"all services", "own", model.Global, 0.2, 0, finding.Warning},
		{"one group", "linkerd", model.PerService, 0.2, 0, 0},
		{"per cluster", "envoy", model.PerCluster, 0.2, 0, 0},
		{"no retries at all", "d2", model.PerService, 0, 0, 0},
	} {
		h := &model.Hop{Name: "h", Extra: map[string]model.Value{}, Budget: model.Budget{Scope: tt.scope, Ratio: set("ratio", model.Ratio, tt.ratio)}}
		if tt.groups > 0 {
			h.Extra[partitions] = set(partitions, model.Count, tt.groups)
		}
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Product: tt.product, Hops: []*model.Hop{h, h}}}})
		var got finding.Severity
		if len(found) > 0 {
			got = found[0].Severity
		}
		if got != tt.want || len(found) > 1 {
			t.Errorf("%s: %d findings, %v, want %v", tt.name, len(found), got, tt.want)
		}
	}
}
