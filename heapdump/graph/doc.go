// Package graph makes the object graph of a heap dump: who refers to whom, who
// dominates whom, and how much each object or set of objects retains. It is for
// dumps of any size: what does not fit into the memory it may use goes to files
// without a name, and no step takes more than near-linear time, also on a linked
// queue of millions.
//
// A [Collector] takes what readers find in their one pass; [Collector.Build] makes
// a [Graph] of it. Objects are known by rank: the place of their address among all
// addresses, which needs no table of identifiers.
//
// The package does not judge: what a queue, a request or a suspect is, and how a
// tree is drawn, is for those above it to say.
package graph
