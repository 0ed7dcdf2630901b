// Package heapinput tells by the first bytes of an input, decompressed, which kind
// of evidence of a heap it is: a dump, a profile, a listing of threads or a
// histogram of classes, or something that is known and not read.
//
// It reads nothing itself and takes nothing apart: what the bytes say is the
// business of the readers under heapdump.
package heapinput
