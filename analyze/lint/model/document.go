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
	// Problems are what could not be read, with position; the rest was.
	Problems []Problem
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
