// Package clock tells from the numbers in the entries of a queue how long they
// have been waiting.
//
// Many request objects keep a stamp of their arrival: wall-clock time in
// milliseconds, microseconds or nanoseconds, or the VM's nanosecond counter, whose
// zero is arbitrary. Wall-clock stamps are counted against the time in the dump's
// header. The counter is calibrated: in objects that carry a stamp of both kinds,
// the difference of the two is the same but for what happened between the two
// stamps.
//
// A number that merely looks like a stamp gives a false age, which is worse than
// none. So a field counts only if nearly all entries have a plausible value, the
// values run in the order of the queue, they are not made by a counter, and each
// entry has an object of its own to keep it in. Everything else is refused with a
// reason.
//
// The package reads columns of numbers. It knows no dump, no class and no file.
package clock
