package rank

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/heapdump/graph/disk"
)

// The number of an address is its place among all, sorted, and the other way round;
// what was not added has none.
func TestSetAgainstSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shift := rapid.SampledFrom([]uint8{0, 3}).Draw(t, "shift")
		base := rapid.SampledFrom([]uint64{0, 1 << 20, 1 << 32, 0x7f18_3400_0000, 1<<64 - 1<<20}).Draw(t, "base")
		reach := rapid.SampledFrom([]uint64{64, 1 << 12, 1 << 20, 1 << 44}).Draw(t, "reach")
		draw := rapid.Map(rapid.Uint64Range(0, reach), func(n uint64) uint64 { return (base + n) >> shift << shift })
		list := rapid.SliceOfN(draw, 1, 300).Draw(t, "addresses")
		plans := []*Plan{NewPlan(shift, 1<<30), NewPlan(shift, 1<<30)}
		for i, a := range list {
			plans[i%2].Note(a)
		}
		plans[0].Merge(plans[1])
		arena := disk.New(1<<30, t.Name())
		defer arena.Close()
		s, err := plans[0].Make(arena)
		if err != nil {
			t.Fatal(err)
		}
		fresh := 0
		for _, a := range list {
			if s.Add(a) {
				fresh++
			}
		}
		n, ok := s.Seal()
		slices.Sort(list)
		list = slices.Compact(list)
		if !ok || int(n) != len(list) || s.Len() != len(list) || fresh != len(list) {
			t.Fatalf("%d addresses, %d new, there are %d", n, fresh, len(list))
		}
		for i, a := range list {
			if r, ok := s.Rank(a); !ok || int(r) != i || s.Address(r) != a {
				t.Fatalf("%#x has rank %d %v and that address %#x, its place is %d", a, r, ok, s.Address(r), i)
			}
			if _, found := slices.BinarySearch(list, a+1); !found {
				if r, ok := s.Rank(a + 1); ok {
					t.Fatalf("%#x, which was not added, has rank %d", a+1, r)
				}
			}
		}
		next := 0
		for r, a := range s.All {
			if int(r) != next || a != list[next] {
				t.Fatalf("in order: %d %#x, expected %d %#x", r, a, next, list[next])
			}
			next++
		}
	})
}

// Addresses that are far apart, as no VM has them, do not take more memory than there is.
func TestPlanKeepsItsBound(t *testing.T) {
	p := NewPlan(3, 1<<20)
	for i := range uint64(100_000) {
		p.Note(i << 40)
	}
	if len(p.chunks) > p.limit {
		t.Errorf("%d neighbourhoods, %d are the most", len(p.chunks), p.limit)
	}
	if _, err := p.Make(disk.New(1<<20, t.TempDir())); err == nil {
		t.Error("no error, although addresses were left out")
	}
}

// Marks are of the numbers of the addresses that were marked.
func TestMarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := disk.New(1<<20, "")
		defer a.Close()
		marked := rapid.MapOfN(rapid.Uint64Range(0, 1<<20), rapid.Bool(), 1, 300).Draw(t, "addresses")
		p := NewPlan(0, 1<<20)
		for addr := range marked {
			p.Note(addr)
		}
		s, err := p.Make(a)
		if err != nil {
			t.Fatal(err)
		}
		m, err := s.Marks(a)
		if err != nil {
			t.Fatal(err)
		}
		for addr, yes := range marked {
			s.Add(addr)
			if yes {
				s.Mark(m, addr)
			}
		}
		s.Seal()
		got, err := s.Numbers(a, &m)
		if err != nil {
			t.Fatal(err)
		}
		for addr, yes := range marked {
			r, ok := s.Rank(addr)
			if !ok || got.V[r>>6]>>(r&63)&1 != 0 != yes {
				t.Fatalf("%#x, number %d, is marked: %v, expected %v", addr, r, !yes, yes)
			}
		}
	})
}
