package heapdump

import "math"

// Rows are the kept values of many instances by column of their class: the bits
// of a number, sign-extended, or the identifier of an object.
type Rows interface {
	Value(row, column int) uint64
}

// Instance is a kept object that is no array.
type Instance struct {
	ID    ID
	Class *Class
	// Rows and Row are where its values are; see [Instance.At].
	Rows Rows
	Row  int
}

// At is the value of a column of [Class.Columns], for inner loops: what
// [Instance.Value] finds by name.
func (in Instance) At(column int) uint64 { return in.Rows.Value(in.Row, column) }

// Value is the value of a field of any type as its bits; false when the class
// has no such field or it is not kept.
func (in Instance) Value(field string) (uint64, Type, bool) {
	if in.Class == nil {
		return 0, 0, false
	}
	c := in.Class.Column(field)
	if c < 0 {
		return 0, 0, false
	}
	return in.At(c), in.Class.Columns[c].Type, true
}

// Ref is the object that a field refers to, 0 for null; false when no reference
// of that name is kept. Name the class too, as "Class#field", where superclasses
// have fields of the same name.
func (in Instance) Ref(field string) (ID, bool) {
	v, t, ok := in.Value(field)
	if !ok || t.Size() != 0 {
		return 0, false
	}
	return ID(v), true
}

// Long is the value of a field of any integer type (also boolean and char);
// false when no such field is kept.
func (in Instance) Long(field string) (int64, bool) {
	v, t, ok := in.Value(field)
	if !ok || t.Size() == 0 || t == floatType || t == doubleType {
		return 0, false
	}
	return int64(v), true
}

// Int is [Instance.Long] for a count, as the fields of queues are.
func (in Instance) Int(field string) (int, bool) {
	v, ok := in.Long(field)
	return int(v), ok
}

// Bool is the value of a boolean field; false when no such field is kept.
func (in Instance) Bool(field string) (value, ok bool) {
	v, ok := in.Long(field)
	return v != 0, ok
}

// Float is the value of a float or double field; false when no such field is
// kept.
func (in Instance) Float(field string) (float64, bool) {
	v, t, ok := in.Value(field)
	switch {
	case !ok:
		return 0, false
	case t == floatType:
		return float64(math.Float32frombits(uint32(v))), true
	case t == doubleType:
		return math.Float64frombits(v), true
	}
	return 0, false
}

const (
	floatType  Type = 6
	doubleType Type = 7
)

// Array is a kept object array.
type Array struct {
	ID    ID
	Class *Class
	// Length is the number of slots, Filled how many of them are not null.
	Length, Filled int64
	// Refs are the slots in order. Of an array longer than the reader keeps they
	// are every Step-th slot, from slot 0.
	Refs []ID
	// Step is 1 when Refs has all slots.
	Step int64
}

// Sampled says that Refs are an even sample of the slots.
func (a Array) Sampled() bool { return a.Step > 1 }

// Prim is a kept short array of a primitive type.
type Prim struct {
	ID    ID
	Class *Class
	// Values are the elements' bits, sign-extended.
	Values []int64
}

// Big is a single array that takes much of the heap.
type Big struct {
	ID     ID
	Class  int
	Length int64
	Bytes  int64
}
