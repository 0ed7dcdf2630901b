package clock

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// stamps are the plausible stamps of a column.
type stamps struct {
	at        []int64 // nanoseconds of wall clock, in the order of the queue
	pos       []int64
	known     float64
	sharing   float64 // distinct objects of all that have a stamp
	constStep float64 // share of neighbours that differ by the commonest step
	unitStep  float64 // share of neighbours that differ by one per position
}

func (c Config) stamps(q Queue, col *Column, unit Unit, offset int64, slack time.Duration) stamps {
	lo, hi := c.Now.Add(-c.MaxAge).UnixNano(), c.Now.Add(slack).UnixNano()
	var s stamps
	objects := make(map[uint64]struct{})
	steps := make(map[int64]int)
	ones, prev, prevPos := 0, int64(0), int64(-1)
	for i, v := range col.Values {
		if !col.valid(i) {
			continue
		}
		at, ok := toNanos(v, unit)
		if !ok || offset > 0 && at > math.MaxInt64-offset || offset < 0 && at < math.MinInt64-offset {
			continue
		}
		if at += offset; at < lo || at > hi {
			continue
		}
		pos := int64(i)
		if q.Positions != nil {
			pos = q.Positions[i]
		}
		if prevPos >= 0 {
			if d := v - prev; d == pos-prevPos || d == prevPos-pos {
				ones++
			}
			if len(steps) < 1024 {
				steps[(v-prev)/max(pos-prevPos, 1)]++
			}
		}
		prev, prevPos = v, pos
		s.at, s.pos = append(s.at, at), append(s.pos, pos)
		if col.Objects != nil {
			objects[col.Objects[i]] = struct{}{}
		}
	}
	n := max(len(s.at), 1)
	s.known = float64(len(s.at)) / float64(len(col.Values))
	s.sharing = 1
	if col.Objects != nil {
		s.sharing = float64(len(objects)) / float64(n)
	}
	s.unitStep = float64(ones) / float64(max(n-1, 1))
	for step, count := range steps {
		if step != 0 {
			s.constStep = max(s.constStep, float64(count)/float64(max(n-1, 1)))
		}
	}
	return s
}

// counterSteps is the share of equal steps from which a column is a counter's.
// Arrivals that are paced by a timer vary by at least its tick.
const counterSteps = 0.95

// refuse returns why the stamps are none of arrival; empty if they may be.
func (c Config) refuse(s stamps, col *Column, unit Unit) string {
	switch {
	case s.known < c.MinKnown:
		return fmt.Sprintf("only %.1f %% of the entries have a plausible value, %.0f %% are needed", 100*s.known, 100*c.MinKnown)
	case s.sharing < c.MinKnown:
		return "entries share the objects that hold it"
	case unit != Nano && s.unitStep >= counterSteps && c.longAgo(s):
		return "it counts up by one from entry to entry, as a number does that began at some time"
	case unit == Nano && !c.Calibration.paired[col.Source] && s.constStep >= counterSteps:
		return "it grows by the same step from entry to entry, as a counter does"
	}
	sorted := sortedCopy(s.at)
	if quantile(sorted, 0.05) == quantile(sorted, 0.95) {
		return "nearly all entries have the same value"
	}
	return ""
}

// longAgo reports whether the newest stamp is further from the dump than from
// the oldest. Numbers that began with the time of the server's start fall behind
// the clock; a thousand arrivals a second, to the millisecond, do not.
func (c Config) longAgo(s stamps) bool {
	lo, hi := slices.Min(s.at), slices.Max(s.at)
	return c.Now.UnixNano()-hi > hi-lo
}
