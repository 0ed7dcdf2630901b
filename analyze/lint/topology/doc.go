// Package topology reads the file that says what no configuration file holds: which
// services there are and how many of each, what they can do, which files set them, and
// who calls whom.
//
// It is strict: a key that it does not know is a problem with its line and the key that
// was perhaps meant. It opens none of the files that it names and judges nothing.
package topology
