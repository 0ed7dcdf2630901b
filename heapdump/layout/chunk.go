package layout

// StackChunk is the name of the class whose instances hold the stacks of virtual
// threads that are not running (JDK 21 and later).
const StackChunk = "jdk.internal.vm.StackChunk"

// injected are the fields that HotSpot adds to StackChunk and that no dump has:
// the continuation, flags, the program counter and the largest size to thaw
// (STACKCHUNK_INJECTED_FIELDS in javaClasses.hpp).
var injected = Fields{Refs: 1, Bytes8: 1, Bytes4: 1, Bytes1: 1}

// own are the class's fields as the VM has them.
func (c *Class) own() Fields {
	f := c.Fields
	if c.Chunks {
		f.Refs += injected.Refs
		f.Bytes8 += injected.Bytes8
		f.Bytes4 += injected.Bytes4
		f.Bytes1 += injected.Bytes1
	}
	return f
}

// gap is the class's distance where it tells a size: chunks have many.
func (c *Class) gap() Gap {
	if c.Chunks {
		return Gap{}
	}
	return c.Gap
}

// Chunk is the size of a StackChunk: its fields, which are base bytes, then as
// many words of stack as its field size says, then a bit for each place in the
// stack where a reference may be (InstanceStackChunkKlass::instance_size). Checked
// against the VM's histogram of 3,000 parked virtual threads on JDK 25.
func (l *Layout) Chunk(base, words uint64) uint64 {
	const word = 8
	places := words * (word / l.Ref)
	return align(base+word*words+word*((places+63)/64), l.Alignment)
}
