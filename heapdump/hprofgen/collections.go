package hprofgen

func (d *Dump) hashMap() (class, node *Class) {
	abstract := d.Class("java.util.AbstractMap", nil, F("keySet", Object), F("values", Object))
	class = d.Class("java.util.HashMap", abstract, F("table", Object), F("entrySet", Object),
		F("size", Int), F("modCount", Int), F("threshold", Int), F("loadFactor", Float))
	node = d.Class("java.util.HashMap$Node", nil, F("hash", Int), F("key", Object), F("value", Object), F("next", Object))
	return class, node
}

// HashMap makes a java.util.HashMap from keys to values; values may be shorter.
func (d *Dump) HashMap(keys, values []ID) ID {
	class, node := d.hashMap()
	slots := 16
	for len(keys)*4 > slots*3 {
		slots *= 2
	}
	table := make([]ID, slots)
	for i, k := range keys {
		var v ID
		if i < len(values) {
			v = values[i]
		}
		hash := uint32(k>>3) * 0x9e3779b9
		slot := &table[hash%uint32(slots)]
		*slot = d.Object(node, "hash", int32(hash), "key", k, "value", v, "next", *slot)
	}
	d.ArrayClass("java.util.HashMap$Node")
	return d.Object(class, "table", d.Array("java.util.HashMap$Node", table...), "size", len(keys),
		"modCount", len(keys), "threshold", slots*3/4, "loadFactor", 0.75)
}

// HashSet makes a java.util.HashSet.
func (d *Dump) HashSet(items ...ID) ID {
	set := d.Class("java.util.HashSet", d.Class("java.util.AbstractSet", d.Class("java.util.AbstractCollection", nil)), F("map", Object))
	return d.Object(set, "map", d.HashMap(items, nil))
}

// ArrayList makes a java.util.ArrayList whose array has slots.
func (d *Dump) ArrayList(slots int, items ...ID) ID {
	list := d.Class("java.util.AbstractList", d.Class("java.util.AbstractCollection", nil), F("modCount", Int))
	data := append(append([]ID{}, items...), make([]ID, max(0, slots-len(items)))...)
	return d.Object(d.Class("java.util.ArrayList", list, F("elementData", Object), F("size", Int)),
		"elementData", d.Array("java.lang.Object", data...), "size", len(items))
}

// Cache makes a decoy: a HashMap of n equal objects that are no requests.
func (d *Dump) Cache(n int) ID {
	value := d.Class("com.example.catalog.Article", nil, F("number", Int), F("price", Long), F("title", Object))
	title := d.String("an article")
	keys, values := make([]ID, n), make([]ID, n)
	integer := d.Class("java.lang.Integer", d.Class("java.lang.Number", nil), F("value", Int))
	for i := range n {
		keys[i] = d.Object(integer, "value", i)
		values[i] = d.Object(value, "number", i, "price", 100+i, "title", title)
	}
	return d.HashMap(keys, values)
}

// Small makes a decoy: n small objects in lists of ten that are no requests.
func (d *Dump) Small(n int) {
	point := d.Class("com.example.geometry.Point", nil, F("x", Int), F("y", Int))
	var ten []ID
	for i := range n {
		if ten = append(ten, d.Object(point, "x", i, "y", -i)); len(ten) == 10 {
			d.ArrayList(10, ten...)
			ten = ten[:0]
		}
	}
}

// Tasks makes n requests of an application: a class with a body of some bytes
// each and, if created is given, the field created in epoch milliseconds.
func (d *Dump) Tasks(class string, n, body int, created func(i int) int64) []ID {
	fields := []Field{F("body", Object)}
	if created != nil {
		fields = append(fields, F("created", Long))
	}
	c := d.Class(class, nil, fields...)
	items := make([]ID, n)
	for i := range items {
		items[i] = d.Object(c, "body", d.Primitive(Byte, body))
		if created != nil {
			d.Set(items[i], "created", created(i))
		}
	}
	return items
}
