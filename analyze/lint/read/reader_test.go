package read

import (
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/tree"
)

func TestPartKeepsPlaces(t *testing.T) {
	in := &Input{Data: []byte("a: |\n  x 1;\nb: QQ\n"), Holes: []model.Value{{Raw: "h", At: model.Position{Offset: 15, End: 17}}}}
	part := in.Part(7, 11)
	if got := string(part.Data); got != "    \n  x 1;"[:11]+"\n     \n" {
		t.Errorf("%q", got)
	}
	if len(part.Holes) != 0 || in.HoleAt(15, 17) == nil || in.HoleAt(0, 15) != nil || in.HoleAt(17, 18) != nil {
		t.Error("holes")
	}
}

func TestOriginal(t *testing.T) {
	in := &Input{Data: []byte("a QQQ-b;"), Holes: []model.Value{{Raw: "{{ x }}", At: model.Position{Offset: 2, End: 5}}}}
	if got := in.Original(model.Position{Offset: 2, End: 7}); got != "{{ x }}-b" {
		t.Errorf("%q", got)
	}
}

func TestBlock(t *testing.T) {
	data := "data:\n  a: |\n    x\n\n     y\n  b: >-\n    z\n  c: 'q'\n  d: |\n"
	docs, errs := tree.YAML("f", []byte(data))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	in := &Input{Data: []byte(data)}
	for key, want := range map[string]string{"a": "    x\n\n     y\n", "b": "    z\n", "c": "'q'", "d": "", "none": ""} {
		if from, to := in.Block(docs[0].Get("data", key)); data[from:to] != want {
			t.Errorf("%s: %q, want %q", key, data[from:to], want)
		}
	}
}

func TestMemo(t *testing.T) {
	in, asked := &Input{Data: []byte("x")}, 0
	find := func() any { asked++; return asked }
	for _, ask := range []struct {
		in   *Input
		key  string
		want int
	}{{in, "a", 1}, {in, "a", 1}, {in, "b", 2}, {in.Part(0, 1), "a", 3}} {
		if got := ask.in.Memo(ask.key, find); got != ask.want {
			t.Errorf("Memo(%q) = %v, want %d", ask.key, got, ask.want)
		}
	}
}
