package pending

import (
	"slices"
	"testing"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

func lengthClusterer(rows []classCount, arrays ...*heapdump.Class) *clusterer {
	c := newTextClusterer(rows, pattern.Builtin())
	c.lengths, c.lengthOf = lengthsOf(&heapdump.Heap{Classes: arrays})
	return c
}

// A request has a buffer of its own and two of another length; among the arrays
// of the class as a whole they do not show.
func TestBuffersOfOneLength(t *testing.T) {
	rows := []classCount{{"shop.Order", 15000, 480000}, {"shop.Link", 15003, 360000}, {"byte[]", 61000, 9_000_000}}
	bytes := &heapdump.Class{Display: "byte[]", Instances: 61000, Lengths: []heapdump.Length{
		{Length: 200, Count: 15010, Bytes: 15010 * 216},
		{Length: 64, Count: 30002, Bytes: 30002 * 80},
		{Length: 24, Count: 9000, Bytes: 9000 * 40},
		{Length: 30, Count: 700, Bytes: 700 * 48},
	}}
	cl, ok := lengthClusterer(rows, bytes).anchored(anchor{count: 15000, classes: []string{"shop.Order"}})
	if !ok {
		t.Fatal("no cluster")
	}
	want := []string{"byte[] of 200", "byte[] of 64", "shop.Link", "shop.Order"}
	if got := classNames(cl); !slices.Equal(got, want) {
		t.Errorf("it has %v, not %v", got, want)
	}
	if each := 32 + 24 + 216 + 160; cl.BytesEach < float64(each) || cl.BytesEach > 1.001*float64(each) {
		t.Errorf("one takes %.1f B, not %d B", cl.BytesEach, each)
	}
}

// A class of arrays that is in the cluster as a whole is counted once.
func TestBuffersNotTwice(t *testing.T) {
	rows := []classCount{{"shop.Order", 15000, 480000}, {"shop.Link", 15003, 360000}, {"char[]", 15100, 1_000_000}}
	chars := &heapdump.Class{Display: "char[]", Instances: 15100, Lengths: []heapdump.Length{{Length: 20, Count: 15000, Bytes: 900_000}}}
	cl, _ := lengthClusterer(rows, chars).anchored(anchor{count: 15000, classes: []string{"shop.Order"}})
	if got, want := classNames(cl), []string{"char[]", "shop.Link", "shop.Order"}; !slices.Equal(got, want) {
		t.Errorf("it has %v, not %v", got, want)
	}
}

// Where many lengths are about as frequent, one that is as frequent as the
// requests is no sign.
func TestBuffersByChance(t *testing.T) {
	rows := []classCount{{"shop.Order", 15000, 480000}, {"shop.Link", 15003, 360000}}
	bytes := &heapdump.Class{Display: "byte[]"}
	for n := range int64(300) {
		count := 6000 + 120*n
		bytes.Lengths = append(bytes.Lengths, heapdump.Length{Length: 16 + n, Count: count, Bytes: count * 40})
	}
	cl, _ := lengthClusterer(rows, bytes).anchored(anchor{count: 15000, classes: []string{"shop.Order"}})
	if got, want := classNames(cl), []string{"shop.Link", "shop.Order"}; !slices.Equal(got, want) {
		t.Errorf("it has %v, not %v", got, want)
	}
}
