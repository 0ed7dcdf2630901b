package read

import (
	"testing"

	"example.com/kneeline/analyze/lint/model"
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
