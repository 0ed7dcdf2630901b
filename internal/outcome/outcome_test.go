package outcome

import (
	"math"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

func TestClassNames(t *testing.T) {
	seen := map[string]bool{"": true, "unknown": true}
	for c := range NumClasses {
		if seen[c.String()] {
			t.Errorf("class %d has the name %q, which is empty or taken", c, c)
		}
		seen[c.String()] = true
	}
	for _, c := range []Class{NumClasses, math.MaxUint8} {
		if c.String() != "unknown" {
			t.Errorf("class %d, which is none, has the name %q", uint8(c), c)
		}
	}
}

func TestShare(t *testing.T) {
	c := Counts{Planned: 8}
	c.By[Full], c.By[Shed] = 6, 2
	if got := c.Share(Shed); got != 0.25 {
		t.Errorf("share of 2 in 8 is %v", got)
	}
	if got := (Counts{}).Share(Full); got != 0 {
		t.Errorf("share of nothing is %v", got)
	}
}

func TestBalanced(t *testing.T) {
	if !(Counts{}).Balanced() {
		t.Error("an empty account does not balance")
	}
	for class := range NumClasses {
		c := Counts{Planned: 1}
		if c.Balanced() {
			t.Errorf("a planned request in no class balances")
		}
		c.By[class] = 1
		if !c.Balanced() {
			t.Errorf("a request of class %s alone does not balance", class)
		}
		c.By[class] = 2
		if c.Balanced() {
			t.Errorf("a request counted twice as %s balances", class)
		}
	}
}

func drawCounts32(t *rapid.T, name string) Counts32 {
	n := rapid.Uint32Range(0, math.MaxUint32)
	var c Counts32
	c.Planned = n.Draw(t, name+" planned")
	for _, field := range [][]uint32{c.By[:], c.LateFull[:], c.LateDegraded[:]} {
		for i := range field {
			field[i] = n.Draw(t, name)
		}
	}
	return c
}

// TestAddAndWide guards that no field is left out of a sum or of the widening,
// and that neither wraps at 32 bits.
func TestAddAndWide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawCounts32(t, "a"), drawCounts32(t, "b")
		sum, turned := a.Wide(), b.Wide()
		sum.Add(b.Wide())
		turned.Add(a.Wide())
		if sum != turned {
			t.Fatalf("a+b is %+v, b+a is %+v", sum, turned)
		}
		if sum.Planned != uint64(a.Planned)+uint64(b.Planned) {
			t.Fatalf("planned %d", sum.Planned)
		}
		for i := range a.By {
			if sum.By[i] != uint64(a.By[i])+uint64(b.By[i]) {
				t.Fatalf("class %s: %d", Class(i), sum.By[i])
			}
		}
		for i := range a.LateFull {
			if sum.LateFull[i] != uint64(a.LateFull[i])+uint64(b.LateFull[i]) ||
				sum.LateDegraded[i] != uint64(a.LateDegraded[i])+uint64(b.LateDegraded[i]) {
				t.Fatalf("threshold %d: %d, %d", i, sum.LateFull[i], sum.LateDegraded[i])
			}
		}
	})
}

// TestCounts32IsHalfTheSize guards the reason for the type: a run keeps a
// hundred of them for every second.
func TestCounts32IsHalfTheSize(t *testing.T) {
	if narrow, wide := unsafe.Sizeof(Counts32{}), unsafe.Sizeof(Counts{}); narrow*2 != wide {
		t.Errorf("%d bytes against %d; do the two types have the same fields?", narrow, wide)
	}
}
