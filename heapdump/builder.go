package heapdump

import (
	"fmt"
	"iter"
	"time"
)

// Builder makes a heap by hand, object by object, as tests of what judges heaps
// need it. Everything is kept. Sizes are those of a 64-bit HotSpot with
// compressed references. Mistakes, as a field that the class does not have,
// panic.
type Builder struct {
	heap    *Heap
	objects map[ID]any
	order   []ID
	next    ID
	str     *Class
}

// instance is a built object and its only row of values.
type instance struct {
	class  *Class
	values []uint64
}

// Value implements [Rows].
func (in *instance) Value(_, column int) uint64 { return in.values[column] }

// NewBuilder begins a heap that was dumped at a time. It has java.lang.Object,
// java.lang.String and byte[].
func NewBuilder(taken time.Time) *Builder {
	b := &Builder{
		heap:    &Heap{Format: "JAVA PROFILE 1.0.2", IDSize: 8, Taken: taken, Complete: true},
		objects: map[ID]any{}, next: 1 << 20,
	}
	b.heap.Store = built{b}
	object := b.Class("java.lang.Object", nil)
	b.str = b.Class("java.lang.String", object, Field{"value", 2})
	b.ArrayClass("byte[]", 8)
	return b
}

// Class adds a class with its own fields; a nil superclass makes a root of the
// hierarchy, as only java.lang.Object is.
func (b *Builder) Class(name string, super *Class, fields ...Field) *Class {
	c := &Class{Index: len(b.heap.Classes), ID: b.place(112), Name: name, Super: -1, Fields: fields}
	for _, f := range fields {
		c.Columns = append(c.Columns, Column{Class: name, Field: f})
	}
	if super != nil {
		c.Super = super.Index
		c.Columns = append(c.Columns, super.Columns...)
	}
	b.heap.Classes = append(b.heap.Classes, c)
	return c
}

// ArrayClass adds a class of arrays, as "java.lang.Object[]" of element type 2.
func (b *Builder) ArrayClass(name string, element Type) *Class {
	c := b.Class(name, nil)
	c.Element, c.Super = element, 0
	return c
}

// Named is a class added before; nil when there is none of that name.
func (b *Builder) Named(name string) *Class {
	for _, c := range b.heap.Classes {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// New adds an instance with values of fields: ID, bool, int, int64; fields that
// are not named are 0.
func (b *Builder) New(c *Class, values map[string]any) ID {
	in := &instance{class: c, values: make([]uint64, len(c.Columns))}
	size := int64(12)
	for _, col := range c.Columns {
		size += int64(max(col.Type.Size(), 4*(1-min(1, col.Type.Size()))))
	}
	id := b.add(c, in, size, size+4)
	for field, v := range values {
		b.Set(id, field, v)
	}
	return id
}

// Set changes a field of an instance, for objects that refer to each other.
func (b *Builder) Set(id ID, field string, value any) {
	in := b.objects[id].(*instance)
	c := in.class.Column(field)
	if c < 0 {
		panic(fmt.Sprintf("class %s has no field %s", in.class.Name, field))
	}
	in.values[c] = bits(value)
}

func bits(value any) uint64 {
	switch v := value.(type) {
	case ID:
		return uint64(v)
	case int:
		return uint64(v)
	case int64:
		return uint64(v)
	case bool:
		if v {
			return 1
		}
		return 0
	}
	panic(fmt.Sprintf("a field cannot be %T", value))
}

// Array adds an object array.
func (b *Builder) Array(c *Class, refs ...ID) ID {
	a := &Array{Class: c, Length: int64(len(refs)), Refs: refs, Step: 1}
	for _, r := range refs {
		if r != 0 {
			a.Filled++
		}
	}
	c.Slots += a.Length
	c.Filled += a.Filled
	a.ID = b.add(c, a, 16+4*a.Length, 24+8*a.Length)
	return a.ID
}

// Prim adds an array of a primitive type.
func (b *Builder) Prim(c *Class, values ...int64) ID {
	p := &Prim{Class: c, Values: values}
	n := int64(len(values)) * int64(c.Element.Size())
	p.ID = b.add(c, p, 16+n, 24+n)
	return p.ID
}

// Text adds a String with its byte[].
func (b *Builder) Text(text string) ID {
	values := make([]int64, len(text))
	for i := range len(text) {
		values[i] = int64(int8(text[i]))
	}
	return b.New(b.str, map[string]any{"value": b.Prim(b.Named("byte[]"), values...)})
}

// Thread adds a thread; its serial number is its place.
func (b *Builder) Thread(t Thread) {
	t.Serial = uint32(len(b.heap.Threads) + 1)
	t.Class = -1
	if c, ok := b.heap.ClassOf(t.ID); ok {
		t.Class = c
	}
	b.heap.Threads = append(b.heap.Threads, t)
}

// Heap is the heap so far.
func (b *Builder) Heap() *Heap {
	b.heap.Seal()
	return b.heap
}

func (b *Builder) add(c *Class, object any, size, dump int64) ID {
	size = (size + 7) &^ 7
	id := b.place(size)
	b.objects[id] = object
	b.order = append(b.order, id)
	c.Instances++
	c.Kept++
	c.Bytes += size
	c.MATBytes += size
	c.DumpBytes += dump
	return id
}

func (b *Builder) place(size int64) ID {
	id := b.next
	b.next += ID(size)
	return id
}

// built is the store of a builder.
type built struct{ *Builder }

func (s built) ClassOf(id ID) (int, bool) {
	switch o := s.objects[id].(type) {
	case *instance:
		return o.class.Index, true
	case *Array:
		return o.Class.Index, true
	case *Prim:
		return o.Class.Index, true
	}
	return -1, false
}

func (s built) Instance(id ID) (Instance, bool) {
	in, ok := s.objects[id].(*instance)
	if !ok {
		return Instance{}, false
	}
	return Instance{ID: id, Class: in.class, Rows: in}, true
}

func (s built) Instances(class int) iter.Seq[Instance] {
	return func(yield func(Instance) bool) {
		for _, id := range s.order {
			if in, ok := s.Instance(id); ok && in.Class.Index == class && !yield(in) {
				return
			}
		}
	}
}

func (s built) Array(id ID) (Array, bool) {
	a, ok := s.objects[id].(*Array)
	if !ok {
		return Array{}, false
	}
	return *a, true
}

func (s built) Arrays(class int) iter.Seq[Array] {
	return func(yield func(Array) bool) {
		for _, id := range s.order {
			if a, ok := s.Array(id); ok && (class < 0 || a.Class.Index == class) && !yield(a) {
				return
			}
		}
	}
}

func (s built) Prim(id ID) (Prim, bool) {
	p, ok := s.objects[id].(*Prim)
	if !ok {
		return Prim{}, false
	}
	return *p, true
}

func (s built) Text(id ID) (string, bool) {
	if in, ok := s.Instance(id); ok {
		if id, ok = in.Ref("value"); !ok {
			return "", false
		}
	}
	p, ok := s.Prim(id)
	if !ok {
		return "", false
	}
	text := make([]byte, len(p.Values))
	for i, v := range p.Values {
		text[i] = byte(v)
	}
	return string(text), true
}

func (s built) Err() error   { return nil }
func (s built) Close() error { return nil }
