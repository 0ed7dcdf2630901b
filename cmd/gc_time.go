package cmd

import (
	"fmt"
	"strings"
	"time"

	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
)

// instantValue is a flag's instant: a date and time on the wall clock, or the
// time since the process began.
type instantValue struct {
	set bool
	// wall is the instant in nanoseconds since 1970, if isWall; else uptime is in
	// nanoseconds since the process began.
	wall, uptime int64
	isWall       bool
	// zoneless says that no zone was given and UTC was taken.
	zoneless bool
	text     string
}

// wallLayouts are the ways to write a date and time, with a zone and without.
// Fractions of a second are read though the layouts have none.
var wallLayouts = []struct {
	layout   string
	zoneless bool
}{
	{time.RFC3339, false}, {"2006-01-02T15:04:05-0700", false}, {"2006-01-02T15:04Z07:00", false},
	{"2006-01-02T15:04:05", true}, {"2006-01-02T15:04", true}, {"2006-01-02", true},
}

// Set reads an instant.
func (v *instantValue) Set(text string) error {
	text = strings.TrimSpace(text)
	if d, err := units.ParseDuration(text); err == nil {
		*v = instantValue{set: true, uptime: int64(d), text: text}
		return nil
	}
	// A blank between date and time, and lower-case letters, are common.
	form := strings.ToUpper(strings.Replace(text, " ", "T", 1))
	for _, l := range wallLayouts {
		t, err := time.ParseInLocation(l.layout, form, time.UTC)
		if err != nil {
			continue
		}
		if t.Year() < 1970 || t.Year() > 2200 {
			break
		}
		*v = instantValue{set: true, wall: t.UnixNano(), isWall: true, zoneless: l.zoneless, text: text}
		return nil
	}
	return fault.Usagef("expected a date and time such as 2026-11-28T10:00 or 2026-11-28T10:00:00+01:00, or an uptime such as 90s or 2h5m, found %q", text)
}

// String returns the instant as it was given.
func (v *instantValue) String() string { return v.text }

// Type returns the word that stands for the value in help.
func (v *instantValue) Type() string { return "time" }

// add is the instant so much later; earlier where d is negative.
func (v instantValue) add(d time.Duration) instantValue {
	if v.isWall {
		v.wall += int64(d)
	} else {
		v.uptime += int64(d)
	}
	return v
}

// words writes the instant for people.
func (v instantValue) words() string {
	if v.isWall {
		return wallWords(v.wall)
	}
	return "uptime " + units.Duration(time.Duration(max(v.uptime, 0)))
}

// wallWords writes a wall-clock time.
func wallWords(ns int64) string { return time.Unix(0, ns).UTC().Format("2006-01-02 15:04:05Z") }

// timeRange is the part of a log to be judged. Ends that are not set are open.
type timeRange struct{ since, until instantValue }

func (r timeRange) isSet() bool { return r.since.set || r.until.set }

// words says the range for people.
func (r timeRange) words() string {
	switch {
	case r.since.set && r.until.set:
		return "from " + r.since.words() + " to " + r.until.words()
	case r.since.set:
		return "since " + r.since.words()
	case r.until.set:
		return "until " + r.until.words()
	}
	return ""
}

// cutter keeps the events of one log that lie in a range.
type cutter struct {
	timeRange
	// offsets is wall time less uptime by run, where an event told both.
	offsets map[int32]int64
	// kept counts the events in the range, unplaced those without a time on its
	// clock.
	kept, unplaced int64
}

func newCutter(r timeRange) *cutter { return &cutter{timeRange: r, offsets: map[int32]int64{}} }

// keep says whether any part of the event lies in the range. An event without a
// time on its clock is counted and left out.
func (c *cutter) keep(e *gcparse.Event) bool {
	if !c.isSet() {
		c.kept++
		return true
	}
	if e.Start.HasUptime && e.Start.HasWall {
		c.offsets[e.Run] = e.Start.Wall - e.Start.Uptime
	}
	length := int64(0)
	if e.HasDuration && e.Kind != gcparse.Assist {
		length = e.Duration
	}
	for _, end := range []struct {
		at     instantValue
		before bool
	}{{c.since, true}, {c.until, false}} {
		if !end.at.set {
			continue
		}
		start, ok := c.on(end.at, e.Start, e.Run)
		switch {
		case !ok:
			c.unplaced++
			return false
		case end.before && start+length < end.at.ns(), !end.before && start > end.at.ns():
			return false
		}
	}
	c.kept++
	return true
}

// ns is the instant on its own clock.
func (v instantValue) ns() int64 {
	if v.isWall {
		return v.wall
	}
	return v.uptime
}

// on is a stamp on the clock of an instant.
func (c *cutter) on(clock instantValue, s gcparse.Stamp, run int32) (int64, bool) {
	offset, known := c.offsets[run]
	switch {
	case clock.isWall && s.HasWall:
		return s.Wall, true
	case clock.isWall && known && s.HasUptime:
		return s.Uptime + offset, true
	case !clock.isWall && s.HasUptime:
		return s.Uptime, true
	case !clock.isWall && known && s.HasWall:
		return s.Wall - offset, true
	}
	return 0, false
}

// clip returns the runs with their first and last stamps moved into the range, so
// that no window reaches out of it.
func (c *cutter) clip(runs []gcparse.Run) []gcparse.Run {
	if !c.isSet() {
		return runs
	}
	out := make([]gcparse.Run, len(runs))
	copy(out, runs)
	for i := range out {
		if at, ok := c.on(c.since, out[i].First, int32(i)); ok && c.since.set && at < c.since.ns() {
			out[i].First = out[i].First.Add(c.since.ns() - at)
			out[i].Headless = true
		}
		if at, ok := c.on(c.until, out[i].Last, int32(i)); ok && c.until.set && at > c.until.ns() {
			out[i].Last = out[i].Last.Add(c.until.ns() - at)
		}
	}
	return out
}

// emptyRange says that a range holds nothing of a log, and what the log holds.
func (c *cutter) emptyRange(res *gcparse.Result) string {
	wall := c.since.isWall || c.until.isWall
	var first, last gcparse.Stamp
	for i, r := range res.Runs {
		if i == 0 {
			first = r.First
		}
		if !r.Last.Zero() {
			last = r.Last
		}
	}
	clock := "an uptime such as 90s"
	at := func(s gcparse.Stamp) (instantValue, bool) { return instantValue{uptime: s.Uptime}, s.HasUptime }
	if wall {
		clock = "a date and time"
		at = func(s gcparse.Stamp) (instantValue, bool) { return instantValue{wall: s.Wall, isWall: true}, s.HasWall }
	}
	from, ok := at(first)
	to, also := at(last)
	if !ok || !also {
		other := "an uptime such as 90s"
		if !wall {
			other = "a date and time"
		}
		return fmt.Sprintf("%s: found no times to compare with %s: expected %s", res.Stream.Name, clock, other)
	}
	return fmt.Sprintf("%s: no event %s; the log goes from %s to %s", res.Stream.Name, c.words(), from.words(), to.words())
}
