package heapdump

// KeepMode says what a reader keeps of the instances of a class.
type KeepMode uint8

const (
	// KeepAuto leaves it to the reader: it keeps all instances of classes that
	// have few, and of others those that form chains or carry times.
	KeepAuto KeepMode = iota
	// KeepNothing keeps no instances.
	KeepNothing
	// KeepFields keeps all instances with some of their fields.
	KeepFields
	// KeepWhole keeps all instances with all fields.
	KeepWhole
)

// Keep is what to keep of a class.
type Keep struct {
	Mode KeepMode
	// Fields are the fields for KeepFields, by name or as "Class#field"; those
	// that the class does not have are passed over.
	Fields []string
}

// Keeper is asked once for each class, when the class records of a dump were
// read and before its objects. The heap has the classes with their names, fields
// and superclasses, so [Heap.IsA] and [Heap.AllFields] work; there are no objects
// yet. A nil Keeper is KeepAuto for all.
type Keeper func(h *Heap, class int) Keep
