package heapdump

import "example.com/kneeline/heapdump/layout"

// ID is the identifier of an object: its address in the VM. 0 is null.
type ID uint64

// Type is the type of a field or of array elements, by HPROF's numbers.
type Type = layout.Type

// Field is a field that instances have.
type Field struct {
	Name string
	Type Type
}

// Static is a static field with its value: the bits of a number, or the
// identifier of an object.
type Static struct {
	Name  string
	Type  Type
	Value uint64
}

// Class is a class of a dump, with what was counted of its instances.
type Class struct {
	// Index is the place of the class in [Heap.Classes].
	Index int
	// ID is the address of the class object. Two classes may have one name (two
	// loaders), never one ID.
	ID ID
	// Name is as Java source has it: java.util.HashMap$Node, byte[],
	// java.lang.Object[][].
	Name string
	// Display is Name without what differs between classes made at run time:
	// X$$Lambda for X$$Lambda$52+0x00007f…. Group by it what people read.
	Display string
	// Hidden says that the class was made at run time and cannot be found by
	// name: lambdas, method handles' forms.
	Hidden bool
	// Undescribed is a class that objects refer to and the dump says nothing of.
	Undescribed bool
	// Super is the index of the superclass, -1 for none or unknown.
	Super int
	// Loader is the class loader's object, 0 for the boot loader.
	Loader ID
	// Signers and Domain are the class's signers and protection domain, 0 for none.
	Signers, Domain ID
	// Element is the type of the elements of an array class, 0 of others.
	Element Type
	// Fields are the class's own fields, without those of superclasses.
	Fields []Field
	// Statics are the static fields. References in them may be the only holders
	// of a pool or cache.
	Statics []Static

	// Instances counts the objects of exactly this class. Of java.lang.Class it
	// counts class objects, also those that have no record of their own.
	Instances int64
	// Bytes is what the instances take in the VM, by the layout that was learned
	// from the dump, as jmap -histo counts them.
	Bytes int64
	// MATBytes is what Eclipse MAT shows as their shallow size.
	MATBytes int64
	// DumpBytes is what the records of the instances take in the file.
	DumpBytes int64
	// Slots and Filled count the slots of object arrays and those that are not
	// null; 0 of other classes. Together they tell how full collections are.
	Slots, Filled int64

	// Lengths are the lengths that many arrays of the class have, most bytes
	// first; empty of other classes, and where the reader does not count them.
	Lengths []Length

	// Columns are the fields of which values are kept, empty when no instances
	// are; nearest class first, so that a name finds the field that Java code in
	// this class would see.
	Columns []Column
	// Kept is how many instances are kept; less than Instances when a bound was
	// reached.
	Kept int64
}

// Length is the arrays of one class that have one length.
type Length struct {
	// Length is in elements, Bytes what the arrays take in the VM together.
	Length, Count, Bytes int64
}

// Column is a field whose values are kept for the instances of a class.
type Column struct {
	// Class is the name of the class that declares the field.
	Class string
	Field
}

// Column finds the column of a field by its name, or by class and name as
// "java.lang.Thread#name" where superclasses have fields of the same name;
// -1 when it is not kept.
func (c *Class) Column(field string) int {
	for i := range c.Columns {
		if c.Columns[i].Name == field {
			return i
		}
	}
	for i := range c.Columns {
		col := &c.Columns[i]
		n := len(col.Class)
		if len(field) > n && field[:n] == col.Class && field[n] == '#' && field[n+1:] == col.Name {
			return i
		}
	}
	return -1
}

// IsArray says whether instances are arrays.
func (c *Class) IsArray() bool { return c.Element != 0 }
