package tmo16

import (
	"math"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
)

func TestLimiterCountsForEachTry(t *testing.T) {
	sec := func(s float64) model.Value {
		return model.Value{Key: "timeout-duration", Unit: model.Seconds, Amount: s, Origin: model.Set, At: model.Position{File: "f", Line: 2}}
	}
	tries := model.Value{Key: "max-attempts", Unit: model.Count, Amount: 3, Origin: model.Set}
	hop := model.Hop{Name: "storage", PerTry: sec(2), Retry: model.Retry{Tries: tries, Written: tries}, Backoff: model.Backoff{Base: sec(0.5)}}
	for name, tt := range map[string]struct {
		product string
		change  func(*model.Hop)
		want    string
	}{
		"three tries":   {"resilience4j", func(*model.Hop) {}, "the call may take 7s"},
		"one try":       {"resilience4j", func(h *model.Hop) { h.Retry.Tries.Amount = 1 }, ""},
		"limited":       {"resilience4j", func(h *model.Hop) { h.Total = sec(4) }, ""},
		"no limiter":    {"resilience4j", func(h *model.Hop) { h.PerTry = sec(math.Inf(1)) }, ""},
		"other product": {"envoy", func(*model.Hop) {}, ""},
	} {
		h := hop
		tt.change(&h)
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Product: tt.product, Hops: []*model.Hop{&h}}}})
		if (len(found) == 1) != (tt.want != "") || tt.want != "" && !strings.Contains(found[0].Message, tt.want) {
			t.Errorf("%s: %+v", name, found)
		}
		if tt.want != "" && !strings.Contains(found[0].Remediation, "333.333ms") {
			t.Errorf("%s: %s", name, found[0].Remediation)
		}
	}
}

// A limit that the waits alone are over leaves nothing for tries.
func TestWaitsOverLimit(t *testing.T) {
	limit := model.Value{Key: "timeout-duration", Unit: model.Seconds, Amount: 1, Origin: model.Set}
	if got := instead(limit, worst.Call{Tries: 3, Waits: 1.5}); !strings.Contains(got, "they alone are 1.5s, and timeout-duration is 1s") {
		t.Error(got)
	}
}
