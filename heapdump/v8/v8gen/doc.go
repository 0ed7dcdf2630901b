// Package v8gen makes heap snapshots of V8 whose truth is known, for tests: nodes
// and edges are added one by one and written as V8 writes them, or in another order
// of fields.
package v8gen
