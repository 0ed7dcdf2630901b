// Package histoonly judges a process by what is small enough to take from it when a
// heap dump is not: a class histogram, or several taken one after the other, and a
// thread dump.
//
// A histogram has counts and bytes by class, and no objects: which queue holds them,
// how much it takes, since when they wait and in which order it does not tell, and
// the result says so with the command that would. Requests are told by classes
// whose objects are only there while something waits, and by workers that are all
// busy with work of which there is much more than they have in hand.
package histoonly
