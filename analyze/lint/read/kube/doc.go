// Package kube finds the resources of Kubernetes in a tree: those of a document, of a
// List, and of maps of lists in which tests keep them.
//
// It reads their heads alone; what a resource says is its own format's reader's.
package kube
