package tree

import "fmt"

// Limits of one file, whatever it claims.
const (
	// MaxNodes bounds the nodes of a file, aliases counted as often as they are used.
	MaxNodes = 1_000_000
	// MaxAliased bounds those that aliases of a document make: a few lines can ask for
	// any number.
	MaxAliased = 100_000
	// MaxDepth bounds how deep nodes nest.
	MaxDepth = 200
	// MaxDocuments bounds the documents of a file.
	MaxDocuments = 20_000
	// MaxTold bounds the problems of a file up to which keys that stand twice are told.
	MaxTold = 20
)

// Error is what could not be read, with its place.
type Error struct {
	Line, Column int
	Err          error
}

// Error returns the message without the place.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func errorAt(line, column int, format string, args ...any) *Error {
	return &Error{Line: line, Column: column, Err: fmt.Errorf(format, args...)}
}
