package heapdump

import "iter"

// ClassOf gives the class of any object of the dump by its address; false when
// no object there is in the dump, which happens in sound dumps too (objects of
// shared archives).
func (h *Heap) ClassOf(id ID) (int, bool) {
	if id == 0 || h.Store == nil {
		return -1, false
	}
	return h.Store.ClassOf(id)
}

// Instance finds a kept instance.
func (h *Heap) Instance(id ID) (Instance, bool) {
	if id == 0 || h.Store == nil {
		return Instance{}, false
	}
	return h.Store.Instance(id)
}

// InstanceNear is [Heap.Instance] for who goes from object to object: nodes of a
// chain mostly stand one behind the other, so the place of the last one found is
// tried first.
func (h *Heap) InstanceNear(last Instance, id ID) (Instance, bool) {
	if rows, ok := last.Rows.(interface{ Near(int, ID) (int, bool) }); ok && id != 0 {
		if row, ok := rows.Near(last.Row, id); ok {
			return Instance{ID: id, Class: last.Class, Rows: last.Rows, Row: row}, true
		}
	}
	return h.Instance(id)
}

// Instances goes through the kept instances of exactly one class in the order of
// the file.
func (h *Heap) Instances(class int) iter.Seq[Instance] {
	if h.Store == nil {
		return func(func(Instance) bool) {}
	}
	return h.Store.Instances(class)
}

// Array finds a kept object array.
func (h *Heap) Array(id ID) (Array, bool) {
	if id == 0 || h.Store == nil {
		return Array{}, false
	}
	return h.Store.Array(id)
}

// ArrayHead is [Heap.Array] without the slots, for who needs the counts alone.
func (h *Heap) ArrayHead(id ID) (Array, bool) {
	if s, ok := h.Store.(interface{ ArrayHead(ID) (Array, bool) }); ok && id != 0 {
		return s.ArrayHead(id)
	}
	a, ok := h.Array(id)
	a.Refs = nil
	return a, ok
}

// Arrays goes through the kept object arrays of exactly one class, or of all
// with class -1, in the order of the file.
func (h *Heap) Arrays(class int) iter.Seq[Array] {
	if h.Store == nil {
		return func(func(Array) bool) {}
	}
	return h.Store.Arrays(class)
}

// Prim finds a kept short array of a primitive type.
func (h *Heap) Prim(id ID) (Prim, bool) {
	if id == 0 || h.Store == nil {
		return Prim{}, false
	}
	return h.Store.Prim(id)
}

// Text is the text of a String, byte[] or char[] that is short enough to be
// kept. It is private unless it is the name of a thread, a pool or a constant of
// the program.
func (h *Heap) Text(id ID) (string, bool) {
	if id == 0 || h.Store == nil {
		return "", false
	}
	return h.Store.Text(id)
}

// Walk follows a chain from head by a field of its own items, as the nodes of a
// linked queue, until yield returns false, the chain ends, leaves what is kept
// or has limit items. It says how many items it saw and whether the chain ended
// by null; a chain that runs in a circle stops at limit.
func (h *Heap) Walk(head ID, next string, limit int, yield func(Instance) bool) (n int, ended bool) {
	var class *Class
	column := -1
	for id := head; id != 0; n++ {
		in, ok := h.Instance(id)
		if !ok || n >= limit || !yield(in) {
			return n, false
		}
		if in.Class != class {
			class, column = in.Class, in.Class.Column(next)
		}
		if column < 0 {
			return n + 1, false
		}
		id = ID(in.At(column))
	}
	return n, true
}
