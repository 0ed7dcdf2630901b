package hprof

import "example.com/kneeline/heapdump"

// worker goes through chunks.
type worker struct {
	sums
	view  *view
	found *found
	buf   []byte

	ids      []uint64 // of the objects of the chunk
	idBits   uint64   // all of them or-ed
	unsorted bool     // they do not rise
	classes  []uint32
	rows     [][]uint32 // where the instances to keep are, by class
	touched  []int32
	arrays   []arrayAt
	prims    []uint32
	texts    []uint32
	giant    *giant

	prev   *gap
	prevID uint64
	none   gap
	enc    encoder
}

func (w *worker) chunk(c *chunk) {
	w.view, w.found, w.buf, w.giant = c.view, &c.found, c.buf, c.giant
	w.grow(len(c.view.classes))
	for len(w.rows) < len(c.view.classes) {
		w.rows = append(w.rows, nil)
	}
	w.ids, w.classes = w.ids[:0], w.classes[:0]
	w.arrays, w.prims, w.texts = w.arrays[:0], w.prims[:0], w.texts[:0]
	w.prev, w.prevID, w.idBits, w.unsorted = &w.none, 0, 0, false
	for _, p := range c.pieces {
		w.piece(p)
	}
	f := w.found
	if f.any {
		f.last = w.prevID
		f.lastKind = w.kindOf(w.prev)
	}
	w.encode()
	if f.linked {
		w.link(c.pieces)
	}
}

// kindOf finds what kind a gap belongs to, once a chunk.
func (w *worker) kindOf(g *gap) kind {
	for t := range w.gaps {
		for n := range w.gaps[t] {
			if g == &w.gaps[t][n] {
				return kind{class: -1, typ: heapdump.Type(t), length: uint32(n)}
			}
		}
	}
	if n := len(w.classes); n > 0 && g != &w.none {
		return kind{class: int32(w.classes[n-1])}
	}
	return kind{class: -1}
}

// note takes the distance of the object before to one at id.
func (w *worker) note(id uint64, next *gap) {
	g := w.prev
	d := id - w.prevID
	w.or |= d
	w.idBits |= id
	w.unsorted = w.unsorted || id < w.prevID
	if d == g.min {
		g.seen++
		if w.prevID < g.at {
			g.at = w.prevID
		}
	} else if d-1 < g.min-1 {
		g.lower(w.prevID, d)
	}
	w.prev, w.prevID = next, id
}

// piece goes through the records of a piece. What follows a record that is none
// is lost, up to the end of the piece.
func (w *worker) piece(p piece) {
	b := w.buf[:p.end]
	ids := w.view.form.ids
	head := 9 + 2*ids // of instances and object arrays
	at := p.off
	for at < len(b) {
		if ids == 8 && w.giant == nil {
			if at = w.quick(b, at); at == len(b) {
				return
			}
		}
		rest := b[at:]
		switch tag := rest[0]; {
		case tag == subInstance && len(rest) >= head:
			n := int(be.Uint32(rest[head-4:]))
			end := head + n
			if end > len(rest) {
				if w.giant == nil {
					w.cut(p, at)
					return
				}
				end = len(rest)
			}
			w.instance(rest[:end], at)
			at += end
		case tag == subPrimitives && len(rest) >= ids+10:
			t := rest[9+ids]
			n := int(be.Uint32(rest[5+ids:]))
			size := int(heapdump.Type(t).Size())
			if size == 0 {
				w.garbage(p, at)
				return
			}
			end := 10 + ids + n*size
			if end > len(rest) {
				if w.giant == nil {
					w.cut(p, at)
					return
				}
				end = len(rest)
			}
			w.primitives(rest[:end], heapdump.Type(t), uint32(n), at)
			at += end
		case tag == subObjects && len(rest) >= head:
			n := int(be.Uint32(rest[5+ids:]))
			end := head + n*ids
			if end > len(rest) {
				if w.giant == nil {
					w.cut(p, at)
					return
				}
				end = len(rest)
			}
			w.objects(rest[:end], uint32(n), at)
			at += end
		default:
			n := w.extra(p, at)
			if n == 0 {
				return
			}
			at += n
		}
	}
}

// extra takes a record that is neither an instance nor an array, or one that is cut
// off, and gives its length; 0 where the piece ends with it.
func (w *worker) extra(p piece, at int) int {
	rest := w.buf[at:p.end]
	n, ext := w.view.form.extent(rest)
	switch {
	case ext == garbage:
		w.garbage(p, at)
		return 0
	case ext == short || n > int64(len(rest)):
		w.cut(p, at)
		return 0
	}
	w.other(rest[0], rest[:n])
	return int(n)
}

func (w *worker) garbage(p piece, at int) {
	w.found.losses.add(lossGarbage, 1, int64(p.end-at), p.at+int64(at-p.off))
}

// cut notes a record that is longer than its piece.
func (w *worker) cut(p piece, at int) {
	w.found.losses.add(lossBadRecord, 1, int64(p.end-at), p.at+int64(at-p.off))
}

// object counts an object for the index.
func (w *worker) object(id uint64, class int32, g *gap) {
	if !w.found.any {
		w.found.any, w.found.first = true, id
	}
	w.note(id, g)
	w.ids = append(w.ids, id)
	w.classes = append(w.classes, uint32(class))
}

// unknown keeps an object back whose class is not described yet.
func (w *worker) unknown(rec []byte, id uint64) {
	w.found.deferred = append(w.found.deferred, rec...)
	if !w.found.any {
		w.found.any, w.found.first = true, id
	}
	w.note(id, &w.none)
	w.none = gap{}
}

func (w *worker) instance(rec []byte, at int) {
	f := w.view.form
	ids := f.ids
	id := f.id(rec[1:])
	class := w.view.table.find(f.id(rec[5+ids:]))
	if class < 0 {
		w.unknown(rec, id)
		return
	}
	c := &w.sums.classes[class]
	c.n++
	w.object(id, class, &c.gap)
	cv := &w.view.classes[class]
	if len(rec)-9-2*ids < int(cv.size) {
		w.found.losses.add(lossOddInstance, 1, int64(len(rec)), -1)
		return
	}
	if cv.mode == rowsNone {
		return
	}
	rows := w.rows[class]
	if len(rows) == 0 {
		w.touched = append(w.touched, class)
	}
	w.rows[class] = append(rows, uint32(at))
}

// other takes the records that are no objects.
func (w *worker) other(tag byte, rec []byte) {
	f := w.view.form
	switch tag {
	case subClass:
		w.found.late = append(w.found.late, rec...)
	case subHeapInfo:
	case subNoData:
		t := heapdump.Type(rec[9+f.ids])
		if t.Size() == 0 {
			w.found.losses.add(lossBadRecord, 1, int64(len(rec)), -1)
			return
		}
		n := be.Uint32(rec[5+f.ids:])
		class := w.view.arrays[t]
		w.length(class, n)
		w.object(f.id(rec[1:]), class, w.gapOf(t, n))
	default:
		w.found.root(f, tag, rec)
	}
}

// root counts a root and keeps what names threads.
func (f *found) root(form *form, tag byte, rec []byte) {
	f.roots[tag]++
	if f.linked {
		f.linkRoot(form, tag, rec)
	}
	id := form.id(rec[1:])
	rest := rec[1+form.ids:]
	switch tag {
	case rootThread:
		f.threads = append(f.threads, threadRoot{id, be.Uint32(rest), be.Uint32(rest[4:])})
	case rootJavaFrame, rootJNILocal:
		f.locals = append(f.locals, localRoot{id, be.Uint32(rest), int32(be.Uint32(rest[4:]))})
	}
}
