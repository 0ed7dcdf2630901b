// Package disk gives large arrays of numbers: in memory up to a bound, above it in
// mapped files without a name, which are gone when the process is, however it ends.
// The pages of such a file are the system's to write out and take back, so they weigh
// on nobody who needs memory. Space is reserved when an array is made: a disk that
// is full is an error then, with figures, and not later.
package disk
