package cmd

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// intervalValue is a flag's rate with or without an interval: "1200/s" or
// "1171..1203/s", whose estimate is the middle.
type intervalValue struct{ interval queuecalc.Interval }

func (v *intervalValue) Set(text string) error {
	low, high, isRange := strings.Cut(text, "..")
	if !isRange {
		rate, err := units.ParseRate(text)
		if err == nil {
			v.interval = queuecalc.Interval{Estimate: rate}
		}
		return err
	}
	to, err := units.ParseRate(high)
	if err != nil {
		return err
	}
	from, err := units.ParseRate(withUnit(low, high))
	if err != nil {
		return err
	}
	if from > to {
		return fmt.Errorf("expected the low end before the high one, found %s..%s", units.Rate(from), units.Rate(to))
	}
	v.interval = queuecalc.Interval{Estimate: (from + to) / 2, Low: from, High: to}
	return nil
}

// withUnit gives low the unit of high where it has none: in 1.1..1.3k/s the unit
// stands once, at the end.
func withUnit(low, high string) string {
	const digits = "0123456789.,+-eE "
	if strings.Trim(low, digits) != "" {
		return low
	}
	if i := strings.IndexFunc(high, func(r rune) bool { return !strings.ContainsRune(digits, r) }); i >= 0 {
		return low + high[i:]
	}
	return low
}

func (v *intervalValue) String() string {
	i := v.interval
	switch {
	case i.Estimate == 0:
		return ""
	case i.High == 0:
		return units.ExactRate(i.Estimate)
	}
	return strings.TrimSuffix(units.ExactRate(i.Low), "/s") + ".." + units.ExactRate(i.High)
}

func (v *intervalValue) Type() string { return "rate" }

// lengthValue is a flag's queue length: a count, or the word unbounded.
type lengthValue struct{ length queue.Length }

const unboundedWord = "unbounded"

func (v *lengthValue) Set(text string) error {
	if strings.TrimSpace(text) == unboundedWord {
		v.length = queue.Length{Unbounded: true}
		return nil
	}
	n, err := units.ParseCount(text)
	if err != nil {
		return fmt.Errorf("%w, or the word %s", err, unboundedWord)
	}
	v.length = queue.Length{Positions: n}
	return nil
}

func (v *lengthValue) String() string {
	switch {
	case v.length.Unbounded:
		return unboundedWord
	case v.length.Positions == 0:
		return ""
	}
	return fmt.Sprint(v.length.Positions)
}

func (v *lengthValue) Type() string { return "count" }
