// Package gosource finds what Go programs do about limits of time and retries:
// clients and servers without limits, limits that are thrown away, remote calls on a
// context without one, loops that try again at a fixed pace.
//
// It reads one file at a time, by its syntax and its imports, so that it needs
// neither the packages that the file imports nor the go command; [Analyzers] are the
// same checks for go vet. It follows no values from one function to another: where a
// limit may be set elsewhere, it says nothing.
package gosource
