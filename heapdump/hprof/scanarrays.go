package hprof

import (
	"encoding/binary"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/layout"
)

// arrayAt is an object array to keep.
type arrayAt struct {
	off    uint32
	class  int32
	filled uint32
}

// gapOf is where the distance of an array is noted.
func (w *worker) gapOf(t heapdump.Type, n uint32) *gap {
	if n < layout.ShortArrays {
		return &w.gaps[t][n]
	}
	w.none = gap{}
	return &w.none
}

func (w *worker) objects(rec []byte, n uint32, at int) {
	f := w.view.form
	ids := f.ids
	id := f.id(rec[1:])
	class := w.view.table.find(f.id(rec[9+ids:]))
	if class < 0 {
		if w.giant == nil {
			w.unknown(rec, id)
		} else {
			w.found.losses.add(lossDeferred, 1, 0, -1)
		}
		return
	}
	w.length(class, n)
	w.object(id, class, w.gapOf(2, n))
	filled := 0
	if w.giant != nil {
		filled = int(w.giant.filled)
	} else if ids == 8 {
		for slots := rec[9+2*8:]; len(slots) >= 8; slots = slots[8:] {
			if binary.LittleEndian.Uint64(slots) != 0 {
				filled++
			}
		}
	} else {
		for slots := rec[9+2*4:]; len(slots) >= 4; slots = slots[4:] {
			if binary.LittleEndian.Uint32(slots) != 0 {
				filled++
			}
		}
	}
	w.keepSlots(id, class, n, filled, at)
}

// keepSlots counts the filled slots of an object array and keeps the array if it
// is long, or one of the short ones of a class on trial.
func (w *worker) keepSlots(id uint64, class int32, n uint32, filled, at int) {
	w.filled[class] += int64(filled)
	if n >= minSlots || n > 0 && w.view.classes[class].mode == rowsTry {
		w.arrays = append(w.arrays, arrayAt{uint32(at), class, uint32(filled)})
	}
	if bytes := uint64(n) * uint64(w.view.form.ids); bytes > w.view.big[1] {
		w.found.bigs = append(w.found.bigs, bigArray{id, class, int64(n), bytes})
	}
}

func (w *worker) primitives(rec []byte, t heapdump.Type, n uint32, at int) {
	f := w.view.form
	id := f.id(rec[1:])
	class := w.view.arrays[t]
	w.length(class, n)
	w.object(id, class, w.gapOf(t, n))
	w.content(rec[10+f.ids:], t, n, class, id, at)
}

// content looks at the elements of a primitive array.
func (w *worker) content(data []byte, t heapdump.Type, n uint32, class int32, id uint64, at int) {
	bytes := uint64(n) * t.Size()
	if bytes > w.view.big[0] {
		w.found.bigs = append(w.found.bigs, bigArray{id, class, int64(n), bytes})
	}
	switch t {
	case 8, 5:
		if bytes > maxCompared {
			w.long[t].Note(uint64(n))
			return
		}
		if n == 0 {
			return
		}
		if n <= maxText && named(data) {
			w.texts = append(w.texts, uint32(at))
		}
		if h := sampleHash(data); h <= w.view.sample {
			w.sample(h, data, t, n)
		}
	case 10:
		if n >= 1 && n <= maxPrim {
			w.prims = append(w.prims, uint32(at))
		}
	}
}

// named says whether a text may be a name: not empty of characters, and not begun
// as paths, JSON, markup and sentences are, which fill heaps.
func named(data []byte) bool {
	switch data[0] {
	case '/', '{', '"', '<', ' ':
		return false
	}
	return data[0] > ' ' || data[len(data)-1] > ' '
}
