// Package chain is who calls whom: services and hops with what their files set, and the
// quantities that follow from a hop's settings and its neighbours': how long a call may
// take, how many tries it makes, and by how much tries multiply along a path.
//
// It reads no files; package link builds a chain from documents and a topology.
package chain
