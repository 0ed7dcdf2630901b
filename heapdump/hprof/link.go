package hprof

import (
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/layout"
)

// linkView is where an instance of a class has its references.
type linkView struct {
	// offsets are of the references in the fields. Of a java.lang.ref.Reference the
	// referent is the first and strength is set.
	offsets  []uint32
	strength bool
	// words is the offset of how many words a stack chunk has, plus 1; 0 of others.
	words uint32
}

// linkView finds the references of a class with its fields.
func (r *reader) linkView(m *heapdump.Class, all []heapdump.Column, offsets []uint32, s graph.Strength) linkView {
	v := linkView{strength: s != 0}
	for k, f := range all {
		switch {
		case f.Type == 2 && s != 0 && f.Name == "referent" && f.Class == "java.lang.ref.Reference":
			v.offsets = append([]uint32{offsets[k]}, v.offsets...)
		case f.Type == 2:
			v.offsets = append(v.offsets, offsets[k])
		case f.Type == 10 && m.Name == layout.StackChunk && f.Name == stackWords:
			v.words = offsets[k] + 1
		}
	}
	return v
}

// link puts the objects of the chunk with their references into its block. The records
// are gone through a second time, while they are in the caches, so that reading without
// a graph stays as quick as it is.
func (w *worker) link(pieces []piece) {
	for _, p := range pieces {
		b := w.buf[:p.end]
		for at := p.off; at < len(b); {
			n := w.linkRecord(b[at:])
			if n == 0 {
				break
			}
			at += n
		}
	}
}

// linkRecord takes the record at the start of b and gives its length; 0 for what is
// no whole record.
func (w *worker) linkRecord(b []byte) int {
	f := w.view.form
	n, ext := f.extent(b)
	if ext != whole || n > int64(len(b)) && w.giant == nil {
		return 0
	}
	rec := b[:min(n, int64(len(b)))]
	g := &w.found.graph
	ids := f.ids
	switch b[0] {
	case subInstance:
		if class := w.view.table.find(f.id(b[5+ids:])); class >= 0 {
			w.linkInstance(rec, class)
		}
	case subObjects:
		class := w.view.table.find(f.id(b[9+ids:]))
		if class < 0 {
			break
		}
		g.Object(f.id(b[1:]), uint32(class), be.Uint32(b[5+ids:]))
		if w.giant != nil {
			break // its slots are in the blocks that follow
		}
		if slots := rec[9+2*ids:]; ids == 8 {
			for ; len(slots) >= 8; slots = slots[8:] {
				g.Ref(be.Uint64(slots))
			}
		} else {
			for ; len(slots) >= 4; slots = slots[4:] {
				g.Ref(uint64(be.Uint32(slots)))
			}
		}
		g.End()
	case subPrimitives, subNoData:
		t := heapdump.Type(b[9+ids])
		if t.Size() == 0 {
			break
		}
		g.Object(f.id(b[1:]), uint32(w.view.arrays[t]), be.Uint32(b[5+ids:]))
		g.End()
	}
	return len(rec)
}

func (w *worker) linkInstance(rec []byte, class int32) {
	f := w.view.form
	g := &w.found.graph
	id := f.id(rec[1:])
	cv := &w.view.classes[class]
	v := &cv.link
	fields := rec[9+2*f.ids:]
	if len(fields) < int(cv.size) {
		fields = nil
	}
	words := uint32(0)
	if v.words > 0 && fields != nil {
		words = uint32(max(int32(be.Uint32(fields[v.words-1:])), 0))
	}
	g.Object(id, uint32(class), words)
	switch {
	case fields == nil:
	case v.strength && len(v.offsets) > 0:
		for i, off := range v.offsets {
			ref := f.id(fields[off:])
			if i == 0 && ref == 0 {
				ref = id
			}
			g.Ref(ref)
		}
	case f.ids == 8:
		for _, off := range v.offsets {
			g.Ref(be.Uint64(fields[off:]))
		}
	default:
		for _, off := range v.offsets {
			g.Ref(uint64(be.Uint32(fields[off:])))
		}
	}
	g.End()
}

// rootKinds are the kinds of root records by tag.
var rootKinds = map[byte]graph.RootKind{
	0x01: graph.JNIGlobal, 0x02: graph.JNILocal, 0x03: graph.JavaFrame, 0x04: graph.NativeStack,
	0x05: graph.StickyClass, 0x06: graph.ThreadBlock, 0x07: graph.BusyMonitor, 0x08: graph.ThreadObject,
	0x89: graph.InternedString, 0x8a: graph.Finalizing, 0x8b: graph.Debugger, 0x8c: graph.ReferenceCleanup,
	0x8d: graph.VMInternal, 0x8e: graph.JNIMonitor,
}

// unreachableRoot is Android's mark of what nothing holds, which is no root.
const unreachableRoot = 0x90

// linkRoot puts a root into the block.
func (f *found) linkRoot(form *form, tag byte, rec []byte) {
	if tag == unreachableRoot {
		return
	}
	thread := uint32(0)
	switch tag {
	case rootJNILocal, rootJavaFrame, 0x04, rootThread:
		thread = be.Uint32(rec[1+form.ids:])
	}
	f.graph.Root(rootKinds[tag], form.id(rec[1:]), thread)
}

// giantLinks puts the slots of an array that is longer than a chunk away as they go by.
type giantLinks struct {
	to    *graph.Collector
	id    uint64
	block graph.Block
	kept  []graph.Kept
}

// giantBlock is how many bytes of references are put away at once.
const giantBlock = 256 << 10

func newGiantLinks(to *graph.Collector, id uint64) *giantLinks {
	g := &giantLinks{to: to, id: id}
	g.block.More(id)
	return g
}

// take takes whole slots.
func (g *giantLinks) take(f *form, b []byte) {
	for ; len(b) >= f.ids; b = b[f.ids:] {
		g.block.Ref(f.id(b))
		if g.block.Len() >= giantBlock {
			g.put()
		}
	}
}

func (g *giantLinks) put() {
	g.kept = append(g.kept, g.to.Put(&g.block))
	g.block.More(g.id)
}
