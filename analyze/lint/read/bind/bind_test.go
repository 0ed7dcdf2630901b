package bind

import (
	"math"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/tree"
)

func TestDuration(t *testing.T) {
	docs, _ := tree.YAML("f", []byte("a: 20000\nb: 20s\nc: soon\nd: [1]\ne: ${X}\n"))
	root := docs[0]
	in := &read.Input{Name: "f"}
	in.Fill(root)
	b := New(in, 1, "f", "p", "the program")
	if v := b.Duration(root.Get("a"), "a", Millis); v.Amount != 20 {
		t.Errorf("a: %+v", v)
	}
	if v := b.Duration(root.Get("b"), "b", Millis); v.Amount != 20 || len(b.Doc.Units) != 1 || b.Doc.Units[0].Fix != "20000" || !b.Doc.Units[0].Refused {
		t.Errorf("b: %+v %+v", v, b.Doc.Units)
	}
	if v := b.Duration(root.Get("b"), "b", MillisOrUnit); v.Amount != 20 || len(b.Doc.Units) != 1 {
		t.Errorf("b with a unit: %+v %+v", v, b.Doc.Units)
	}
	if v := b.Duration(root.Get("c"), "c", Millis); !math.IsNaN(v.Amount) || len(b.Doc.Problems) != 1 || b.Doc.Problems[0].At.Line != 3 {
		t.Errorf("c: %+v %+v", v, b.Doc.Problems)
	}
	if v := b.Duration(root.Get("d"), "d", Millis); v.Present() || len(b.Doc.Problems) != 2 {
		t.Errorf("d: %+v %+v", v, b.Doc.Problems)
	}
	for range 2 {
		if v := b.Duration(root.Get("e"), "e", Millis); !v.IsHole() || len(b.Doc.Holes) != 1 {
			t.Errorf("e: %+v %+v", v, b.Doc.Holes)
		}
	}
	if v := b.Duration(root.Get("a"), "a", WithUnit); !math.IsNaN(v.Amount) || len(b.Doc.Units) != 2 || len(b.Doc.Problems) != 2 {
		t.Errorf("a without its unit: %+v %+v", v, b.Doc.Units)
	}
	if v := b.Duration(root.Get("none"), "none", Millis); v.Present() || len(b.Doc.Problems) != 2 {
		t.Errorf("none: %+v", v)
	}
}

func TestValues(t *testing.T) {
	set := func(f float64) model.Value {
		return model.Value{Key: "k", Unit: model.Count, Amount: f, Origin: model.Set}
	}
	for name, tt := range map[string]struct{ got, want float64 }{
		"negative":        {NoLimitBelow(set(-1)).Amount, math.Inf(1)},
		"zero stays":      {NoLimitBelow(set(0)).Amount, 0},
		"zero is none":    {NoLimitAtMost(set(0)).Amount, math.Inf(1)},
		"one stays":       {NoLimitAtMost(set(1)).Amount, 1},
		"largest":         {NoLimitFromInt(set(math.MaxInt32)).Amount, math.Inf(1)},
		"below largest":   {NoLimitFromInt(set(math.MaxInt32 - 1)).Amount, math.MaxInt32 - 1},
		"absent has none": {Or(model.Value{}, set(3)).Amount, 3},
		"set wins":        {Or(set(2), set(3)).Amount, 2},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
		}
	}
	var r model.Retry
	if ExtraTries(&r, set(3)); r.Tries.Amount != 4 || r.Written.Amount != 3 || r.Dialect != model.ExtraTries {
		t.Errorf("extra: %+v", r)
	}
	if TotalTries(&r, set(0)); r.Tries.Amount != 1 || r.Written.Amount != 0 {
		t.Errorf("total: %+v", r)
	}
}

func TestNotedIsBounded(t *testing.T) {
	b := New(&read.Input{Name: "f"}, 1, "f", "p", "the program")
	for range MaxNoted * 2 {
		b.Problem(model.Position{}, "x")
		b.Unknown("conectTimeout", "o", []string{"connectTimeout"}, model.Position{Line: 1})
	}
	if len(b.Doc.Problems) != MaxNoted || len(b.Doc.Unknown) != MaxNoted || b.Doc.Unknown[0].Nearest != "connectTimeout" || b.Doc.Problems[0].At.Line != 1 {
		t.Errorf("%d problems, %d unknown", len(b.Doc.Problems), len(b.Doc.Unknown))
	}
}
