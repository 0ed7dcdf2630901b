package hprof

import (
	"cmp"
	"runtime"
	"slices"
	"sort"
	"sync"
)

const (
	// maxOverlap is how many chunks may cover an address on average before the
	// index is made anew: each look-up has to try them all.
	maxOverlap = 4
	// straightRun is about how many objects a run of the new index has.
	straightRun = 1 << 18
	// maxStraight bounds the objects of an index that is made anew; above it
	// look-ups stay slow.
	maxStraight = 400 << 20
)

// tangled says whether the chunks overlap in addresses so much that look-ups take
// long. Dumps of ZGC and Shenandoah follow the graph and not the addresses, so
// each of their chunks has objects from all over the heap.
func (s *store) tangled() bool {
	last := make([]uint64, 0, len(s.index))
	objects := 0
	for i := range s.index {
		last = append(last, s.index[i].last)
		objects += int(s.index[i].part.n)
	}
	slices.Sort(last)
	overlaps := 0
	for i := range s.index { // by their first address
		before, _ := slices.BinarySearch(last, s.index[i].first)
		overlaps += i - before
	}
	return overlaps > maxOverlap*len(s.index) && objects <= maxStraight
}

// located is an object with the number of the blob that has what is kept of it.
type located struct {
	id     uint64
	class  uint32
	origin int32
}

// straighten makes the index anew in the order of addresses. Ranges of addresses
// with about as many objects each are made at the same time and taken in order.
func (s *store) straighten(classes int) {
	bounds := s.bounds()
	results := make([]chan *found, len(bounds)-1)
	var group sync.WaitGroup
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range results {
		results[i] = make(chan *found, 1)
	}
	group.Go(func() {
		for i := range results {
			limit <- struct{}{}
			group.Go(func() {
				results[i] <- s.straight(bounds[i], bounds[i+1], classes)
			})
		}
	})
	var index []indexRun
	ok := true
	for _, result := range results {
		f := <-result
		<-limit
		if f == nil {
			ok = false
			continue
		}
		if f.index.n == 0 {
			continue
		}
		n, added := s.blobs.add(f.blob)
		ok = ok && added
		index = append(index, indexRun{addresses{first: f.index.first, last: f.index.last}, n, f.index})
	}
	group.Wait()
	if ok {
		s.index = index
		sortSpans(s.index, func(r *indexRun) *addresses { return &r.addresses })
	}
}

// bounds cuts the addresses into ranges with about straightRun objects each.
func (s *store) bounds() []uint64 {
	var heads []uint64
	for i := range s.index {
		p := &s.index[i].part
		b := s.blobs.part(s.index[i].blob, p.off, p.off+uint32(12*p.blocks()))
		for ; len(b) > 0; b = b[12:] {
			heads = append(heads, le.Uint64(b))
		}
	}
	slices.Sort(heads)
	heads = slices.Compact(heads)
	bounds := []uint64{0}
	for i := straightRun / indexBlock; i < len(heads); i += straightRun / indexBlock {
		bounds = append(bounds, heads[i])
	}
	return append(bounds, 1<<64-1)
}

// straight makes the run of the new index for the addresses from lo up to hi, the
// last address included when it is the largest there can be; nil when the old
// index cannot be read.
func (s *store) straight(lo, hi uint64, classes int) *found {
	var objects []located
	for i := range s.index {
		r := &s.index[i]
		if r.last < lo || r.first > hi {
			continue
		}
		var ok bool
		if objects, ok = s.gather(objects, r, lo, hi); !ok {
			return nil
		}
	}
	slices.SortStableFunc(objects, func(a, b located) int { return cmp.Compare(a.id, b.id) })
	w := worker{view: &view{classes: make([]classView, classes)}, found: &found{}}
	for _, o := range objects {
		w.ids = append(w.ids, o.id)
		w.classes = append(w.classes, o.class)
		w.idBits |= o.id
	}
	w.encodeIndex()
	f := w.found
	f.index.origins = uint32(len(w.enc.blob))
	f.blob = grown(w.enc.blob, 4*len(objects))
	for i, o := range objects {
		le.PutUint32(f.blob[int(f.index.origins)+4*i:], uint32(o.origin))
	}
	return f
}

// gather appends the objects of a run within a range.
func (s *store) gather(out []located, r *indexRun, lo, hi uint64) ([]located, bool) {
	p := &r.part
	blocks := p.blocks()
	heads := s.blobs.part(r.blob, p.off, p.off+uint32(12*blocks))
	if heads == nil {
		return out, false
	}
	from := max(0, sort.Search(blocks, func(i int) bool { return le.Uint64(heads[12*i:]) >= lo })-1)
	to := sort.Search(blocks, func(i int) bool { return le.Uint64(heads[12*i:]) > hi })
	if from >= to {
		return out, true
	}
	width := uint32(2)
	if p.wide {
		width = 4
	}
	at := p.off + uint32(12*blocks)
	last := min(p.n, uint32(to*indexBlock))
	classes := s.blobs.part(r.blob, at+width*uint32(from*indexBlock), at+width*last)
	end := p.end
	if to < blocks {
		end = p.body + le.Uint32(heads[12*to+8:])
	}
	body := s.blobs.part(r.blob, p.body+le.Uint32(heads[12*from+8:]), end)
	if classes == nil || body == nil && end > p.body+le.Uint32(heads[12*from+8:]) {
		return out, false
	}
	var addr uint64
	for i := from * indexBlock; i < int(last); i++ {
		if i%indexBlock == 0 {
			addr = le.Uint64(heads[12*(i/indexBlock):])
		} else {
			d, size := varint(body)
			body = body[size:]
			addr += d << p.shift
		}
		o := located{id: addr, origin: r.blob}
		if p.wide {
			o.class = le.Uint32(classes)
		} else {
			o.class = uint32(le.Uint16(classes))
		}
		classes = classes[width:]
		if addr >= lo && (addr < hi || hi == 1<<64-1) {
			out = append(out, o)
		}
	}
	return out, true
}
