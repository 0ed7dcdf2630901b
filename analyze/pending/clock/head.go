package clock

import (
	"slices"
	"time"
)

// Head is how long the first of a queue has been waiting, where no more can be
// told.
type Head struct {
	// Age is that of the first entry with a stamp, Oldest the greatest of all that
	// are known.
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
// have. Only a wall-clock field that is known to be the stamp of arrival counts,
// as too few values are there to see whether they are one, and only where the
// first entries came at about one time: connections that are kept alive were
// opened at any time.
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
	if known < c.MinKnown || unit == UnitUnknown {
		return Head{}, false
	}
	h := Head{Source: col.Source, Unit: unit, Hops: col.Hops}
	var stamps []int64 // of the first entries
	n := 0
	for i, v := range col.Values {
		at, ok := toNanos(v, unit)
		if !ok || !col.valid(i) || at < lo || at > hi {
			continue
		}
		n++
		if i < firstEntries {
			stamps = append(stamps, at)
		}
		old := age(c.Now.UnixNano() - at)
		if len(stamps) == 1 {
			h.Age = old // before it is at most the server's own work
		}
		h.Oldest = max(h.Oldest, old)
	}
	h.Known = float64(n) / float64(len(col.Values))
	// Were nearly all entries stamped, their order would have told.
	if h.Known >= c.MinKnown || !c.ofOneTime(stamps) {
		return Head{}, false
	}
	return h, h.Age > 0
}

// maxApart and apartShare are how far apart stamps at the head of a queue may be,
// whatever their order, in nanoseconds and as a share of the age: what is ready
// at once is queued in any order.
const (
	maxApart   = int64(time.Second)
	apartShare = 0.05
)

// ofOneTime reports whether stamps are close together or in order. Those of
// connections that were reused for another request are neither.
func (c Config) ofOneTime(stamps []int64) bool {
	if len(stamps) == 0 {
		return false
	}
	oldest, newest := slices.Min(stamps), slices.Max(stamps)
	if newest-oldest <= max(maxApart, int64(apartShare*float64(c.Now.UnixNano()-oldest))) {
		return true
	}
	rise, reversed := order(stamps)
	return !reversed && float64(len(rise)) >= c.MinKnown*float64(len(stamps))
}
