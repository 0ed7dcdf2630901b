package hprofgen

import "encoding/binary"

// Sub adds a sub-record as it is, after the objects: the tag and its body.
func (d *Dump) Sub(b ...byte) { d.raw = append(d.raw, b) }

// Record adds a record at the end of the file, with the length it has.
func (d *Dump) Record(tag byte, body ...byte) { d.Lying(tag, uint32(len(body)), body...) }

// Lying adds a record at the end of the file that claims any length.
func (d *Dump) Lying(tag byte, length uint32, body ...byte) {
	d.records = append(d.records, rawRecord{tag, length, body})
}

// Early adds a record before all others that claims any length.
func (d *Dump) Early(tag byte, length uint32, body ...byte) {
	d.early = append(d.early, rawRecord{tag, length, body})
}

// Android adds the sub-records that only Android writes, each with a root of
// that object, in a heap named name.
func (d *Dump) Android(name string, id ID) {
	heap := d.name(name)
	d.roots = append(d.roots, func(e *encoder) {
		e.sub(e.id(binary.BigEndian.AppendUint32([]byte{0xfe}, 'A'), heap))
		for _, tag := range []byte{0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x90} {
			e.sub(e.id([]byte{tag}, id))
		}
		e.sub(append(e.id([]byte{0x8e}, id), 0, 0, 0, 1, 0, 0, 0, 0))
	})
}

// NoData adds Android's record of a primitive array without its content.
func (d *Dump) NoData(t Type, n uint32) ID {
	c := d.ArrayClass(primitives[t])
	size := d.opt.VM.array(t, int(n))
	id := d.heap.take(size)
	c.instances++
	c.bytes += size
	d.roots = append(d.roots, func(e *encoder) {
		b := binary.BigEndian.AppendUint32(e.id([]byte{0xc3}, id), 1)
		e.sub(append(binary.BigEndian.AppendUint32(b, n), byte(t)))
	})
	return id
}
