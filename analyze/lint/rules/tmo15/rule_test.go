package tmo15

import (
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
)

// The finding is at the setting that is not used.
func TestLoser(t *testing.T) {
	at := func(line int) model.Value {
		return model.Value{Key: "k", Unit: model.Seconds, Amount: float64(line), Origin: model.Set, At: model.Position{File: "f", Line: line}}
	}
	g := &model.Graph{Documents: []*model.Document{{
		Hops:     []*model.Hop{{Name: "h", Doubles: [][2]model.Value{{at(1), at(2)}, {at(3), {}}}}},
		Services: []*model.Service{{Name: "s", Doubles: [][2]model.Value{{at(5), at(4)}}}},
	}}}
	found, _ := rule.Run(&Rule, g)
	if len(found) != 2 || found[0].Location.Line != 2 || found[1].Location.Line != 4 || found[0].Message != "k = 2s is not used: k = 1s holds" {
		t.Errorf("%+v", found)
	}
}
