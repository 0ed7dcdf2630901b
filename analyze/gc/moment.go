package gc

import (
	"strconv"
	"time"
)

// Moment is an instant of a log, on each clock that is known.
type Moment struct {
	// Log is in seconds on the axis of the log: its origin is in [Log].
	Log float64 `json:"log_seconds"`
	// Uptime is that of the process, where the log has it.
	Uptime *float64 `json:"uptime_seconds,omitempty"`
	// Time is the wall-clock time, RFC 3339 in UTC, where it is known.
	Time string `json:"time,omitempty"`
}

// Clock is the wall-clock time, if it is known.
func (m Moment) Clock() (time.Time, bool) {
	t, err := time.Parse(timeForm, m.Time)
	return t, err == nil
}

// timeForm is RFC 3339 with milliseconds.
const timeForm = "2006-01-02T15:04:05.000Z07:00"

// String is how people are told of the instant: the wall-clock time, or the
// uptime as it stands in the log.
func (m Moment) String() string {
	if t, ok := m.Clock(); ok {
		return t.Format("2006-01-02 15:04:05Z")
	}
	if m.Uptime != nil {
		return "uptime " + strconv.FormatFloat(*m.Uptime, 'f', 1, 64) + "s"
	}
	return strconv.FormatFloat(m.Log, 'f', 1, 64) + "s"
}

// moment puts a time of the run into words.
func (r *run) moment(at int64) Moment {
	m := Moment{Log: seconds(at + r.shift - r.a.axis.origin)}
	if r.uptime {
		u := seconds(at)
		m.Uptime = &u
	}
	if w, ok := r.wall(at); ok {
		m.Time = stamp(w)
	}
	return m
}

// span says from when to when, for people: the date only once.
func span(a, b Moment) string {
	x, y := a.String(), b.String()
	if s, ok := a.Clock(); ok {
		if e, ok := b.Clock(); ok && s.YearDay() == e.YearDay() && s.Year() == e.Year() {
			y = e.Format("15:04:05Z")
			x = s.Format("2006-01-02 15:04:05")
		}
	} else if a.Uptime != nil && b.Uptime != nil {
		y = strconv.FormatFloat(*b.Uptime, 'f', 1, 64) + "s"
	}
	return x + " to " + y
}

// stamp writes a wall-clock time of nanoseconds since 1970.
func stamp(ns int64) string { return time.Unix(0, ns).UTC().Format(timeForm) }
