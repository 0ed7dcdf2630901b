// Package template puts the expressions of Helm, Go templates, Jinja and ERB out of
// the way of a format's parser, in place: every byte keeps its line and column, so
// that findings and fixes still point at the file.
//
// It evaluates nothing. Statements become spaces; expressions become a filler that is
// a word in any format, and are listed with their places. Variables such as ${NAME}
// are left in the text: formats have variables of their own that look the same, and
// their readers know which is which; see [Variable].
package template
