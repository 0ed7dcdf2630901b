package hprofgen

// VM is how objects are laid out. The zero value is HotSpot since JDK 15 with
// compressed references and class pointers (ids of 8 bytes), or a 32-bit VM.
type VM struct {
	// Header is where fields begin: 8 with compact headers, 12 with compressed
	// class pointers, 16 without.
	Header uint64
	// Ref is the size of a reference in the heap.
	Ref uint64
	// Align is what sizes and addresses are multiples of.
	Align uint64
	// Relaxed lets array elements begin at any offset that suits them (JDK 23).
	Relaxed bool
	// Start is the address of the first object.
	Start uint64
}

func (v VM) complete(idSize int) VM {
	set := func(p *uint64, small, large uint64) {
		if *p == 0 {
			*p = large
			if idSize == 4 {
				*p = small
			}
		}
	}
	set(&v.Header, 8, 12)
	set(&v.Ref, 4, 4)
	set(&v.Align, 8, 8)
	set(&v.Start, 0x2000_0000, 0x7_0000_0000)
	v.Relaxed = v.Relaxed || v.Header == 8
	return v
}

// shape is which bytes of an object are taken.
type shape []bool

// lay computes a class's instance size as HotSpot does since JDK 15: primitive
// fields by falling size, then references, each at the lowest free place.
func (v VM) lay(c *Class) {
	s := make(shape, v.Header)
	for i := range s {
		s[i] = true
	}
	if c.Super != nil {
		s = append(shape{}, c.Super.shape...)
	}
	for _, size := range []int{8, 4, 2, 1} {
		for _, f := range c.Fields {
			if f.Type != Object && f.Type.size(0) == size {
				s = s.put(size)
			}
		}
	}
	for _, f := range c.Fields {
		if f.Type == Object {
			s = s.put(int(v.Ref))
		}
	}
	for range c.Hidden {
		s = append(s, true)
	}
	c.shape, c.size = s, up(uint64(len(s)), v.Align)
}

func (s shape) put(size int) shape {
	at := 0
	for !s.free(at, size) {
		at += size
	}
	for len(s) < at+size {
		s = append(s, false)
	}
	for i := at; i < at+size; i++ {
		s[i] = true
	}
	return s
}

func (s shape) free(at, size int) bool {
	for i := at; i < min(at+size, len(s)); i++ {
		if s[i] {
			return false
		}
	}
	return true
}

// mirrorHidden is what the VM adds to java.lang.Class beside its fields.
const mirrorHidden = 40

// mirror is the size of a class object: the static fields follow the fields,
// references first. Fields in angle brackets are made up for the dump.
func (v VM) mirror(class *Class, statics []Field) uint64 {
	var s shape
	for _, f := range statics {
		if f.Type == Object && f.Name[0] != '<' {
			s = s.put(int(v.Ref))
		}
	}
	for _, size := range []int{8, 4, 2, 1} {
		for _, f := range statics {
			if f.Type != Object && f.Type.size(0) == size {
				s = s.put(size)
			}
		}
	}
	return up(class.size+up(uint64(len(s)), 8), v.Align)
}

func (v VM) array(element Type, n int) uint64 {
	size := uint64(element.size(int(v.Ref)))
	base := v.Header + 4
	if v.Relaxed {
		base = up(base, max(size, 4))
	} else {
		base = up(base, 8)
	}
	return up(base+uint64(n)*size, v.Align)
}

func up(n, to uint64) uint64 { return (n + to - 1) / to * to }

// heap gives out addresses.
type heap struct{ next uint64 }

func (h *heap) take(size uint64) ID {
	id := h.next
	h.next += size
	return id
}

// Hole leaves free memory before the next object.
func (d *Dump) Hole(bytes uint64) { d.heap.next += up(bytes, d.opt.VM.Align) }

// At puts the next object at an address.
func (d *Dump) At(address uint64) { d.heap.next = address }
