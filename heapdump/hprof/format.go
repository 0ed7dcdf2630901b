package hprof

import (
	"encoding/binary"

	"example.com/kneeline/heapdump"
)

// Records of a dump. Source: the format's description in HotSpot's
// src/hotspot/share/services/heapDumper.cpp.
const (
	recString      = 0x01
	recLoadClass   = 0x02
	recUnloadClass = 0x03
	recFrame       = 0x04
	recTrace       = 0x05
	recAllocSites  = 0x06
	recSummary     = 0x07
	recThreadStart = 0x0a
	recThreadEnd   = 0x0b
	recHeapDump    = 0x0c
	recCPUSamples  = 0x0d
	recSettings    = 0x0e
	recSegment     = 0x1c
	recDumpEnd     = 0x2c
)

// Records within a heap dump that are no roots.
const (
	subClass      = 0x20
	subInstance   = 0x21
	subObjects    = 0x22
	subPrimitives = 0x23
	// subNoData is Android's primitive array without its elements.
	subNoData = 0xc3
	// subHeapInfo is Android's: the objects that follow are in another heap.
	subHeapInfo = 0xfe
)

// Roots that name threads, and so more than a count.
const (
	rootJNILocal  = 0x02
	rootJavaFrame = 0x03
	rootThread    = 0x08
)

// root is the kind of a root record: its name in reports, and its length as
// identifiers and further bytes.
type root struct {
	name       string
	ids, bytes uint8
}

// roots are the root records by tag; Android's are from 0x89 on. Source of
// those: art/runtime/hprof/hprof.cc of the Android Open Source Project.
var roots = [256]root{
	0xff: {"unknown", 1, 0},
	0x01: {"JNI global", 2, 0},
	0x02: {"JNI local", 1, 8},
	0x03: {"Java frame", 1, 8},
	0x04: {"native stack", 1, 4},
	0x05: {"sticky class", 1, 0},
	0x06: {"thread block", 1, 4},
	0x07: {"busy monitor", 1, 0},
	0x08: {"thread object", 1, 8},
	0x89: {"interned string", 1, 0},
	0x8a: {"finalizing", 1, 0},
	0x8b: {"debugger", 1, 0},
	0x8c: {"reference cleanup", 1, 0},
	0x8d: {"VM internal", 1, 0},
	0x8e: {"JNI monitor", 1, 8},
	0x90: {"unreachable", 1, 0},
}

var be = binary.BigEndian

// form is how identifiers are written.
type form struct {
	ids int // size of identifiers, 4 or 8 bytes
	// rootSize is the length of root records by tag with the tag, 0 for tags
	// that are none.
	rootSize [256]uint8
}

func newForm(ids int) *form {
	f := &form{ids: ids}
	for tag, r := range roots {
		if r.name != "" {
			f.rootSize[tag] = uint8(1 + int(r.ids)*ids + int(r.bytes))
		}
	}
	f.rootSize[subHeapInfo] = uint8(1 + 4 + ids)
	return f
}

// id reads the identifier at the start of b.
func (f *form) id(b []byte) uint64 {
	if f.ids == 8 {
		return be.Uint64(b)
	}
	return uint64(be.Uint32(b))
}

// value reads a value of a type, numbers sign-extended.
func (f *form) value(t heapdump.Type, b []byte) uint64 {
	switch t.Size() {
	case 1:
		if t == 4 {
			return uint64(b[0])
		}
		return uint64(int64(int8(b[0])))
	case 2:
		if t == 5 {
			return uint64(be.Uint16(b))
		}
		return uint64(int64(int16(be.Uint16(b))))
	case 4:
		return uint64(int64(int32(be.Uint32(b))))
	case 8:
		return be.Uint64(b)
	}
	return f.id(b)
}

// width is the size of a value of a type in the file, 0 for what is no type.
func (f *form) width(t heapdump.Type) int {
	if t == 2 {
		return f.ids
	}
	return int(t.Size())
}

// extent is what can be said of the record at the start of some bytes.
type extent uint8

const (
	whole   extent = iota // the length is known
	short                 // more bytes are needed to know the length
	garbage               // there is no such record
)

// extent gives the length with the tag of the record of a heap dump that begins
// with b[0]. The record need not be in b as a whole.
func (f *form) extent(b []byte) (int64, extent) {
	if len(b) == 0 {
		return 0, short
	}
	ids := f.ids
	switch tag := b[0]; tag {
	case subInstance:
		head := 9 + 2*ids
		if len(b) < head {
			return 0, short
		}
		return int64(head) + int64(be.Uint32(b[head-4:])), whole
	case subObjects:
		head := 9 + 2*ids
		if len(b) < head {
			return 0, short
		}
		return int64(head) + int64(be.Uint32(b[5+ids:]))*int64(ids), whole
	case subPrimitives:
		head := 10 + ids
		if len(b) < head {
			return 0, short
		}
		size := heapdump.Type(b[head-1]).Size()
		if size == 0 {
			return 0, garbage
		}
		return int64(head) + int64(be.Uint32(b[5+ids:]))*int64(size), whole
	case subNoData:
		return int64(10 + ids), whole
	case subClass:
		return f.classExtent(b)
	default:
		if n := f.rootSize[tag]; n != 0 {
			return int64(n), whole
		}
	}
	return 0, garbage
}

// classExtent is the length of a class record.
func (f *form) classExtent(b []byte) (int64, extent) {
	p := 1 + 4 + 7*f.ids + 4
	for part := range 3 {
		if len(b) < p+2 {
			return 0, short
		}
		n := int(be.Uint16(b[p:]))
		p += 2
		if part == 2 {
			return int64(p + n*(f.ids+1)), whole
		}
		key := 2 // index in the constant pool
		if part == 1 {
			key = f.ids // name
		}
		for range n {
			if len(b) < p+key+1 {
				return 0, short
			}
			w := f.width(heapdump.Type(b[p+key]))
			if w == 0 {
				return 0, garbage
			}
			p += key + 1 + w
		}
	}
	return 0, garbage
}

// plausible says whether nine bytes look like the head of a record, strictly
// enough to tell one from the middle of a heap dump.
func (f *form) plausible(h []byte) bool {
	if len(h) < 9 {
		return false
	}
	n := be.Uint32(h[5:])
	switch h[0] {
	case recString:
		return n >= uint32(f.ids) && n <= uint32(f.ids+maxName)
	case recLoadClass:
		return n == uint32(8+2*f.ids)
	case recUnloadClass:
		return n == 4
	case recFrame:
		return n == uint32(8+4*f.ids)
	case recTrace:
		return n >= 12 && n < 1<<24
	case recThreadStart:
		return n == uint32(8+4*f.ids)
	case recThreadEnd:
		return n == 4
	case recDumpEnd:
		return n == 0
	case recHeapDump, recSegment:
		return true
	}
	return false
}
