// Package classhisto reads class histograms: how many objects of each class a
// heap holds and how many bytes, as a virtual machine prints them.
//
// It reads what jmap -histo and jcmd GC.class_histogram print on HotSpot (JDK 6 and
// later) and on OpenJ9, what jhsdb jmap --histo prints of a process that cannot be
// attached to, and what -Xlog:gc+classhisto writes into a log. One file may hold
// several, with the output of date(1) or other lines between.
//
// It judges nothing: what the counts mean is the business of the analysis.
package classhisto
