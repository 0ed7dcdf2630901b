package heapdump

// Thread is a thread of the dump.
type Thread struct {
	// Serial is the number by which roots refer to the thread.
	Serial uint32
	// ID is the thread's object, 0 when the dump does not tell.
	ID ID
	// Class is the index of the object's class, -1 when it is not known.
	Class int
	// Name is the thread's name, empty when it is not known.
	Name string
	// Virtual is a virtual thread. Before JDK 22 dumps have the mounted ones
	// only, and mix their frames with those of the carrier.
	Virtual bool
	// Daemon is the thread's daemon flag; false also when it is not known.
	Daemon bool
	// Frames are from the innermost outwards.
	Frames []Frame
	// Locals are objects that frames or native code of the thread hold.
	Locals []Local
}

// Frame is a call on a stack.
type Frame struct {
	// Class is as Java source has it; Method is without signature.
	Class, Method string
	// Source is the file's name, which may be empty.
	Source string
	// Line is above 0, or -1 unknown, -2 compiled, -3 native.
	Line int32
}

// Local is an object held by a frame.
type Local struct {
	ID ID
	// Frame is the index in [Thread.Frames], -1 for none.
	Frame int32
}
