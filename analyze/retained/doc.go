// Package retained judges the graph of a heap: who holds the requests that pile
// up, what retains most, and what looks like a leak.
//
// It reads package graph and returns plain figures with names; addresses are of
// objects in the dump. It finds no queues, which come in as anchors, and draws
// nothing.
package retained
