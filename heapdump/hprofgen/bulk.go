package hprofgen

// Bulk is many instances of one class that are not kept as objects: they cannot be
// set later, and take no memory until they are written.
type Bulk struct {
	// First is the address of the first, Step the distance to the next.
	First, Step ID

	class *Class
	n     int
	fill  func(i int, values []uint64)
}

// At is the address of the i-th.
func (b *Bulk) At(i int) ID { return b.First + ID(i)*b.Step }

// Bulk makes n instances side by side. fill sets the values of the i-th, all zero
// before, in the order of the file: the class's own fields first, then its
// superclass's. It is called when the dump is written.
func (d *Dump) Bulk(c *Class, n int, fill func(i int, values []uint64)) *Bulk {
	b := &Bulk{First: d.heap.take(c.size * uint64(n)), Step: c.size, class: c, n: n, fill: fill}
	c.instances += int64(n)
	c.bytes += c.size * uint64(n)
	d.bulks = append(d.bulks, b)
	return b
}

// DeepList makes a linked list of n nodes and returns its head.
func (d *Dump) DeepList(class string, n int) ID {
	c := d.Class(class, nil, F("next", Object), F("value", Int))
	var b *Bulk
	b = d.Bulk(c, n, func(i int, values []uint64) {
		if i+1 < n {
			values[0] = b.At(i + 1)
		}
		values[1] = uint64(i)
	})
	return b.First
}

func (e *encoder) bulk(b *Bulk) {
	fields := b.class.all()
	values := make([]uint64, len(fields))
	for i := range b.n {
		clear(values)
		b.fill(i, values)
		e.sub(e.object(&object{id: b.At(i), class: b.class, values: values}))
	}
}
