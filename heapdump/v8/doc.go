// Package v8 reads heap snapshots of V8 (files .heapsnapshot of Node, Chrome and
// Deno): the nodes with their types, names and sizes, and the edges between them.
//
// The file is one JSON document whose arrays "nodes" and "edges" may hold hundreds
// of millions of numbers and whose names come last, in "strings". It is read once
// and in order, so that a pipe is enough: nodes are kept in columns of 17 bytes
// each, edges packed into about 6 bytes each, in memory up to a bound and in a
// temporary file beyond it; of the strings only those are kept that name a class, a
// function, a variable or a property, never contents.
//
// The order of fields in a node or an edge is taken from "meta", which differs from
// one version of V8 to another (include/v8-profiler.h and
// src/profiler/heap-snapshot-generator.cc of v8/v8 write it). The package judges
// nothing and computes no dominators; [Snapshot.Edges] gives the edges to what does.
package v8
