// Package stacks reads dumps of Java threads: which threads a process has, where
// each of them is, and what it waits for.
//
// It reads the text of jstack and jcmd Thread.print (JDK 6 and later, with -l and
// -e too), the same as kill -3 writes it into a log between other lines, the text of
// jhsdb jstack, the text and JSON of jcmd Thread.dump_to_file with virtual threads
// (JDK 21 and later), and javacores of OpenJ9. One file may hold several dumps.
//
// Threads with equal stacks share them, so that a dump of many threads takes little
// memory. The package judges nothing: which threads are busy is the business of the
// analysis.
package stacks
