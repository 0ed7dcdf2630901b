// Package input turns the arguments of a command into streams of bytes: a path,
// a glob, a directory or "-" for stdin, decompressed when the content is gzip or
// zstd.
//
// It looks at the first bytes of a stream for compression and at nothing else:
// what the bytes mean is the business of the parsers.
package input
