package hprof

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"sync/atomic"

	"example.com/kneeline/heapdump"
)

// store finds the kept objects in the blobs of the chunks.
type store struct {
	blobs   *blobs
	classes []*heapdump.Class
	// mirror finds the classes whose class object has an address.
	mirror     table
	classClass int32
	index      []indexRun
	hint       atomic.Int32  // the run of the last answer
	rows       [][]*rowBlock // by class
	arrays     directory
	prims      directory
	texts      []textBlockRef
	primClass  [12]int32
}

// addresses are those from the first to the last object of something sorted.
// reach is the last address of it and all before it in its list, which tells
// how far back to look where they overlap.
type addresses struct{ first, last, reach uint64 }

type indexRun struct {
	addresses
	blob int32
	part indexPart
}

// textBlockRef is the texts of one chunk.
type textBlockRef struct {
	blob int32
	off  uint32
	n    uint32
}

// directory finds arrays by identifier.
type directory []place

type place struct {
	id   uint64
	blob int32
	off  uint32
}

func (d directory) find(id uint64) (place, bool) {
	i, ok := slices.BinarySearchFunc(d, id, func(p place, id uint64) int { return cmp.Compare(p.id, id) })
	if !ok {
		return place{}, false
	}
	return d[i], true
}

// ready sorts everything by address. Dumps of HotSpot's stop-the-world
// collectors are sorted already, in a few parts.
func (s *store) ready() {
	sortSpans(s.index, func(r *indexRun) *addresses { return &r.addresses })
	for _, d := range []directory{s.arrays, s.prims} {
		slices.SortStableFunc(d, func(a, b place) int { return cmp.Compare(a.id, b.id) })
	}
}

func sortSpans[T any](list []T, of func(*T) *addresses) {
	sort.SliceStable(list, func(i, j int) bool { return of(&list[i]).first < of(&list[j]).first })
	var reach uint64
	for i := range list {
		a := of(&list[i])
		reach = max(reach, a.last)
		a.reach = reach
	}
}

// ClassOf implements [heapdump.Store].
func (s *store) ClassOf(id heapdump.ID) (int, bool) {
	if s.classClass >= 0 && s.mirror.find(uint64(id)) >= 0 {
		return int(s.classClass), true
	}
	class, _, ok := s.locate(uint64(id))
	return class, ok
}

// locate finds an object: its class, and the blob of the chunk it is in.
func (s *store) locate(id uint64) (class int, blob int32, ok bool) {
	for i := s.runAt(id); i >= 0 && s.index[i].reach >= id; i-- {
		r := &s.index[i]
		if r.last < id {
			continue
		}
		b := s.blobs.get(r.blob)
		if b == nil {
			continue
		}
		if n, addr := r.part.seek(b, id); addr == id {
			if r.part.origins != 0 {
				return r.part.class(b, n), int32(le.Uint32(b[int(r.part.origins)+4*n:])), true
			}
			return r.part.class(b, n), r.blob, true
		}
	}
	return -1, 0, false
}

// runAt is the last run that begins at or below an address, -1 for none. Those who
// ask follow references, which are to the neighbourhood mostly, so the run of the
// answer before is tried first.
func (s *store) runAt(id uint64) int {
	i := int(s.hint.Load())
	if i < len(s.index) && s.index[i].first <= id && (i+1 == len(s.index) || id < s.index[i+1].first) {
		return i
	}
	i = sort.Search(len(s.index), func(i int) bool { return s.index[i].first > id }) - 1
	if i >= 0 {
		s.hint.Store(int32(i))
	}
	return i
}

// after is the address of the first object above one, not counting class
// objects without a record.
func (s *store) after(addr uint64) (uint64, bool) {
	best, ok := uint64(0), false
	take := func(a uint64) {
		if a > addr && (!ok || a < best) {
			best, ok = a, true
		}
	}
	i := sort.Search(len(s.index), func(i int) bool { return s.index[i].first > addr })
	if i < len(s.index) {
		take(s.index[i].first)
	}
	for i--; i >= 0 && s.index[i].reach > addr; i-- {
		r := &s.index[i]
		if r.last <= addr {
			continue
		}
		if blob := s.blobs.get(r.blob); blob != nil {
			if next, found := r.part.next(blob, addr); found {
				take(next)
			}
		}
	}
	return best, ok
}

// Instance implements [heapdump.Store].
func (s *store) Instance(id heapdump.ID) (heapdump.Instance, bool) {
	class, blob, ok := s.locate(uint64(id))
	if !ok {
		return heapdump.Instance{}, false
	}
	blocks := s.rows[class]
	i := sort.Search(len(blocks), func(i int) bool { return blocks[i].blob >= blob })
	if i == len(blocks) || blocks[i].blob != blob {
		return heapdump.Instance{}, false
	}
	row, ok := blocks[i].find(uint64(id))
	if !ok {
		return heapdump.Instance{}, false
	}
	return heapdump.Instance{ID: id, Class: s.classes[class], Rows: blocks[i], Row: row}, true
}

// Instances implements [heapdump.Store].
func (s *store) Instances(class int) iter.Seq[heapdump.Instance] {
	return func(yield func(heapdump.Instance) bool) {
		if class < 0 || class >= len(s.rows) {
			return
		}
		for _, b := range s.rows[class] {
			blob := s.blobs.get(b.blob)
			if blob == nil {
				continue
			}
			for row := range int(b.n) {
				in := heapdump.Instance{ID: heapdump.ID(b.id(blob, row)), Class: s.classes[class], Rows: b, Row: row}
				if !yield(in) {
					return
				}
			}
		}
	}
}

// Array implements [heapdump.Store].
func (s *store) Array(id heapdump.ID) (heapdump.Array, bool) {
	p, ok := s.arrays.find(uint64(id))
	if !ok {
		return heapdump.Array{}, false
	}
	return s.array(p)
}

// ArrayHead is what [heapdump.Heap.ArrayHead] asks for.
func (s *store) ArrayHead(id heapdump.ID) (heapdump.Array, bool) {
	p, ok := s.arrays.find(uint64(id))
	if !ok {
		return heapdump.Array{}, false
	}
	blob := s.blobs.get(p.blob)
	if blob == nil {
		return heapdump.Array{}, false
	}
	return s.head(p, blob), true
}

// head is a kept array without its slots.
func (s *store) head(p place, blob []byte) heapdump.Array {
	head := blob[p.off:]
	return heapdump.Array{
		ID: heapdump.ID(p.id), Class: s.classes[le.Uint32(head)],
		Length: int64(le.Uint32(head[4:])), Filled: int64(le.Uint32(head[8:])), Step: int64(le.Uint32(head[12:])),
	}
}

func (s *store) array(p place) (heapdump.Array, bool) {
	blob := s.blobs.get(p.blob)
	if blob == nil {
		return heapdump.Array{}, false
	}
	a := s.head(p, blob)
	a.Refs = make([]heapdump.ID, le.Uint32(blob[p.off+16:]))
	for i := range a.Refs {
		a.Refs[i] = heapdump.ID(columnAt(blob, int(p.off)+arrayHead, i))
	}
	return a, true
}

// Arrays implements [heapdump.Store].
func (s *store) Arrays(class int) iter.Seq[heapdump.Array] {
	return func(yield func(heapdump.Array) bool) {
		for _, p := range s.arrays {
			if class >= 0 {
				blob := s.blobs.get(p.blob)
				if blob == nil || int(le.Uint32(blob[p.off:])) != class {
					continue
				}
			}
			if a, ok := s.array(p); ok && !yield(a) {
				return
			}
		}
	}
}

// Prim implements [heapdump.Store].
func (s *store) Prim(id heapdump.ID) (heapdump.Prim, bool) {
	p, ok := s.prims.find(uint64(id))
	if !ok {
		return heapdump.Prim{}, false
	}
	blob := s.blobs.get(p.blob)
	if blob == nil {
		return heapdump.Prim{}, false
	}
	head := blob[p.off:]
	out := heapdump.Prim{ID: id, Class: s.classes[s.primClass[le.Uint32(head)]], Values: make([]int64, le.Uint32(head[4:]))}
	for i := range out.Values {
		out.Values[i] = int64(columnAt(blob, int(p.off)+8, i))
	}
	return out, true
}

// Err implements [heapdump.Store].
func (s *store) Err() error { return s.blobs.failure() }

// Close implements [heapdump.Store].
func (s *store) Close() error { return s.blobs.close() }
