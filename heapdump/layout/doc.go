// Package layout tells how many bytes objects of a heap dump took in the VM.
//
// An HPROF file gives addresses and field values but not the layout: header
// size, reference size, alignment and the packing of fields are the VM's choice,
// and its flags'. The distance from an object to its next neighbour is an upper
// bound of its size, and equal to it where the heap is compacted. [Learn] finds
// the one layout that explains the distances seen, computes every class by that
// layout's rules and corrects the classes that hold more than the file says
// (injected and padded fields), so that totals agree with the VM's own class
// histogram. [MAT] computes beside it the sizes that Eclipse MAT shows.
//
// The package reads no files and keeps no objects: a scanner notes a few
// integers per object in [Gap] and [Lengths] and hands them over at the end.
package layout
