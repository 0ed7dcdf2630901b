// Package bind takes the settings of programs whose values are text of several kinds,
// such as those of the Java world: what is set, what holds where nothing is, and what
// the program could not take.
//
// It is no reader: it knows no key and no format, and what a setting means is the
// reader's to say.
package bind
