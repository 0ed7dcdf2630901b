// Package dominators finds the immediate dominators of a graph whose nodes have the
// numbers in which a depth first visit met them, by the algorithm of Lengauer and
// Tarjan with path compression: O(m log n) for m edges and n nodes.
//
// Semi-NCA, which is as short, is quadratic on a long chain whose links are also
// held from elsewhere, and so on a long linked queue.
package dominators
