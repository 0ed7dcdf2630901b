package model

// Document is what one file, or one document of a file with several, says.
type Document struct {
	// File is the name that findings give; Line where the document begins.
	File string
	Line int
	// Format is the reader's name, such as nginx.
	Format string
	// Product and Version choose the rows of the table of defaults.
	Product, Version string
	Hops             []*Hop
	Services         []*Service
	// Includes are the files that the document takes in and that the reader has not
	// opened, as the document names them.
	Includes []Value
	// Unknown are settings of known objects that the reader does not know, with the
	// nearest one that it does, if it is near.
	Unknown []UnknownKey
	// Holes are the expressions whose values are not known, in the order of the file,
	// each once.
	Holes []Value
	// Rejected is why the program that the file is for would refuse it, or ignore a
	// part of it.
	Rejected []Rejection
	// Units are numbers whose unit is doubtful; see [Slip].
	Units []Slip
	// Code is what a source file does about limits and retries.
	Code []Code
	// Problems are what could not be read, with position; the rest was.
	Problems []Problem
}

// CodeKind is what a place of a source file does.
type CodeKind uint8

// The kinds.
const (
	// ClientNoLimit makes a client or a call without a limit of time.
	ClientNoLimit CodeKind = iota + 1
	// ServerNoLimit makes a server that waits for its clients without a limit.
	ServerNoLimit
	// LimitDropped makes a context with a limit and throws it away.
	LimitDropped
	// CallNoDeadline makes a remote call on a context without a limit.
	CallNoDeadline
	// RetryLoop tries again after a wait that does not grow.
	RetryLoop
	// PoolNoLimit makes a pool that starts any number of threads.
	PoolNoLimit
	// PoolNeverGrows makes a pool whose maximum of threads its queue never lets it reach.
	PoolNeverGrows
	// PoolLongQueue makes a pool with a queue whose length is a number of the code.
	PoolLongQueue
)

// Code is one place of a source file.
type Code struct {
	Kind CodeKind
	// What is the code in short, such as http.Get.
	What string
	// In is the function that it is in.
	In string
	// Detail says what is missing, Fix what to write.
	Detail, Fix string
	// Wait is the wait of a loop that tries again, or the limit that is thrown away, as
	// far as it can be read.
	Wait Value
	// Size is the length of a pool's queue, or the maximum of its threads.
	Size Value
	// Endless marks a loop that nothing but success ends.
	Endless bool
	At      Position
}

// Place is the function that the code is in, as part of a sentence.
func (c Code) Place() string {
	if c.In == "" {
		return ""
	}
	return " in " + c.In
}

// End says of a loop that nothing but success ends it, as part of a sentence.
func (c Code) End() string {
	if c.Endless {
		return " for ever"
	}
	return ""
}

// UnknownKey is a setting that the reader does not know.
type UnknownKey struct {
	Key, In string
	// Nearest is a setting of that object with nearly the same name, or empty.
	Nearest string
	At      Position
}

// Rejection is what the program that a file is for would not take.
type Rejection struct {
	// Why says what it refuses, with the program's name.
	Why string
	// Ignored marks what is left out silently instead of refused.
	Ignored bool
	Fix     string
	// Wrapper marks a file that is wrapped in a form that its reader does not take.
	Wrapper bool
	At      Position
}

// Slip is a number whose unit is doubtful.
type Slip struct {
	Value Value
	// Why says it, with the figures.
	Why string
	// Fix is the value to write.
	Fix string
	// Write is what to put in the place of the value's text, empty where more than one
	// value may have been meant.
	Write string
	// Refused marks a unit where the format reads none.
	Refused bool
}

// Problem is a part of a file that could not be read.
type Problem struct {
	At  Position
	Err string
}

// Graph is what all files of a run say.
type Graph struct {
	Documents []*Document
}
