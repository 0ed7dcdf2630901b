package hprof

import (
	"math"
	"slices"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/layout"
)

// conclude makes the heap of what was found.
func (r *reader) conclude() {
	g := r.classes
	g.link()
	for _, w := range r.team {
		w.spread(g.arrays)
		r.total.merge(&w.sums)
	}
	r.total.grow(len(g.list))
	h := r.heap
	h.Classes = g.models()
	s := r.openStore()
	h.Store = s
	h.Seal() // for the names
	o := r.observe()
	o.Refine(r.neighbour(s))
	h.Layout = layout.Learn(o)
	r.sizes(o)
	r.total.spans.lengths(h.Classes, h.Layout)
	r.biggest()
	h.Texts = r.texts.texts(h.Layout, &r.total, g.arrays)
	if t, ok := r.names.redacted(r.form.ids); ok {
		h.Texts, h.Redacted = t, true
	}
	r.countRoots()
	if r.early.linked {
		r.o.Graph.Add(&r.early.graph)
	}
	h.Seal() // for the sums
	r.lostAtEnd()
	h.Threads = r.threads()
	if n := r.stacks.lost; n > 0 {
		r.losses.add(lossFrames, n, 0, -1)
	}
	if n := r.stacks.over; n > 0 {
		r.losses.add(lossThreads, n, 0, -1)
	}
	h.Losses = r.losses.list()
}

func (r *reader) openStore() *store {
	g := r.classes
	for len(r.rows) < len(g.list) {
		r.rows = append(r.rows, nil)
	}
	mirrors := make(map[uint64]int32, len(g.at))
	class := int32(-1)
	for i, c := range g.list {
		if c.model.ID != 0 && !c.model.Undescribed {
			mirrors[uint64(c.model.ID)] = int32(i)
		}
		if c.model.Name == "java.lang.Class" && class < 0 {
			class = int32(i)
		}
	}
	s := &store{
		blobs: r.blobs, classes: r.heap.Classes, mirror: newTable(mirrors), classClass: class,
		index: r.index, rows: r.rows[:len(g.list)], arrays: r.arrays, prims: r.prims, texts: r.words, primClass: g.arrays,
	}
	s.ready()
	if s.tangled() {
		s.straighten(len(g.list))
	}
	for i, blocks := range s.rows {
		m := g.list[i].model
		for _, b := range blocks {
			m.Kept += int64(b.n)
		}
		if i < len(r.trials) && r.trials[i].dropped {
			m.Columns = nil
		}
	}
	return s
}

// observe hands over what was seen to the learner of the layout.
func (r *reader) observe() *layout.Observations {
	g := r.classes
	o := &layout.Observations{
		IDSize: r.form.ids, Or: r.total.or, Classes: make([]layout.Class, len(g.list)),
		ClassClass: first(r.heap.ClassNamed("java.lang.Class")), ObjectClass: first(r.heap.ClassNamed("java.lang.Object")),
	}
	for i, c := range g.list {
		m := c.model
		oc := &o.Classes[i]
		n := &r.total.classes[i]
		*oc = layout.Class{
			Super: int32(m.Super), Array: m.Element, MadeUp: uint32(c.madeUp), Count: n.n, Gap: n.gap.export(),
			Lengths: r.total.lengths[i], Chunks: m.Name == layout.StackChunk,
		}
		if oc.Lengths != nil && oc.Array == 0 {
			oc.Array = 2 // a class that only arrays name
			m.Element = 2
		}
		if !m.Undescribed {
			oc.Mirror = uint64(m.ID)
		}
		for _, f := range m.Fields {
			oc.Fields.Add(f.Type)
		}
		for _, s := range m.Statics {
			if len(s.Name) == 0 || s.Name[0] != '<' {
				oc.Statics.Add(s.Type)
			}
		}
	}
	for t := 1; t < layout.NumTypes; t++ {
		for n := range layout.ShortArrays {
			o.Arrays[t][n] = r.total.gaps[t][n].export()
		}
	}
	return o
}

func first(list []int) int {
	if len(list) == 0 {
		return -1
	}
	return list[0]
}

func (g *gap) export() layout.Gap {
	return layout.Gap{Min: g.min, At: g.at, Seen: uint32(min(g.seen, math.MaxUint32))}
}

// neighbour gives the address of the next object or class object in memory.
func (r *reader) neighbour(s *store) func(uint64) (uint64, bool) {
	var mirrors []uint64
	for _, c := range r.classes.list {
		if !c.model.Undescribed && c.model.ID != 0 {
			mirrors = append(mirrors, uint64(c.model.ID))
		}
	}
	slices.Sort(mirrors)
	return func(addr uint64) (uint64, bool) {
		next, ok := s.after(addr)
		i, _ := slices.BinarySearch(mirrors, addr+1)
		if i < len(mirrors) && (!ok || mirrors[i] < next) {
			return mirrors[i], true
		}
		return next, ok
	}
}

// sizes counts and adds up, class by class.
func (r *reader) sizes(o *layout.Observations) {
	l := r.heap.Layout
	m := layout.MAT(o, l)
	r.heap.MAT = m
	ids := int64(r.form.ids)
	for i, c := range r.heap.Classes {
		oc := &o.Classes[i]
		c.Instances = oc.Count
		if lengths := oc.Lengths; lengths != nil {
			c.Bytes = int64(l.Arrays(oc.Array, lengths))
			c.MATBytes = int64(m.Arrays(oc.Array, lengths))
			width := int64(r.form.width(oc.Array))
			head := 10 + ids
			if oc.Array == 2 {
				head = 9 + 2*ids
				c.Slots, c.Filled = int64(lengths.Sum), r.total.filled[i]
			}
			c.DumpBytes = c.Instances*head + int64(lengths.Sum)*width
			continue
		}
		c.Bytes = c.Instances * int64(l.Sizes[i])
		if oc.Chunks {
			c.Bytes += r.stacked(i, l.Sizes[i])
		}
		c.MATBytes = c.Instances * int64(m.Sizes[i])
		size := int64(0)
		for _, f := range r.heap.AllFields(i) {
			size += int64(r.form.width(f.Type))
		}
		c.DumpBytes = c.Instances * (9 + 2*ids + size)
	}
	if o.ClassClass < 0 {
		return
	}
	c := r.heap.Classes[o.ClassClass]
	for i := range o.Classes {
		if o.Classes[i].Mirror != 0 {
			c.Instances++
			c.Bytes += int64(l.Mirrors[i])
			c.MATBytes += int64(m.Mirrors[i])
		}
	}
}

// biggest names the biggest arrays.
func (r *reader) biggest() {
	var all []bigArray
	for k := range r.bigs {
		for _, b := range r.bigs[k] {
			b.bytes = r.heap.Layout.Array(r.heap.Classes[b.class].Element, uint64(b.length))
			all = append(all, b)
		}
	}
	sortBigs(all)
	for _, b := range all[:min(len(all), maxBig)] {
		r.heap.Biggest = append(r.heap.Biggest, heapdump.Big{
			ID: heapdump.ID(b.id), Class: int(b.class), Length: b.length, Bytes: int64(b.bytes),
		})
	}
}

func (r *reader) countRoots() {
	r.stacks.take(&r.early)
	for tag, info := range roots {
		if n := r.roots[tag] + r.early.roots[tag]; n > 0 {
			r.heap.Roots = append(r.heap.Roots, heapdump.Roots{Kind: info.name, Count: n})
		}
	}
}

// fewObjects is how many objects must be there before it is odd that nothing can
// be learned from the distances between them.
const fewObjects = 1000

// lostAtEnd counts the losses that show only at the end.
func (r *reader) lostAtEnd() {
	add := func(l loss, n int64) {
		if n > 0 {
			r.losses.add(l, n, 0, -1)
		}
	}
	add(lossNames, r.names.lost)
	add(lossClasses, r.classes.over)
	add(lossClassAgain, r.classes.again)
	undescribed := int64(0)
	for _, c := range r.heap.Classes {
		if c.Undescribed && c.ID != 0 {
			undescribed += c.Instances
		}
	}
	add(lossUndescribed, undescribed)
	if r.heap.Layout.Explained == 0 && r.heap.Objects >= fewObjects {
		add(lossLearned, 1)
	}
}
