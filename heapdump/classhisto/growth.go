package classhisto

import (
	"cmp"
	"slices"
	"time"
)

// Change is what became of one class between two histograms.
type Change struct {
	Name          string
	Before, After Count
}

// Instances is how many objects more there are, negative when fewer.
func (c Change) Instances() int64 { return c.After.Instances - c.Before.Instances }

// Bytes is how many bytes more there are, negative when fewer.
func (c Change) Bytes() int64 { return c.After.Bytes - c.Before.Bytes }

// Growth compares two histograms of one process by the names of classes: every
// class whose count or bytes changed, the one that grew most in bytes first.
func Growth(before, after *Histogram) []Change {
	a, b := before.ByName(), after.ByName()
	var out []Change
	for name, n := range b {
		if a[name] != n {
			out = append(out, Change{Name: name, Before: a[name], After: n})
		}
	}
	for name, n := range a {
		if _, ok := b[name]; !ok && n != (Count{}) {
			out = append(out, Change{Name: name, Before: n})
		}
	}
	slices.SortFunc(out, func(x, y Change) int {
		return cmp.Or(cmp.Compare(y.Bytes(), x.Bytes()), cmp.Compare(y.Instances(), x.Instances()), cmp.Compare(x.Name, y.Name))
	})
	return out
}

// Between is the time from one histogram to another, where the file tells it of
// both by the same clock: a date, or how long the virtual machine was up.
func Between(before, after *Histogram) (time.Duration, bool) {
	if before.Uptime >= 0 && after.Uptime >= 0 {
		return after.Uptime - before.Uptime, true
	}
	a, b := before.Stamp, after.Stamp
	if a.Time.IsZero() || b.Time.IsZero() || a.Zoned != b.Zoned {
		return 0, false
	}
	return b.Time.Sub(a.Time), true
}
