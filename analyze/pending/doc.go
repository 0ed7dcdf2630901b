// Package pending judges what a heap holds: whether requests pile up in it,
// where they wait, how long already, what each costs, and which setting to
// change; or, where they do not, what the heap is full of instead.
//
// It reads the model of package heapdump and returns a [Result], which as JSON is
// the document of the command. It parses no dump, draws no report and knows of no
// flags: capacity and timeout come in as numbers.
//
// There is no graph here. Sizes are those of what a queue holds and of the
// classes that come in equal numbers with it, not retained sizes, and whether an
// object is reachable is not checked.
package pending
