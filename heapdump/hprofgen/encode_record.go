package hprofgen

import "encoding/binary"

func (e *encoder) value(b []byte, t Type, v uint64) []byte {
	switch t.size(e.d.opt.IDSize) {
	case 1:
		return append(b, byte(v))
	case 2:
		return binary.BigEndian.AppendUint16(b, uint16(v))
	case 4:
		return binary.BigEndian.AppendUint32(b, uint32(v))
	}
	return binary.BigEndian.AppendUint64(b, v)
}

func (e *encoder) class(c *Class) []byte {
	d := e.d
	b := e.id([]byte{0x20}, c.ID)
	b = binary.BigEndian.AppendUint32(b, 1)
	var super ID
	if c.Super != nil {
		super = c.Super.ID
	}
	if c.ClaimedSuper != 0 {
		super = c.ClaimedSuper
	}
	b = e.id(b, super)
	b = e.id(b, c.Loader)
	for range 4 { // signers, protection domain, two reserved
		b = e.id(b, 0)
	}
	size := 0 // as dumped
	for _, f := range c.all() {
		size += f.Type.size(d.opt.IDSize)
	}
	b = binary.BigEndian.AppendUint32(b, uint32(size))
	b = binary.BigEndian.AppendUint16(b, 0) // constant pool
	b = binary.BigEndian.AppendUint16(b, uint16(len(c.statics)))
	for _, f := range c.statics {
		b = append(e.id(b, d.names[f.Name]), byte(f.Type))
		b = e.value(b, f.Type, f.value)
	}
	b = binary.BigEndian.AppendUint16(b, uint16(len(c.Fields)))
	for _, f := range c.Fields {
		b = append(e.id(b, d.names[f.Name]), byte(f.Type))
	}
	return b
}

func (e *encoder) object(o *object) []byte {
	var b []byte
	head := func(tag byte) {
		b = binary.BigEndian.AppendUint32(e.id([]byte{tag}, o.id), 1)
	}
	length := uint32(o.length)
	if o.lie {
		length = o.claim
	}
	switch o.class.element {
	case 0:
		head(0x21)
		b = e.id(b, o.class.ID)
		var values []byte
		for i, f := range o.class.all() {
			values = e.value(values, f.Type, o.values[i])
		}
		b = binary.BigEndian.AppendUint32(b, uint32(len(values)))
		return append(b, values...)
	case Object:
		head(0x22)
		b = e.id(binary.BigEndian.AppendUint32(b, length), o.class.ID)
		for _, v := range o.values {
			b = e.id(b, v)
		}
		return b
	}
	head(0x23)
	b = append(binary.BigEndian.AppendUint32(b, length), byte(o.class.element))
	return append(b, o.data...)
}
