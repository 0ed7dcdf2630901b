package clock

import (
	"slices"
	"time"
)

// IsLastUse reports whether a field by its name moves with every use, such as
// lastRead or idleTimestamp.
func IsLastUse(source string) bool { return meaningOf(source) == lastUse }

// Shares of an object's age from which it was used since its stamp: not the
// moment between creation and first bytes, which a server short of threads may
// stretch to seconds, but requests before the one that waits now.
const (
	touchedShare = 0.25
	touchedLeast = time.Second
)

// Touched reports whether the objects with a stamp were used again long after it,
// by another field of the same objects. A connection that is kept alive has the
// time when it was opened, and that says nothing of the request that waits on
// it: that one came after the last use.
func (c Config) Touched(stamp, use *Column) bool {
	c = c.withDefaults()
	at, used := c.times(stamp), c.times(use)
	var later, old []int64
	now := c.Now.UnixNano()
	for i := range min(len(at), len(used)) {
		if at[i] != 0 && used[i] != 0 {
			later, old = append(later, used[i]-at[i]), append(old, now-at[i])
		}
	}
	if len(later) == 0 {
		return false
	}
	slices.Sort(later)
	slices.Sort(old)
	return quantile(later, 0.5) > max(int64(touchedShare*float64(quantile(old, 0.5))), int64(touchedLeast))
}

// times returns a column as wall-clock nanoseconds, 0 where there is no stamp.
func (c Config) times(col *Column) []int64 {
	lo, hi := c.window()
	hi += int64(nanoSlack)
	unit, share := c.epochUnit(col)
	offset := int64(0)
	if share < 0.5 {
		// Sharing no more than half may mean few stamps, or none of this kind.
		if c.Calibration != nil && c.mayBeNanoByValue(col) {
			unit, offset = Nano, c.Calibration.offsetFor(c.Now, col)
		} else if share == 0 {
			return nil
		}
	}
	out := make([]int64, len(col.Values))
	for i, v := range col.Values {
		at, ok := toNanos(v, unit)
		if !ok || !col.valid(i) {
			continue
		}
		if at += offset; at >= lo && at <= hi {
			out[i] = at
		}
	}
	return out
}

// mayBeNanoByValue reports whether half of the values, read as the counter, are
// plausible.
func (c Config) mayBeNanoByValue(col *Column) bool {
	return len(col.Values) > 0 && c.mayBeNano(col) &&
		c.stamps(Queue{}, col, Nano, c.Calibration.offsetFor(c.Now, col), nanoSlack+c.Calibration.Spread).known >= 0.5
}
