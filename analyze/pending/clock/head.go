package clock

import (
	"slices"
	"time"
)

// Head is how long the first of a queue has been waiting, where no more can be
// told.
type Head struct {
	// Age is that of the first entry, Oldest the greatest of all that are known.
	Age, Oldest time.Duration
	Source      string
	Unit        Unit
	Hops        int
	// Known is the share of all entries with a plausible stamp.
	Known float64
}

// firstEntries is how many entries at the head must have a stamp, or nine in ten
// of them, before the first one's is believed.
const firstEntries = 20

// HeadOnly tells how long the first of a queue has been waiting where the entries
// behind it carry no stamp. A Jetty whose threads are all busy queues connections
// that were accepted and have no endpoint yet, and so no time, behind some that
// have. Only a wall-clock field that is known to be the stamp of arrival counts:
// too few values are there to see whether they are one.
func (c Config) HeadOnly(q Queue) (Head, bool) {
	c = c.withDefaults()
	for i := range q.Columns {
		col := &q.Columns[i]
		if !col.Preferred || len(col.Values) < firstEntries || q.Positions != nil && len(q.Positions) != len(col.Values) {
			continue
		}
		if h, ok := c.headOf(q, col); ok {
			return h, true
		}
	}
	return Head{}, false
}

func (c Config) headOf(q Queue, col *Column) (Head, bool) {
	lo, hi := c.window()
	// Of entries without a stamp nothing says which unit it is: those of the head do.
	first := *col
	first.Values = col.Values[:firstEntries]
	if col.Valid != nil {
		first.Valid = col.Valid[:firstEntries]
	}
	unit, known := c.epochUnit(&first)
	if known < c.MinKnown || unit == UnitUnknown || !col.valid(0) {
		return Head{}, false
	}
	h := Head{Source: col.Source, Unit: unit, Hops: col.Hops}
	var stamps []int64
	for i, v := range col.Values {
		at, ok := toNanos(v, unit)
		if !ok || !col.valid(i) || at < lo || at > hi {
			continue
		}
		stamps = append(stamps, at)
		old := age(c.Now.UnixNano() - at)
		if i == 0 {
			h.Age = old
		}
		h.Oldest = max(h.Oldest, old)
	}
	if !c.ofOneTime(stamps) {
		return Head{}, false
	}
	h.Known = float64(len(stamps)) / float64(len(col.Values))
	return h, h.Age > 0
}

// maxApart is how far apart stamps at the head of a queue may be, whatever their
// order: what is ready at once is queued in any.
const maxApart = int64(time.Second)

// ofOneTime reports whether stamps are close together or in order. Those of
// connections that were reused for another request are neither.
func (c Config) ofOneTime(stamps []int64) bool {
	if len(stamps) == 0 {
		return false
	}
	if slices.Max(stamps)-slices.Min(stamps) <= maxApart {
		return true
	}
	rise, reversed := order(stamps)
	return !reversed && float64(len(rise)) >= c.MinKnown*float64(len(stamps))
}
