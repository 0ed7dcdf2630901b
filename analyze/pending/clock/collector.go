package clock

import (
	"math"
	"time"
)

// ByCollector calibrates by the collector's own clock: HotSpot stores in the
// static field java.lang.ref.SoftReference#clock, in milliseconds, what its
// counter of nanoseconds was at the end of the last collection (OpenJDK,
// src/hotspot/share/gc/shared/referenceProcessor.cpp,
// update_soft_ref_master_clock; System.nanoTime reads the same counter). A dump
// of live objects begins with a collection, so this is the time of the dump; in
// any other dump time has passed since, and ages come out too short by as much.
// It reports false when the time of the dump is not known or the value is no
// counter's.
func (c Config) ByCollector(millis int64) (Calibration, bool) {
	if c.Now.Unix() <= 0 || millis <= 0 || millis > math.MaxInt64/int64(time.Millisecond)/2 {
		return Calibration{}, false
	}
	return Calibration{
		Offset: c.Now.UnixNano() - millis*int64(time.Millisecond),
		Nano:   "java.lang.ref.SoftReference#clock",
		AtMost: true,
	}, true
}

// Bounded returns a calibration by pairs that is not later than one by the
// collector can be: the collector's last run was before the dump.
func (c Calibration) Bounded(by Calibration) Calibration {
	c.Behind = max(time.Duration(by.Offset-c.Offset), 0)
	c.Offset = min(c.Offset, by.Offset)
	return c
}

// offsetFor returns the offset for the values of one column. Where the offset is
// known only as a bound, the newest of them gives another: it is not of the
// future.
func (c *Calibration) offsetFor(now time.Time, col *Column) int64 {
	if !c.AtMost {
		return c.Offset
	}
	// The newest are left out where a few values are wild.
	var counts []int64
	for i, v := range col.Values {
		if col.valid(i) {
			counts = append(counts, v)
		}
	}
	if len(counts) == 0 {
		return c.Offset
	}
	newest := quantile(sortedCopy(counts), 0.99)
	if late := now.UnixNano() - newest; newest > 0 && late > c.Offset-int64(time.Hour) {
		return min(c.Offset, late)
	}
	return c.Offset
}
