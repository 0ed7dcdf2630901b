// Package queuecalc is queueing theory in closed form: how long requests wait,
// how many are refused, how many are answered in time, and how long a queue is
// still useful.
//
// It is a calculator, not a simulator and not an advisor: every function is
// pure, answers for the steady state of a stated model (see each function for
// formula, units, validity and source), and leaves verdicts to its callers. It
// imports nothing but the standard library.
//
// # Units
//
// Rates are per second and times are seconds, both float64. Any other time unit
// works as well as long as one call uses the same unit throughout. Only
// [UsefulInput], which people fill in, takes time.Duration. A service rate is
// the rate of one worker; the capacity of a server is workers × service rate.
//
// # Counting requests
//
// The formulas bound the requests in the system, running and waiting. The
// queue setting of a server bounds the waiting ones alone. The two differ by
// the number of workers and are two types, [InSystem] and [Positions], which
// convert only through methods that ask for the workers.
//
// # Errors
//
// A function whose arguments can make no sense returns an *[ArgError] that
// names the argument, the value found and the value expected. Without an error
// no result is NaN, and a result is infinite only where its documentation says
// so.
package queuecalc
