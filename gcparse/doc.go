// Package gcparse turns the text of garbage collector logs into events: HotSpot
// from the bracketed logs of JDK 1.4 to 8 to the unified logging of JDK 9 and
// later, OpenJ9, Go and V8.
//
// It says what a log says and no more. Which pauses matter, what overhead they
// make and whether that was an overload is the business of package analyze/gc.
//
// # How it is put together
//
//	files, stdin      internal/input opens and decompresses them
//	Streams           puts the files of a rotated set into one stream, by time
//	lines             cut out of a buffer, UTF-16 turned into UTF-8
//	wrapper           the prefix of a container or log shipper is taken off
//	family            one log family turns lines into events
//	sink              counts lines, keeps runs, hands events to the caller
//
// A family sees one line at a time and never keeps a slice of it. No stage holds
// more than a bounded piece of the input, so memory does not grow with it.
//
// To add a family, write the interface family and list its kind in the variable families: the readers,
// wrappers, threads and tests take it from there.
//
// # Time
//
// Every [Event] is stamped with its start, on the clock of the process (uptime),
// the wall clock, or both; see [Stamp]. Unified logging stamps the end of a
// pause, the older logs and Go its start: the families convert.
//
// # Runs
//
// A log may hold several runs of a process, or several processes. Clocks and
// collection numbers begin again in each, so nothing may be summed across runs;
// [Event.Run] tells them apart.
package gcparse
