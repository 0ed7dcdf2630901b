package queuecalc

import (
	"fmt"
	"math"
)

// ArgError reports an argument for which a formula has no answer.
type ArgError struct {
	Arg   string  // what the argument means, such as "arrival rate"
	Value float64 // the value found
	Want  string  // the values for which there is an answer
}

func (e *ArgError) Error() string {
	return fmt.Sprintf("%s is %v: want %s", e.Arg, e.Value, e.Want)
}

// MaxWorkers is the largest number of workers that the formulas take. It keeps
// every sum short and every count exact in a float64.
const MaxWorkers = 1 << 30

// extreme bounds numbers above zero, so that products and quotients of a few
// arguments stay in the range of a float64. No rate or time comes near it.
const extreme = 1e100

// positive returns an error unless v is a finite number above zero.
func positive(arg string, v float64) error {
	switch {
	case !(v > 0) || math.IsInf(v, 1):
		return &ArgError{arg, v, "a finite number above 0"}
	case v < 1/extreme || v > extreme:
		return &ArgError{arg, v, "between 1e-100 and 1e+100"}
	}
	return nil
}

// notNegative returns an error unless v is zero or as positive takes it.
func notNegative(arg string, v float64) error {
	if v == 0 {
		return nil
	}
	if v < 0 || math.IsNaN(v) || math.IsInf(v, 1) {
		return &ArgError{arg, v, "a finite number of at least 0"}
	}
	return positive(arg, v)
}

// probability returns an error unless v lies in [0, 1].
func probability(arg string, v float64) error {
	if v >= 0 && v <= 1 {
		return nil
	}
	return &ArgError{arg, v, "a probability between 0 and 1"}
}

// inside returns an error unless v lies strictly between 0 and 1.
func inside(arg string, v float64) error {
	if v > 0 && v < 1 {
		return nil
	}
	return &ArgError{arg, v, "a probability above 0 and below 1"}
}

// workerCount returns an error unless c is a number of workers.
func workerCount(c int) error {
	if c >= 1 && c <= MaxWorkers {
		return nil
	}
	return &ArgError{"workers", float64(c), fmt.Sprintf("between 1 and %d", MaxWorkers)}
}

// bound returns an error unless k leaves a place for each of c workers.
func bound(k InSystem, c int) error {
	if k >= InSystem(c) && k <= Unbounded {
		return nil
	}
	return &ArgError{"requests in the system", float64(k),
		fmt.Sprintf("at least the %d workers and at most Unbounded", c)}
}

// stable returns an error unless the load stays below the capacity.
func stable(lambda, capacity float64) error {
	if lambda < capacity {
		return nil
	}
	return &ArgError{"arrival rate", lambda,
		fmt.Sprintf("below the capacity of %v, or the queue grows without end", capacity)}
}

// offered returns an error unless the offered load λ/μ is in a range in which it
// can be told from 0 and from infinity.
func offered(lambda, mu float64) error {
	if a := lambda / mu; !(a > 1e-100 && a < 1e100) {
		return &ArgError{"arrival rate / service rate", a, "between 1e-100 and 1e+100"}
	}
	return nil
}

// first returns the first error of errs that is not nil.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
