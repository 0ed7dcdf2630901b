package read

import (
	"math"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/tree"
)

func TestDuration(t *testing.T) {
	for _, tt := range []struct {
		in     string
		bare   Bare
		want   float64
		isBare bool
	}{
		{"60s", NoBare, 60, false}, {"1m30s", NoBare, 90, false}, {"0.840s", NoBare, 0.84, false}, {"1.000s", NoBare, 1, false},
		{"500 ms", NoBare, 0.5, false}, {"5000", BareSeconds, 5000, true}, {"5000", BareMillis, 5, true}, {"-1", BareMillis, -0.001, true},
		{"PT1.5S", NoBare, 1.5, false}, {"PT1H2M3S", NoBare, 3723, false}, {"P1DT1H", NoBare, 90000, false}, {"1h 30m", NoBare, 5400, false},
		{"30 seconds", NoBare, 30, false}, {"1d", NoBare, 86400, false}, {"1M", NoBare, 2592000, false}, {"-1ms", NoBare, -0.001, false}, {"0", NoBare, 0, true},
	} {
		got, isBare, ok := Duration(tt.in, tt.bare)
		if !ok || math.Abs(got-tt.want) > 1e-9*math.Abs(tt.want) || isBare != tt.isBare {
			t.Errorf("%q: %v %v %v, want %v %v", tt.in, got, isBare, ok, tt.want, tt.isBare)
		}
	}
	for _, in := range []string{"", "5", "x", "5x", "5s5", "PT", "PT5", "1..2s", "NaN", "Inf", "s", "-"} {
		if got, _, ok := Duration(in, NoBare); ok {
			t.Errorf("%q is %v", in, got)
		}
	}
}

func TestFill(t *testing.T) {
	docs, errs := tree.YAML("f", []byte("a: QQQQQQQQQ\nb: QQQQ\nc: ${T:-5s}\nd: ${X}\ne: x-QQ\n"))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	in := &Input{
		Holes: []model.Value{
			{Key: `.Values.t | default "7s"`, Source: ".Values.t", Origin: model.Hole, At: model.Position{Offset: 3, End: 12}},
			{Key: ".Values.n", Source: ".Values.n", Origin: model.Hole, At: model.Position{Offset: 16, End: 20}},
			{Key: ".x", Source: ".x", Origin: model.Hole, At: model.Position{Offset: 45, End: 47}},
		},
		Lookup: func(name string) (string, bool) { return "9s", name == "X" },
	}
	root := docs[0]
	in.Fill(root)
	if v := in.Duration(root.Get("a"), "a", NoBare); v.Amount != 7 || v.Origin != model.Set {
		t.Errorf("a: %+v", v)
	}
	if v := in.Duration(root.Get("b"), "b", NoBare); !v.IsHole() || v.At.Line != 2 {
		t.Errorf("b: %+v", v)
	}
	if v := in.Duration(root.Get("c"), "c", NoBare); v.Amount != 5 {
		t.Errorf("c: %+v", v)
	}
	if v := in.Duration(root.Get("d"), "d", NoBare); v.Amount != 9 {
		t.Errorf("d: %+v", v)
	}
	if v := in.Text(root.Get("e"), "e"); !v.IsHole() {
		t.Errorf("e: %+v", v)
	}
	if v := in.Count(root.Get("c"), "c"); !Unreadable(v) {
		t.Errorf("c as a count: %+v", v)
	}
	if v := in.Count(root.Get("none"), "none"); v.Present() {
		t.Errorf("none: %+v", v)
	}
}

func FuzzDuration(f *testing.F) {
	f.Add("1h 30m", 1.0)
	f.Add("PT5M", 0.001)
	f.Fuzz(func(t *testing.T, text string, bare float64) {
		if got, _, ok := Duration(text, Bare(bare)); ok && math.IsNaN(got) && !math.IsNaN(bare) && !math.IsInf(bare, 0) {
			t.Errorf("%q is NaN", text)
		}
	})
}
