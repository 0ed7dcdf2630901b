package hprofgen

// Truth is what a reader has to find.
type Truth struct {
	// Classes are the classes that have instances by name; java.lang.Class has
	// the class objects.
	Classes map[string]Count
	// Objects and Bytes are of all of them.
	Objects int64
	Bytes   uint64
}

// Count is the instances of one class, and their bytes as the VM counts them.
type Count struct {
	Instances int64
	Bytes     uint64
}

// Truth counts what is in the dump so far.
func (d *Dump) Truth() Truth {
	t := Truth{Classes: map[string]Count{}}
	add := func(name string, instances int64, bytes uint64) {
		if instances == 0 {
			return
		}
		c := t.Classes[name]
		t.Classes[name] = Count{c.Instances + instances, c.Bytes + bytes}
		t.Objects += instances
		t.Bytes += bytes
	}
	for _, c := range d.classes {
		add(c.Name, c.instances, c.bytes)
		add("java.lang.Class", 1, c.mirror)
	}
	return t
}
