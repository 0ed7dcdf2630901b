package hprof

import (
	"cmp"
	"slices"

	"example.com/kneeline/heapdump"
)

// arrayHead is the length of the head of a kept object array: class, length,
// filled slots, step and number of kept slots in 4 bytes each; then a column of
// the slots.
const arrayHead = 20

func (w *worker) encodeArray(a arrayAt) {
	e := &w.enc
	f := w.view.form
	rec := w.buf[a.off:]
	n := be.Uint32(rec[5+f.ids:])
	filled, step := int64(a.filled), int64(1)
	var values []uint64
	if w.giant != nil {
		filled, step = w.giant.filled, w.giant.step
		values = w.giant.refs
	} else {
		e.values = grownValues(e.values, int(n))
		slots := rec[9+2*f.ids:]
		for i := range e.values {
			e.values[i] = f.id(slots[i*f.ids:])
		}
		values = e.values
	}
	at := len(e.blob)
	e.blob = grown(e.blob, arrayHead+columnHead)
	le.PutUint32(e.blob[at:], uint32(a.class))
	le.PutUint32(e.blob[at+4:], n)
	le.PutUint32(e.blob[at+8:], uint32(filled))
	le.PutUint32(e.blob[at+12:], uint32(step))
	le.PutUint32(e.blob[at+16:], uint32(len(values)))
	e.blob = appendColumn(e.blob, at+arrayHead, values, reachOf(values))
	w.found.arrays = append(w.found.arrays, entry{f.id(rec[1:]), uint32(at)})
}

// encodePrim keeps an int[]: its type and length in 4 bytes each, then a column.
func (w *worker) encodePrim(off uint32) {
	e := &w.enc
	f := w.view.form
	rec := w.buf[off:]
	n := int(be.Uint32(rec[5+f.ids:]))
	t := heapdump.Type(rec[9+f.ids])
	e.values = grownValues(e.values, n)
	for i := range e.values {
		e.values[i] = f.value(t, rec[10+f.ids+i*int(t.Size()):])
	}
	at := len(e.blob)
	e.blob = grown(e.blob, 8+columnHead)
	le.PutUint32(e.blob[at:], uint32(t))
	le.PutUint32(e.blob[at+4:], uint32(n))
	e.blob = appendColumn(e.blob, at+8, e.values, reachOf(e.values))
	w.found.prims = append(w.found.prims, entry{f.id(rec[1:]), uint32(at)})
}

// textBlock is how many texts' lengths are added up to find one.
const textBlock = 32

// encodeTexts puts the short texts into the blob: the head of the column of
// identifiers, for every textBlock-th text where it begins (4 bytes), the
// lengths in characters with the type, char or byte, in the lowest bit (1 byte), the column, and the
// contents one after another.
func (w *worker) encodeTexts() {
	e := &w.enc
	f := w.view.form
	n := len(w.texts)
	if n == 0 {
		return
	}
	e.values = e.values[:0]
	for _, at := range w.texts {
		e.values = append(e.values, f.id(w.buf[at+1:]))
	}
	if w.unsorted && !slices.IsSorted(e.values) {
		slices.SortStableFunc(w.texts, func(a, b uint32) int {
			return cmp.Compare(f.id(w.buf[a+1:]), f.id(w.buf[b+1:]))
		})
		slices.Sort(e.values)
	}
	p := &w.found.texts
	p.n, p.off = uint32(n), uint32(len(e.blob))
	head := len(e.blob)
	starts := head + columnHead
	lengths := starts + 4*((n+textBlock-1)/textBlock)
	e.blob = grown(e.blob, lengths+n-head)
	e.blob = appendColumn(e.blob, head, e.values, reachOf(e.values))
	for i, at := range w.texts {
		size := int(be.Uint32(w.buf[int(at)+5+f.ids:]))
		wide := byte(0)
		if w.buf[int(at)+9+f.ids] == 5 {
			wide = 1
		}
		if i%textBlock == 0 {
			le.PutUint32(e.blob[starts+4*(i/textBlock):], uint32(len(e.blob)))
		}
		e.blob[lengths+i] = byte(size)<<1 | wide
		from := int(at) + 10 + f.ids
		e.blob = append(e.blob, w.buf[from:from+size<<wide]...)
	}
}
