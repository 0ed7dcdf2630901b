package hist

import (
	"encoding/base64"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func drawHist(t *rapid.T, name string) *Hist {
	var h Hist
	for _, v := range rapid.SliceOfN(rapid.Int64Range(0, 4*Limit), 0, 60).Draw(t, name) {
		h.Record(v)
	}
	return &h
}

// TestTextKeepsEverything: what is packed comes back to the last count, and so
// does the merge of two halves.
func TestTextKeepsEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawHist(t, "a"), drawHist(t, "b")
		whole := a.Clone()
		whole.Merge(b)
		var merged Hist
		for _, part := range []*Hist{a, b} {
			text, err := part.MarshalText()
			if err != nil {
				t.Fatal(err)
			}
			var back Hist
			if err := back.UnmarshalText(text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if !same(&back, part) {
				t.Fatalf("%s came back as another histogram", text)
			}
			merged.Merge(&back)
		}
		if !same(&merged, &whole) {
			t.Fatal("the merge of the halves is not the whole")
		}
	})
}

func TestTextRefuses(t *testing.T) {
	pack := func(b ...byte) string { return base64.RawStdEncoding.EncodeToString(b) }
	for name, text := range map[string]string{
		"empty":            "",
		"not base64":       "!!",
		"other version":    pack(2),
		"breaks off":       pack(1, 5, 5, 0),
		"no counts":        pack(1, 5, 5, 0, 5),
		"a count of 0":     pack(1, 5, 5, 0, 5, 5, 0),
		"too many buckets": pack(1, 5, 5, 0, 5, 0xff, 0xff, 0x7f, 1),
		"wrong least":      pack(1, 4, 5, 0, 5, 5, 1),
		"wrong greatest":   pack(1, 5, 6, 0, 5, 5, 1),
	} {
		h := Hist{count: math.MaxUint64}
		if err := h.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%s: no error", name)
		} else if h.count != math.MaxUint64 {
			t.Errorf("%s: the histogram was changed", name)
		}
	}
}

func FuzzUnmarshalText(f *testing.F) {
	var h Hist
	for _, v := range []int64{0, 5, 1000, 1e6, 1e9, 2 * Limit} {
		h.Record(v)
		text, _ := h.MarshalText()
		f.Add(string(text))
	}
	f.Add("AQ")
	f.Fuzz(func(t *testing.T, text string) {
		var h Hist
		if h.UnmarshalText([]byte(text)) != nil {
			return
		}
		again, err := h.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back Hist
		if err := back.UnmarshalText(again); err != nil || !same(&h, &back) {
			t.Fatalf("%q became %q: %v", text, again, err)
		}
	})
}
