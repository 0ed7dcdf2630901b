package tmo14

import (
	"math"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
)

func TestZero(t *testing.T) {
	for raw, want := range map[string]bool{"0": true, "0s": true, `"0s"`: true, "0.0ms": true, "00": true, "10s": false, "": false, "s": false, "0s1": false} {
		if zero(raw) != want {
			t.Errorf("%q: %v", raw, !want)
		}
	}
	for name, tt := range map[string]struct {
		amount float64
		raw    string
		origin model.Origin
		want   int
	}{
		"default of five": {5, "0s", model.Set, 1}, "off": {math.Inf(1), "0s", model.Set, 0}, "zero": {0, "0s", model.Set, 0},
		"set": {5, "5s", model.Set, 0}, "absent": {5, "", model.Default, 0},
	} {
		h := &model.Hop{Name: "h", Connect: model.Value{Key: "ConnectTimeout", Raw: tt.raw, Unit: model.Seconds, Amount: tt.amount, Origin: tt.origin}}
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Hops: []*model.Hop{h}}}})
		if len(found) != tt.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
