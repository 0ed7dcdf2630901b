package graph

import (
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/layout"
)

// sizer knows the shallow sizes of objects.
type sizer struct {
	by      [2]sizeTable
	classes []sizeClass
	// mirror is java.lang.Class, whose instances may be class objects; noClass when
	// the dump has no such class.
	mirror uint32
}

// sizeTable are sizes by one way of counting.
type sizeTable struct {
	sizes, mirrors []uint64
	array          func(heapdump.Type, uint64) uint64
	chunk          func(fields, words uint64) uint64
}

type sizeClass struct {
	element heapdump.Type // of arrays
	chunk   bool
}

func newSizer(h *heapdump.Heap) sizer {
	l, m := h.Layout, h.MAT
	s := sizer{mirror: noClass, classes: make([]sizeClass, len(h.Classes))}
	s.by[VMSizes] = sizeTable{l.Sizes, l.Mirrors, l.Array, l.Chunk}
	s.by[MATSizes] = sizeTable{m.Sizes, m.Mirrors, m.Array, func(fields, _ uint64) uint64 { return fields }}
	for i, c := range h.Classes {
		s.classes[i] = sizeClass{c.Element, c.Name == layout.StackChunk}
		if c.Name == classClass && s.mirror == noClass {
			s.mirror = uint32(i)
		}
	}
	return s
}

const classClass = "java.lang.Class"

func (s *sizer) mayBeMirror(class uint32) bool { return class == s.mirror }

// size is the size of an object that is no class object.
func (s *sizer) size(by Sizing, class, length uint32) uint64 {
	if class >= uint32(len(s.classes)) {
		return 0
	}
	c, t := &s.classes[class], &s.by[by]
	switch {
	case c.element != 0:
		return t.array(c.element, uint64(length))
	case c.chunk && length > 0:
		return t.chunk(t.sizes[class], uint64(length))
	}
	return t.sizes[class]
}
