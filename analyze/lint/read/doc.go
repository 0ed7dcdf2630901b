// Package read turns configuration files into the model of analyze/lint/model, one
// reader a format, each in a package of its own below this one.
//
// A reader knows a format's grammar, dialect and defaults; it judges nothing. What it
// cannot read it says with its place, and reads on.
package read
