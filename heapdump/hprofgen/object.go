package hprofgen

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode/utf16"
)

// object is an instance or an array.
type object struct {
	id     ID
	class  *Class
	values []uint64 // of an instance in the order of all(), of an object array
	data   []byte   // of a primitive array, big-endian
	length int      // of an array
	claim  uint32   // length that the file claims, if lie
	lie    bool
}

func (d *Dump) add(c *Class, size uint64, o *object) ID {
	o.id, o.class = d.heap.take(size), c
	d.objects = append(d.objects, o)
	d.byID[o.id] = o
	c.instances++
	c.bytes += size
	return o.id
}

// Object makes an instance. set are pairs of a field's name and its value, as
// [Dump.Set] takes them; the other fields are zero.
func (d *Dump) Object(c *Class, set ...any) ID {
	if c.element != 0 {
		panic(c.Name + " is an array class")
	}
	id := d.add(c, c.size, &object{values: make([]uint64, len(c.all()))})
	for i := 0; i < len(set); i += 2 {
		d.Set(id, set[i].(string), set[i+1])
	}
	return id
}

// Set gives a field a value: an ID, an integer, a bool or a float64. Of fields of
// the same name the nearest class's is meant; "Class#field" names another.
func (d *Dump) Set(id ID, field string, value any) {
	o := d.byID[id]
	owner, name, qualified := strings.Cut(field, "#")
	if !qualified {
		name = owner
	}
	i := 0
	for c := o.class; c != nil; c = c.Super {
		for _, f := range c.Fields {
			if f.Name == name && (!qualified || c.Name == owner) {
				o.values[i] = bits(f.Type, value)
				return
			}
			i++
		}
	}
	panic(fmt.Sprintf("%s has no field %s", o.class.Name, field))
}

func bits(t Type, value any) uint64 {
	switch v := value.(type) {
	case uint64:
		return v
	case int:
		return uint64(v)
	case int32:
		return uint64(v)
	case int64:
		return uint64(v)
	case bool:
		if v {
			return 1
		}
		return 0
	case float64:
		if t == Float {
			return uint64(math.Float32bits(float32(v)))
		}
		return math.Float64bits(v)
	case nil:
		return 0
	}
	panic(fmt.Sprintf("%T is no value of a field", value))
}

// Array makes an array of references of an element class's name.
func (d *Dump) Array(element string, items ...ID) ID {
	c := d.ArrayClass(element)
	return d.add(c, d.opt.VM.array(Object, len(items)), &object{values: append([]ID{}, items...), length: len(items)})
}

// SetAt changes a slot of an array of references.
func (d *Dump) SetAt(array ID, i int, item ID) { d.byID[array].values[i] = item }

// Bytes makes a byte[].
func (d *Dump) Bytes(b []byte) ID { return d.primitive(Byte, len(b), b) }

// Ints makes an int[].
func (d *Dump) Ints(v ...int32) ID {
	var b []byte
	for _, x := range v {
		b = binary.BigEndian.AppendUint32(b, uint32(x))
	}
	return d.primitive(Int, len(v), b)
}

// Longs makes a long[].
func (d *Dump) Longs(v ...int64) ID {
	var b []byte
	for _, x := range v {
		b = binary.BigEndian.AppendUint64(b, uint64(x))
	}
	return d.primitive(Long, len(v), b)
}

// Primitive makes an array of n zeros.
func (d *Dump) Primitive(t Type, n int) ID { return d.primitive(t, n, make([]byte, n*t.size(0))) }

func (d *Dump) primitive(t Type, n int, data []byte) ID {
	return d.add(d.ArrayClass(primitives[t]), d.opt.VM.array(t, n), &object{data: data, length: n})
}

// Claim makes an array whose record claims another length than it has.
func (d *Dump) Claim(array ID, length uint32) {
	o := d.byID[array]
	o.claim, o.lie = length, true
}

// String makes a java.lang.String with its own array.
func (d *Dump) String(s string) ID {
	class := d.byName["java.lang.String"]
	units := utf16.Encode([]rune(s))
	if d.opt.CharStrings {
		var b []byte
		for _, u := range units {
			b = binary.BigEndian.AppendUint16(b, u)
		}
		return d.Object(class, "value", d.primitive(Char, len(units), b))
	}
	var latin, wide []byte
	coder := 0
	for _, u := range units {
		if u > 0xff {
			coder = 1
		}
		latin = append(latin, byte(u))
		wide = binary.LittleEndian.AppendUint16(wide, u) // the host's order
	}
	if coder == 1 {
		latin = wide
	}
	return d.Object(class, "value", d.Bytes(latin), "coder", coder)
}
