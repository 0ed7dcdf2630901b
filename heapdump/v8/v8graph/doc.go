// Package v8graph makes the graph of a heap snapshot of V8: the dominator of each
// node and what it retains, the way to it from the root, and the dominator tree with
// equal siblings as one. Edges count as in Chrome's DevTools: weak ones hold nothing,
// and shortcuts hold from the root alone.
//
// It judges nothing; what a report says of it is the business of others. Unlike the
// graph of a dump of Java it is held in memory, since a snapshot is much smaller: V8
// itself ends at a few GB.
package v8graph
