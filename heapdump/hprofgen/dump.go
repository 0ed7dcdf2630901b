package hprofgen

import (
	"fmt"
	"time"
)

// Options are the shape of the file and of the VM behind it. The zero value is a
// dump of a 64-bit HotSpot VM with compressed references.
type Options struct {
	// IDSize is 4 or 8; 0 is 8.
	IDSize int
	// Version is the first line of the file; "" is "JAVA PROFILE 1.0.2".
	Version string
	// Taken is the time of the dump; the zero value is [Taken].
	Taken time.Time
	// Segment is about how many bytes go into one HEAP_DUMP_SEGMENT record; 0
	// writes one HEAP_DUMP record.
	Segment int
	// HeapLength, if set, gives the length that heap records claim, from their
	// true length.
	HeapLength func(true uint32) uint32
	// RootsFirst writes roots before classes and objects; HotSpot 17 writes them
	// last.
	RootsFirst bool
	// ClassesLast writes class dumps after the objects.
	ClassesLast bool
	// Shuffle writes objects in an order that is not that of their addresses, as
	// ZGC and Shenandoah do.
	Shuffle bool
	// Dotted writes class names as java.lang.String and java.lang.String[], as
	// Android does, and not as java/lang/String and [Ljava/lang/String;.
	Dotted bool
	// CharStrings keeps strings in char[] without a coder, as up to JDK 8.
	CharStrings bool
	// VM is the layout of objects.
	VM VM
}

// Taken is when dumps are taken unless told otherwise.
var Taken = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// ID is an object's identifier: its address. 0 is null.
type ID = uint64

// Dump is a heap dump under construction.
type Dump struct {
	opt     Options
	heap    heap
	classes []*Class
	byName  map[string]*Class
	mirror  *Class // the shape of class objects
	objects []*object
	byID    map[ID]*object
	names   map[string]ID
	text    []string // in the order of their identifiers
	roots   []func(*encoder)
	threads []*Thread
	bulks   []*Bulk
	raw     [][]byte // sub-records as they are, after the objects
	records []rawRecord
	early   []rawRecord
}

type rawRecord struct {
	tag    byte
	length uint32
	body   []byte
}

// New begins a dump that has java.lang.Object, java.lang.Class and
// java.lang.String.
func New(opt Options) *Dump {
	if opt.IDSize == 0 {
		opt.IDSize = 8
	}
	if opt.Version == "" {
		opt.Version = "JAVA PROFILE 1.0.2"
	}
	if opt.Taken.IsZero() {
		opt.Taken = Taken
	}
	opt.VM = opt.VM.complete(opt.IDSize)
	d := &Dump{
		opt: opt, heap: heap{next: opt.VM.Start},
		byName: map[string]*Class{}, byID: map[ID]*object{}, names: map[string]ID{},
	}
	d.mirror = &Class{Hidden: mirrorHidden, Fields: []Field{
		F("classLoader", Object), F("name", Object), F("classRedefinedCount", Int),
	}}
	opt.VM.lay(d.mirror)
	d.Class("java.lang.Object", nil)
	d.Hide(d.Class("java.lang.Class", nil, d.mirror.Fields...), mirrorHidden)
	fields := []Field{F("value", Object), F("hash", Int), F("coder", Byte), F("hashIsZero", Boolean)}
	if opt.CharStrings {
		fields = fields[:2]
	}
	d.Class("java.lang.String", nil, fields...)
	return d
}

// Type is the type of a field or of array elements, by HPROF's numbers.
type Type byte

// The basic types of HPROF.
const (
	Object  Type = 2
	Boolean Type = 4
	Char    Type = 5
	Float   Type = 6
	Double  Type = 7
	Byte    Type = 8
	Short   Type = 9
	Int     Type = 10
	Long    Type = 11
)

func (t Type) size(ref int) int {
	switch t {
	case Object:
		return ref
	case Boolean, Byte:
		return 1
	case Char, Short:
		return 2
	case Float, Int:
		return 4
	case Double, Long:
		return 8
	}
	panic(fmt.Sprintf("no type %d", t))
}

var primitives = map[Type]string{
	Boolean: "boolean", Char: "char", Float: "float", Double: "double",
	Byte: "byte", Short: "short", Int: "int", Long: "long",
}

// Field is a field of a class.
type Field struct {
	Name   string
	Type   Type
	static bool
	value  uint64
}

// F is an instance field.
func F(name string, t Type) Field { return Field{Name: name, Type: t} }

// S is a static field.
func S(name string, t Type, value any) Field {
	return Field{Name: name, Type: t, static: true, value: bits(t, value)}
}

// Class is a class of the dump.
type Class struct {
	// ID is the address of its class object.
	ID ID
	// Name is dotted, arrays as byte[] and java.lang.Object[].
	Name string
	// Super is nil for java.lang.Object.
	Super *Class
	// Fields are its own.
	Fields []Field
	// Loader is the object of its class loader, 0 for the boot loader.
	Loader ID
	// ClaimedSuper is the superclass that the file claims; 0 for the true one.
	ClaimedSuper ID
	// Missing leaves the class dump out of the file.
	Missing bool
	// Hidden is how many bytes an instance has beside its fields: injected and
	// padded ones.
	Hidden uint64

	element   Type // of arrays
	statics   []Field
	mirror    uint64
	shape     shape
	size      uint64
	instances int64
	bytes     uint64
	serial    uint32
}

// Class returns the class of a name and makes it if it is new; super nil stands
// for java.lang.Object. The class of a name that exists keeps its fields.
func (d *Dump) Class(name string, super *Class, fields ...Field) *Class {
	if c := d.byName[name]; c != nil {
		return c
	}
	c := d.Twin(name, super, fields...)
	d.byName[name] = c
	return c
}

// Twin makes a class even when there is one of the same name, as two class
// loaders do.
func (d *Dump) Twin(name string, super *Class, fields ...Field) *Class {
	if super == nil && name != "java.lang.Object" {
		super = d.byName["java.lang.Object"]
	}
	c := &Class{Name: name, Super: super, serial: uint32(len(d.classes) + 1)}
	for _, f := range fields {
		if f.static {
			c.statics = append(c.statics, f)
		} else {
			c.Fields = append(c.Fields, f)
		}
	}
	d.opt.VM.lay(c)
	c.mirror = d.opt.VM.mirror(d.mirror, c.statics)
	c.ID = d.heap.take(c.mirror)
	d.classes = append(d.classes, c)
	return c
}

// Hide gives a class bytes beside its fields; call it before its first instance
// and before its subclasses.
func (d *Dump) Hide(c *Class, bytes uint64) *Class {
	c.Hidden = bytes
	d.opt.VM.lay(c)
	return c
}

// ArrayClass returns the class of arrays of an element class, or of a primitive
// type by its Java name.
func (d *Dump) ArrayClass(element string) *Class {
	c := d.Class(element+"[]", nil)
	c.element = Object
	for t, name := range primitives {
		if name == element {
			c.element = t
		}
	}
	return c
}

// all are the fields in the order of an instance dump: own ones first.
func (c *Class) all() (fields []Field) {
	for ; c != nil; c = c.Super {
		fields = append(fields, c.Fields...)
	}
	return fields
}

// IsA tells whether c is a class of that name or below it.
func (c *Class) IsA(name string) bool {
	for ; c != nil; c = c.Super {
		if c.Name == name {
			return true
		}
	}
	return false
}
