package gcparse

import "example.com/kneeline/internal/input"

// MaxRuns is how many runs of one stream are told apart. Events after that are
// counted to the last one, and the result says so.
const MaxRuns = 10_000

// Stream is one log: a file, standard input, or a rotated set of files in the
// order of their times.
type Stream struct {
	// Name is what the log is called: the path of its file, or of a set without
	// what rotation added behind the extension, or of the newest file of it.
	Name string
	// Sources are its files, oldest first.
	Sources []input.Source
}

// Result is what reading a stream gave beside its events.
type Result struct {
	Stream Stream
	// Runs of processes, in the order in which they begin in the log.
	Runs []Run
	// Ledger accounts for every line.
	Ledger Ledger
	// Wrappers are the container or shipper formats that were taken off.
	Wrappers []string
	// Bytes read, after decompression.
	Bytes int64
	// Problems are what could not be read, and the places where limits cut.
	Problems []error
	// Unclosed counts pauses that the log shows to begin and not to end. They are
	// no events. EndsInPause tells that the log ends in the last of them.
	Unclosed    int64
	EndsInPause bool
	// Complete is false if reading was interrupted.
	Complete bool

	runsOver int64 // runs beyond MaxRuns
}
