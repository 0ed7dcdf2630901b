package pending

import (
	"math"
	"strings"
	"testing"

	"example.com/kneeline/heapdump"
)

func TestFillOf(t *testing.T) {
	s := newStore()
	table := s.ArrayClass("java.util.HashMap$Node[]", typeObject)
	full := s.ArrayClass("shop.Order[]", typeObject)
	id := s.New(s.order, nil)
	for range 50 {
		slots := make([]heapdump.ID, 64)
		slots[0] = id
		s.Array(table, slots...)
		s.Array(full, id, id, id)
	}
	got := fillOf(s.Heap())
	if len(got) != 1 || got[0].Class != "java.util.HashMap$Node[]" {
		t.Fatalf("%+v", got)
	}
	if r := got[0]; r.Count != 50 || r.Slots != 3200 || r.Used != 50 || math.Abs(r.Fill-1.0/64) > 1e-9 || r.Wasted < 4*3150 {
		t.Errorf("%+v", r)
	}
}

func TestStringsOf(t *testing.T) {
	h := newStore().Heap()
	if stringsOf(h, true) != nil {
		t.Error("texts of a heap in which none were compared")
	}
	h.Texts = heapdump.Texts{Arrays: 1000, Bytes: 40_000, Share: 0.25, Distinct: 400, Wasted: 24_000, Top: []heapdump.Duplicate{
		{Count: 300, BytesEach: 40, Text: "secret"}, {Count: 1, BytesEach: 32, Text: "single"},
	}}
	hidden, shown := stringsOf(h, false), stringsOf(h, true)
	if len(hidden.Top) != 1 || hidden.Top[0].Value != nil || hidden.Duplicates != 600 || !hidden.Sampled || hidden.Top[0].Wasted != 299*40 {
		t.Errorf("%+v", hidden)
	}
	if shown.Top[0].Value == nil || *shown.Top[0].Value != "secret" {
		t.Errorf("%+v", shown.Top)
	}
	if got := textError(h.Texts); math.Abs(got-math.Sqrt(0.75/100)) > 1e-9 {
		t.Errorf("error is %g", got)
	}
}

func TestFullOf(t *testing.T) {
	s := newStore()
	bytes := s.Named("byte[]")
	for range 100 {
		s.Prim(bytes, make([]int64, 1000)...)
	}
	s.orders(100, 60e9, 0)
	h := s.Heap()
	got, ok := fullOf(h, nil)
	if !ok || !strings.Contains(got.what, "byte[]") || got.bytes < 100_000 {
		t.Errorf("%+v, %v", got, ok)
	}
	even := newStore()
	for i := range 30 {
		c := even.Class("shop.C"+string(rune('A'+i)), even.object)
		for range 100 {
			even.New(c, nil)
		}
	}
	if got, ok := fullOf(even.Heap(), nil); ok {
		t.Errorf("full of %+v", got)
	}
}
