// Package writes tells from the name of a call whether making it twice does something
// twice: from its HTTP method, and from the verb in the name of a procedure.
//
// A name promises nothing: what is told from a verb alone is a guess, and marked as one.
package writes
