// Package model is what configuration files say, in one form for all formats:
// hops (one program calls another) and services (one program that serves), whose
// values keep where they come from.
//
// Dialects end here. "attempts" that count the first try and those that do not,
// "timeout" of a whole call, of one try or between two reads: a reader puts each into
// the field that means it, and rules see one meaning.
//
// The package reads no files, knows no format and judges nothing.
package model
