package tmo14

import (
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
)

// Only a zero beside a default that holds is told.
func TestZero(t *testing.T) {
	zero := model.Value{Key: "ConnectTimeout", Raw: "0s", Unit: model.Seconds, Origin: model.Set, At: model.Position{File: "f", Line: 2}}
	five := model.Value{Key: "ConnectTimeout", Raw: "5s", Unit: model.Seconds, Amount: 5, Origin: model.Default}
	set := five
	set.Origin = model.Set
	for name, tt := range map[string]struct {
		connect model.Value
		extra   map[string]model.Value
		want    int
	}{
		"default holds": {five, map[string]model.Value{"zero ConnectTimeout": zero}, 1},
		"no zero":       {five, map[string]model.Value{"other": zero}, 0},
		"another holds": {set, map[string]model.Value{"zero ConnectTimeout": zero}, 0},
		"nothing":       {five, nil, 0},
	} {
		h := &model.Hop{Name: "h", Connect: tt.connect, Extra: tt.extra}
		found, _ := rule.Run(&Rule, &model.Graph{Documents: []*model.Document{{Hops: []*model.Hop{h}}}})
		if len(found) != tt.want || tt.want == 1 && (found[0].Location.Line != 2 || found[0].Message != "ConnectTimeout = 0s is not none: the default of 5s holds") {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
