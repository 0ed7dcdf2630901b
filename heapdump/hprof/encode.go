package hprof

import (
	"cmp"
	"slices"
)

// encoder has what encoding a chunk needs beside its result.
type encoder struct {
	blob   []byte
	values []uint64
	pairs  []pair
}

type pair struct {
	id    uint64
	class uint32
}

// encode puts the stores of the chunk into one blob.
func (w *worker) encode() {
	w.enc.blob = w.found.blob
	w.encodeIndex()
	for _, class := range w.touched {
		w.encodeRows(class)
		w.rows[class] = w.rows[class][:0]
	}
	w.touched = w.touched[:0]
	for _, a := range w.arrays {
		w.encodeArray(a)
	}
	for _, at := range w.prims {
		w.encodePrim(at)
	}
	w.encodeTexts()
	w.found.blob = w.enc.blob
}

// indexBlock is how many objects of the index are decoded to find one.
const indexBlock = 32

// The index of a chunk has the addresses of its objects in order with their
// classes: for every indexBlock-th object the address (8 bytes) and where the
// distances after it begin (4 bytes); then the classes (2 or 4 bytes each); then
// the distances to the address before, shifted right, as varints: some 3.4 bytes
// for each object.
func (w *worker) encodeIndex() {
	n := len(w.ids)
	if n == 0 {
		return
	}
	e := &w.enc
	if w.unsorted {
		w.sortIndex()
	}
	p := &w.found.index
	p.n, p.off = uint32(n), uint32(len(e.blob))
	p.first, p.last = w.ids[0], w.ids[n-1]
	p.wide = len(w.view.classes) > 1<<16
	p.shift = 3
	if w.idBits&7 != 0 {
		p.shift = 0
	}
	blocks := (n + indexBlock - 1) / indexBlock
	width := 2
	if p.wide {
		width = 4
	}
	heads := len(e.blob)
	e.blob = grown(e.blob, 12*blocks+width*n)
	at := heads + 12*blocks
	if p.wide {
		for i, c := range w.classes {
			le.PutUint32(e.blob[at+4*i:], c)
		}
	} else {
		for i, c := range w.classes {
			le.PutUint16(e.blob[at+2*i:], uint16(c))
		}
	}
	p.body = uint32(len(e.blob))
	e.blob = w.appendDistances(e.blob, heads, p)
	p.end = uint32(len(e.blob))
}

func (w *worker) appendDistances(b []byte, heads int, p *indexPart) []byte {
	body := len(b)
	b = grown(b, 10*len(w.ids))
	at := body
	var last uint64
	for i, id := range w.ids {
		if i%indexBlock == 0 {
			le.PutUint64(b[heads:], id)
			le.PutUint32(b[heads+8:], uint32(at-body))
			heads += 12
		} else {
			d := (id - last) >> p.shift
			for d >= 0x80 {
				b[at] = byte(d) | 0x80
				d >>= 7
				at++
			}
			b[at] = byte(d)
			at++
		}
		last = id
	}
	return b[:at]
}

func (w *worker) sortIndex() {
	e := &w.enc
	e.pairs = e.pairs[:0]
	for i, id := range w.ids {
		e.pairs = append(e.pairs, pair{id, w.classes[i]})
	}
	slices.SortStableFunc(e.pairs, func(a, b pair) int { return cmp.Compare(a.id, b.id) })
	for i, p := range e.pairs {
		w.ids[i], w.classes[i] = p.id, p.class
	}
}

// encodeRows puts the kept instances of a class into the blob: their number, the
// heads of the columns, of which the first has the identifiers, and the columns.
func (w *worker) encodeRows(class int32) {
	e := &w.enc
	f := w.view.form
	rows := w.rows[class]
	cv := &w.view.classes[class]
	part := rowsPart{class: class, n: uint32(len(rows)), off: uint32(len(e.blob))}
	e.values = e.values[:0]
	for _, at := range rows {
		e.values = append(e.values, f.id(w.buf[at+1:]))
	}
	if w.unsorted && !slices.IsSorted(e.values) {
		slices.SortStableFunc(rows, func(a, b uint32) int {
			return cmp.Compare(f.id(w.buf[a+1:]), f.id(w.buf[b+1:]))
		})
		slices.Sort(e.values)
	}
	part.first, part.last = e.values[0], e.values[len(rows)-1]
	heads := len(e.blob)
	e.blob = grown(e.blob, columnHead*(1+len(cv.columns)))
	e.blob = appendColumn(e.blob, heads, e.values, reachOf(e.values))
	if cv.mode == rowsTry {
		w.try(&part, rows, cv)
	}
	start := uint32(9 + 2*f.ids)
	for i, c := range cv.columns {
		r := w.gather(rows, start+c.off, c)
		e.blob = appendColumn(e.blob, heads+columnHead*(1+i), e.values, r)
	}
	w.found.rows = append(w.found.rows, part)
}

// gather reads a column of some records into e.values.
func (w *worker) gather(rows []uint32, off uint32, c column) reach {
	e := &w.enc
	e.values = grownValues(e.values, len(rows))
	v := e.values
	b := w.buf
	r := newReach()
	switch {
	case c.size == 8:
		for i, at := range rows {
			x := be.Uint64(b[at+off:])
			v[i] = x
			r.add(x)
		}
	case c.size == 4 && c.typ == 2:
		for i, at := range rows {
			x := uint64(be.Uint32(b[at+off:]))
			v[i] = x
			r.add(x)
		}
	case c.size == 4:
		for i, at := range rows {
			x := uint64(int64(int32(be.Uint32(b[at+off:]))))
			v[i] = x
			r.add(x)
		}
	default:
		for i, at := range rows {
			x := w.view.form.value(c.typ, b[at+off:])
			v[i] = x
			r.add(x)
		}
	}
	return r
}

func grownValues(v []uint64, n int) []uint64 {
	if cap(v) < n {
		return make([]uint64, n, 2*n)
	}
	return v[:n]
}

const (
	// trySample is how many rows of a class on trial are looked at in a chunk.
	trySample = 512
	// window is how long before the dump a number counts as a time, in
	// milliseconds: 30 days.
	window = 30 * 24 * 3600 * 1000
	// slack is how long after the dump's time a time may be, in milliseconds.
	slack = 60 * 1000
)

// try looks whether rows are worth keeping; e.values has their identifiers.
func (w *worker) try(part *rowsPart, rows []uint32, cv *classView) {
	ids := w.enc.values
	f := w.view.form
	step := max(1, len(rows)/trySample)
	for i := 0; i < len(rows); i += step {
		part.sampled++
		rec := w.buf[rows[i]+uint32(9+2*f.ids):]
		link, time := uint32(0), uint32(0)
		for _, c := range cv.columns {
			switch c.typ {
			case 2:
				v := f.id(rec[c.off:])
				if v >= part.first && v <= part.last {
					if _, ok := slices.BinarySearch(ids, v); ok {
						link = 1
					}
				}
			case 11:
				if w.view.isTime(int64(be.Uint64(rec[c.off:]))) {
					time = 1
				}
			}
		}
		part.links += link
		part.times += time
	}
}

// isTime says whether a number may be a time before the dump, in ms, µs or ns
// since the epoch.
func (v *view) isTime(n int64) bool {
	for _, unit := range [3]int64{1, 1e3, 1e6} {
		if ms := n / unit; ms > v.now-window && ms < v.now+slack {
			return true
		}
	}
	return false
}
