package hprofgen

import (
	"encoding/binary"
	"fmt"
)

// walked is what a strict reading of a file finds.
type walked struct {
	version   string
	idSize    int
	millis    uint64
	starts    []int // records and sub-records
	names     map[uint64]string
	classes   map[uint64]string
	instances map[string]int64
	roots     map[byte]int
	ends      int
	fields    map[uint64][]Type // own fields by class
	supers    map[uint64]uint64
}

// walk reads a file by the format's letter and panics at the first offence: a
// second opinion on the encoder, written apart from it.
func walk(data []byte) (w walked, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	w = walked{
		names: map[uint64]string{}, classes: map[uint64]string{}, instances: map[string]int64{},
		roots: map[byte]int{}, fields: map[uint64][]Type{}, supers: map[uint64]uint64{},
	}
	c := &cursor{b: data}
	for b := c.n(1)[0]; b != 0; b = c.n(1)[0] {
		w.version += string(b)
	}
	w.idSize = int(c.u4())
	c.id = w.idSize
	w.millis = uint64(c.u4())<<32 | uint64(c.u4())
	for c.at < len(data) {
		w.starts = append(w.starts, c.at)
		tag := c.n(1)[0]
		c.u4()
		end := int(c.u4()) + c.at
		switch tag {
		case 0x01:
			w.names[c.ref()] = string(c.n(end - c.at))
		case 0x02:
			c.u4()
			id := c.ref()
			c.u4()
			w.classes[id] = w.names[c.ref()]
		case 0x0c, 0x1c:
			for c.at < end {
				w.starts = append(w.starts, c.at)
				w.sub(c)
			}
		case 0x2c:
			w.ends++
		default:
			c.n(end - c.at)
		}
		if c.at != end {
			return w, fmt.Errorf("record %#x ends at %d, not %d", tag, c.at, end)
		}
	}
	w.starts = append(w.starts, c.at)
	return w, nil
}

type cursor struct {
	b      []byte
	at, id int
}

func (c *cursor) n(n int) []byte { c.at += n; return c.b[c.at-n : c.at] }
func (c *cursor) u2() int        { return int(binary.BigEndian.Uint16(c.n(2))) }
func (c *cursor) u4() uint32     { return binary.BigEndian.Uint32(c.n(4)) }
func (c *cursor) ref() uint64 {
	if c.id == 4 {
		return uint64(c.u4())
	}
	return binary.BigEndian.Uint64(c.n(8))
}

func (c *cursor) skip(t Type) { c.n(t.size(c.id)) }

func (w *walked) sub(c *cursor) {
	tag := c.n(1)[0]
	switch tag {
	case 0x20:
		id := c.ref()
		c.u4()
		w.supers[id] = c.ref()
		c.n(5*c.id + 4)
		c.u2()
		for n := c.u2(); n > 0; n-- {
			c.ref()
			c.skip(Type(c.n(1)[0]))
		}
		for n := c.u2(); n > 0; n-- {
			if w.names[c.ref()] == "" {
				panic("field without name")
			}
			w.fields[id] = append(w.fields[id], Type(c.n(1)[0]))
		}
		w.instances["java/lang/Class"]++
	case 0x21:
		c.ref()
		c.u4()
		class := c.ref()
		w.instances[w.classes[class]]++
		end := int(c.u4()) + c.at
		for ; class != 0; class = w.supers[class] {
			for _, t := range w.fields[class] {
				c.skip(t)
			}
		}
		if c.at != end {
			panic(fmt.Sprintf("instance ends at %d, not %d", c.at, end))
		}
	case 0x22:
		c.ref()
		c.u4()
		n := int(c.u4())
		w.instances[w.classes[c.ref()]]++
		c.n(n * c.id)
	case 0x23, 0xc3:
		c.ref()
		c.u4()
		n := int(c.u4())
		t := Type(c.n(1)[0])
		w.instances["["+map[Type]string{Byte: "B", Char: "C", Int: "I", Long: "J"}[t]]++
		if tag == 0x23 {
			c.n(n * t.size(0))
		}
	default:
		w.roots[tag]++
		c.ref()
		switch tag {
		case 0x01:
			c.ref()
		case 0x02, 0x03, 0x08, 0x8e:
			c.n(8)
		case 0x05, 0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x90:
		case 0xfe:
			c.n(4) // it is a u4 and an identifier: the first of both is read
		default:
			panic(fmt.Sprintf("sub-record %#x", tag))
		}
	}
}
