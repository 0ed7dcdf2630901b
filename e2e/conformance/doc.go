// Package conformance holds the model of configuration files against what the programs
// do that read them: it takes a text through the readers and defaults that users get,
// says from the model how many tries a request takes and how long it lasts under a
// fault, measures, compares, and writes the page of what was compared.
//
// Tests alone use it. It starts no program.
package conformance
