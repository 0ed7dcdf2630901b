package hprofgen

func (d *Dump) reference() *Class {
	return d.Class("java.lang.ref.Reference", nil, F("referent", Object), F("queue", Object), F("next", Object), F("discovered", Object))
}

// Weak makes a java.lang.ref.WeakReference to an object.
func (d *Dump) Weak(id ID) ID {
	return d.Object(d.Class("java.lang.ref.WeakReference", d.reference()), "referent", id)
}

// WeakHashMap makes a java.util.WeakHashMap from keys to values.
func (d *Dump) WeakHashMap(keys, values []ID) ID {
	entry := d.Class("java.util.WeakHashMap$Entry", d.Class("java.lang.ref.WeakReference", d.reference()),
		F("value", Object), F("hash", Int), F("next", Object))
	table := make([]ID, max(16, 2*len(keys)))
	for i, k := range keys {
		table[i] = d.Object(entry, "referent", k, "value", values[i], "hash", i)
	}
	abstract := d.Class("java.util.AbstractMap", nil, F("keySet", Object), F("values", Object))
	return d.Object(d.Class("java.util.WeakHashMap", abstract, F("table", Object), F("size", Int), F("threshold", Int), F("loadFactor", Float)),
		"table", d.Array("java.util.WeakHashMap$Entry", table...), "size", len(keys), "loadFactor", 0.75)
}

// StackChunk makes the stack of a virtual thread that is not running: words of
// stack follow its fields in memory, not in the file.
func (d *Dump) StackChunk(words int) ID {
	c := d.Class("jdk.internal.vm.StackChunk", nil, F("parent", Object), F("size", Int), F("sp", Int), F("bottom", Int))
	// what the VM adds: the continuation, a program counter, a size and flags
	full := &Class{Super: c.Super, Fields: append([]Field{F("", Object), F("", Long), F("", Int), F("", Byte)}, c.Fields...)}
	d.opt.VM.lay(full)
	bits := uint64(words) * (8 / d.opt.VM.Ref)
	size := up(up(full.size, 8)+8*uint64(words)+8*((bits+63)/64), d.opt.VM.Align)
	id := d.add(c, size, &object{values: make([]uint64, len(c.all()))})
	d.Set(id, "size", words)
	d.Set(id, "sp", 2)
	d.Set(id, "bottom", max(0, words-2))
	return id
}

// Again appends another dump to the file, as the old hprof agent does when it is
// asked twice.
func (f File) Again(next File) File {
	head := next.Records[0]
	shifted := len(f.Data) - head
	out := File{Data: append(append([]byte{}, f.Data...), next.Data[head:]...), Records: append([]int{}, f.Records[:len(f.Records)-1]...)}
	for _, r := range next.Records {
		out.Records = append(out.Records, r+shifted)
	}
	return out
}
