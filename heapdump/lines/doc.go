// Package lines reads text line by line with the number of each line, whatever a
// line's length and whichever of the encodings that tools on Linux and Windows
// write: UTF-8 with or without its mark, UTF-16 of either order.
//
// It also takes off what a logger or an orchestrator puts before each line of a
// program's output ([Prefix]). What the lines say is the business of the readers of
// thread dumps and histograms.
package lines
