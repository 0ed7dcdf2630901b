// Package nginx reads nginx configuration into the model: what each location passes to
// whom within which limits, what servers accept, and upstream blocks.
//
// It follows nginx's own grammar and inheritance. Files that include names are listed,
// not opened. It judges nothing; what nginx would refuse is said as such.
package nginx
