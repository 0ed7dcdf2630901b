// Package rank numbers addresses: the number of an address is how many lower ones
// there are. A bit for each place where an object may begin and a count for every 512
// of them are all there is, about a 64th of the heap, where a table of addresses would
// take eight bytes for each object and sorting it the longest part of the time.
package rank
