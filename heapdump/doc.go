// Package heapdump is the model of a Java heap dump: what one pass over the file
// keeps. Every object is counted by class and its class can be told from its
// address; of some classes the instances are kept with their fields, and of long
// arrays the references.
//
// The package reads no files: package hprof fills a [Heap] from a dump, and
// [Builder] makes one by hand, for tests of what judges heaps. There is no graph
// of references here, hence no dominators, retained sizes or reachability.
//
// What a dump holds is private. Names of classes, fields, threads and methods,
// counts, sizes and times may be shown to anybody; texts and values of fields
// only when the user asks for them. See [Heap.Text].
package heapdump
