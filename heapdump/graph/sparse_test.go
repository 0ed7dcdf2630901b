package graph

import (
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/heapdump/graph/disk"
)

// Places are consecutive in the order of the objects, and damaged counts are seen.
func TestSparse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := disk.New(1<<20, "")
		defer a.Close()
		n := rapid.IntRange(1, 3000).Draw(t, "objects")
		in := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "in")
		has, err := disk.Make[uint64](a, (n+63)/64)
		if err != nil {
			t.Fatal(err)
		}
		for r, yes := range in {
			if yes {
				bits(has.V).set(uint32(r))
			}
		}
		s, places, err := newSparse(a, has)
		if err != nil {
			t.Fatal(err)
		}
		next := uint32(0)
		for r, yes := range in {
			got, ok := s.place(uint32(r))
			if ok != yes || ok && got != next {
				t.Fatalf("object %d is at %d, %v; expected %d, %v", r, got, ok, next, yes)
			}
			if ok {
				next++
			}
		}
		if places != int(next) || countOnes(has.V) != places {
			t.Fatalf("%d places of %d objects", places, next)
		}
		if err := s.fits(n, places); err != nil {
			t.Fatal(err)
		}
		if s.fits(n, places+1) == nil || s.fits(n+64, places) == nil {
			t.Fatal("lists of other lengths fit")
		}
		has.V[rapid.IntRange(0, len(has.V)-1).Draw(t, "word")] ^= 1
		if s.fits(n, places) == nil {
			t.Fatal("another bit fits")
		}
	})
}

// Lists have the lengths with which they were put, wherever they end within words.
func TestLinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := disk.New(1<<20, "")
		defer a.Close()
		lengths := rapid.SliceOfN(rapid.IntRange(0, 200), 1, 40).Draw(t, "lengths")
		all := 1
		holders, err := disk.Make[uint64](a, 1)
		if err != nil {
			t.Fatal(err)
		}
		for r, n := range lengths {
			all += n
			if n > 0 {
				bits(holders.V).set(uint32(r))
			}
		}
		l, err := newLinks(a, holders, all)
		if err != nil {
			t.Fatal(err)
		}
		at := int64(1)
		for r, n := range lengths {
			list := make([]uint32, n)
			for i := range list {
				list[i] = uint32(r<<8 + i)
			}
			at = l.put(uint32(r), at, list)
		}
		for r, n := range lengths {
			got := l.targets(uint32(r))
			if len(got) != n || n > 0 && (got[0] != uint32(r<<8) || got[n-1] != uint32(r<<8+n-1)) {
				t.Fatalf("object %d has %v, expected %d from %d on", r, got, n, r<<8)
			}
		}
	})
}
