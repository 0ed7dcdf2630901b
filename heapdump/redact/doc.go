// Package redact copies a Java heap dump (HPROF) without its contents: texts and
// other arrays of primitive types, numbers in fields, statics and constant pools
// become zero. Identifiers, classes, references, lengths, roots and stacks stay, so
// that whoever gets the copy can tell what the heap was full of and who held it.
//
// What must stay for that is told by [Rules]: the numbers that queues and pools are
// read by, times, the names of threads and pools. What the package does not
// understand it leaves out, never through.
package redact
