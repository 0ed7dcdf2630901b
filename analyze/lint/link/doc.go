// Package link makes a chain of documents and a topology: it finds which objects of files
// set which hop, in which order they stand on it, and concludes hops that the topology
// does not have from what files say of each other.
//
// It judges nothing.
package link
