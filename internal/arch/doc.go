// Package arch holds the rules of the house that a compiler does not enforce:
// which package may import which, which third-party package belongs to which of
// ours, and what only the command line may do. Its test checks the source tree
// against them; it has no other use.
//
// To add a package, give it a floor in floors.go.
package arch
