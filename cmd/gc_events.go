package cmd

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/kneeline/gcparse"
)

// eventColumn is one column of the events in CSV, and one key in NDJSON.
type eventColumn struct {
	name string
	// text says that the value is a text, else it is a number, true or false.
	text bool
	// value appends the value; nothing where the log does not tell it.
	value func(b []byte, e *gcparse.Event, s *gcparse.Stream) []byte
}

func intColumn(name string, has func(e *gcparse.Event) bool, value func(e *gcparse.Event) int64) eventColumn {
	return eventColumn{name: name, value: func(b []byte, e *gcparse.Event, _ *gcparse.Stream) []byte {
		if !has(e) {
			return b
		}
		return strconv.AppendInt(b, value(e), 10)
	}}
}

func secondsColumn(name string, has func(e *gcparse.Event) bool, value func(e *gcparse.Event) int64) eventColumn {
	return eventColumn{name: name, value: func(b []byte, e *gcparse.Event, _ *gcparse.Stream) []byte {
		if !has(e) {
			return b
		}
		return appendSeconds(b, value(e))
	}}
}

func textColumn(name string, value func(b []byte, e *gcparse.Event, s *gcparse.Stream) []byte) eventColumn {
	return eventColumn{name: name, text: true, value: value}
}

func spaceColumns(name string, of func(e *gcparse.Event) *gcparse.Space) []eventColumn {
	return []eventColumn{
		intColumn(name+"_before_bytes", func(e *gcparse.Event) bool { return of(e).HasBefore }, func(e *gcparse.Event) int64 { return of(e).Before }),
		intColumn(name+"_after_bytes", func(e *gcparse.Event) bool { return of(e).HasAfter }, func(e *gcparse.Event) int64 { return of(e).After }),
		intColumn(name+"_capacity_bytes", func(e *gcparse.Event) bool { return of(e).HasCapacity }, func(e *gcparse.Event) int64 { return of(e).Capacity }),
	}
}

// eventColumns are the columns in their order. They may be added at the end,
// never changed or removed.
var eventColumns = slices.Concat(
	[]eventColumn{
		textColumn("log", func(b []byte, _ *gcparse.Event, s *gcparse.Stream) []byte { return append(b, s.Name...) }),
		textColumn("file", func(b []byte, e *gcparse.Event, s *gcparse.Stream) []byte {
			return append(b, s.Sources[e.Source].Name...)
		}),
		intColumn("line", always, func(e *gcparse.Event) int64 { return e.Line }),
		intColumn("run", always, func(e *gcparse.Event) int64 { return int64(e.Run) + 1 }),
		secondsColumn("start_uptime_seconds", func(e *gcparse.Event) bool { return e.Start.HasUptime }, func(e *gcparse.Event) int64 { return e.Start.Uptime }),
		textColumn("start_time", func(b []byte, e *gcparse.Event, _ *gcparse.Stream) []byte {
			if !e.Start.HasWall {
				return b
			}
			return time.Unix(0, e.Start.Wall).UTC().AppendFormat(b, time.RFC3339Nano)
		}),
		secondsColumn("duration_seconds", func(e *gcparse.Event) bool { return e.HasDuration }, func(e *gcparse.Event) int64 { return e.Duration }),
		textColumn("kind", func(b []byte, e *gcparse.Event, _ *gcparse.Stream) []byte { return append(b, e.Kind.String()...) }),
		{name: "stops", value: func(b []byte, e *gcparse.Event, _ *gcparse.Stream) []byte {
			return strconv.AppendBool(b, e.Stops())
		}},
		textColumn("collector", func(b []byte, e *gcparse.Event, _ *gcparse.Stream) []byte {
			return append(b, e.Collector.String()...)
		}),
		textColumn("generation", func(b []byte, e *gcparse.Event, _ *gcparse.Stream) []byte {
			return append(b, e.Generation.String()...)
		}),
		textColumn("title", func(b []byte, e *gcparse.Event, _ *gcparse.Stream) []byte { return append(b, e.Title...) }),
		textColumn("cause", func(b []byte, e *gcparse.Event, _ *gcparse.Stream) []byte { return append(b, e.Cause...) }),
		textColumn("thread", func(b []byte, e *gcparse.Event, _ *gcparse.Stream) []byte { return append(b, e.Thread...) }),
		textColumn("flags", func(b []byte, e *gcparse.Event, _ *gcparse.Stream) []byte {
			return append(b, strings.Join(e.Flags.Names(), ";")...)
		}),
		intColumn("id", func(e *gcparse.Event) bool { return e.HasID }, func(e *gcparse.Event) int64 { return e.ID }),
	},
	spaceColumns("heap", func(e *gcparse.Event) *gcparse.Space { return &e.Heap }),
	spaceColumns("young", func(e *gcparse.Event) *gcparse.Space { return &e.Young }),
	spaceColumns("old", func(e *gcparse.Event) *gcparse.Space { return &e.Old }),
	spaceColumns("metaspace", func(e *gcparse.Event) *gcparse.Space { return &e.Metaspace }),
	[]eventColumn{
		intColumn("promoted_bytes", func(e *gcparse.Event) bool { return e.HasPromoted }, func(e *gcparse.Event) int64 { return e.Promoted }),
		intColumn("humongous_before_regions", func(e *gcparse.Event) bool { return e.HasHumongous }, func(e *gcparse.Event) int64 { return int64(e.HumongousBefore) }),
		intColumn("humongous_after_regions", func(e *gcparse.Event) bool { return e.HasHumongous }, func(e *gcparse.Event) int64 { return int64(e.HumongousAfter) }),
		secondsColumn("user_seconds", hasCPU, func(e *gcparse.Event) int64 { return e.User }),
		secondsColumn("sys_seconds", hasCPU, func(e *gcparse.Event) int64 { return e.Sys }),
		secondsColumn("real_seconds", hasCPU, func(e *gcparse.Event) int64 { return e.Real }),
		secondsColumn("time_to_safepoint_seconds", func(e *gcparse.Event) bool { return e.HasTimeToSafepoint }, func(e *gcparse.Event) int64 { return e.TimeToSafepoint }),
		secondsColumn("incremental_seconds", func(e *gcparse.Event) bool { return e.Incremental > 0 }, func(e *gcparse.Event) int64 { return e.Incremental }),
		intColumn("workers", func(e *gcparse.Event) bool { return e.Workers > 0 }, func(e *gcparse.Event) int64 { return int64(e.Workers) }),
		intColumn("processors", func(e *gcparse.Event) bool { return e.Procs > 0 }, func(e *gcparse.Event) int64 { return int64(e.Procs) }),
		intColumn("count", func(e *gcparse.Event) bool { return e.Count > 0 }, func(e *gcparse.Event) int64 { return e.Count }),
	},
)

func always(*gcparse.Event) bool   { return true }
func hasCPU(e *gcparse.Event) bool { return e.HasCPU }

// appendSeconds writes nanoseconds as seconds, exactly and without zeros at the
// end.
func appendSeconds(b []byte, ns int64) []byte {
	if ns < 0 {
		b, ns = append(b, '-'), -ns
	}
	b = strconv.AppendInt(b, ns/1e9, 10)
	frac := ns % 1e9
	if frac == 0 {
		return b
	}
	b = append(b, '.')
	for unit := int64(1e8); frac > 0; unit /= 10 {
		b = append(b, byte('0'+frac/unit))
		frac %= unit
	}
	return b
}

// eventWriter writes events one by one, as they are read.
type eventWriter interface {
	event(e *gcparse.Event, s *gcparse.Stream)
	// close writes what is left and says whether everything could be written.
	close() error
}

// eventFormats are the formats of events. Each is written while the logs are
// read, so that memory does not grow with them.
var eventFormats = map[string]func(io.Writer) eventWriter{
	"csv":    newEventCSV,
	"ndjson": newEventNDJSON,
}

// eventCSV writes a line of titles and a line an event.
type eventCSV struct {
	out *csv.Writer
	row []string
	buf []byte
	err error
}

func newEventCSV(w io.Writer) eventWriter {
	c := &eventCSV{out: csv.NewWriter(w), row: make([]string, len(eventColumns))}
	for i, col := range eventColumns {
		c.row[i] = col.name
	}
	c.err = c.out.Write(c.row)
	return c
}

func (c *eventCSV) event(e *gcparse.Event, s *gcparse.Stream) {
	if c.err != nil {
		return
	}
	for i, col := range eventColumns {
		c.buf = col.value(c.buf[:0], e, s)
		c.row[i] = string(c.buf)
	}
	c.err = c.out.Write(c.row)
}

func (c *eventCSV) close() error {
	c.out.Flush()
	if c.err != nil {
		return c.err
	}
	return c.out.Error()
}

// eventNDJSON writes one JSON object a line; what the log does not tell has no
// key.
type eventNDJSON struct {
	out       *bufio.Writer
	line, buf []byte
	err       error
}

func newEventNDJSON(w io.Writer) eventWriter {
	return &eventNDJSON{out: bufio.NewWriterSize(w, 64<<10)}
}

func (n *eventNDJSON) event(e *gcparse.Event, s *gcparse.Stream) {
	if n.err != nil {
		return
	}
	n.line = append(n.line[:0], '{')
	for _, col := range eventColumns {
		n.buf = col.value(n.buf[:0], e, s)
		if len(n.buf) == 0 {
			continue
		}
		if len(n.line) > 1 {
			n.line = append(n.line, ',')
		}
		n.line = append(n.line, '"')
		n.line = append(n.line, col.name...)
		n.line = append(n.line, '"', ':')
		if col.text {
			n.line = appendJSONText(n.line, n.buf)
		} else {
			n.line = append(n.line, n.buf...)
		}
	}
	n.line = append(n.line, '}', '\n')
	_, n.err = n.out.Write(n.line)
}

// appendJSONText writes a JSON string. Most texts need nothing but quotes.
func appendJSONText(b, text []byte) []byte {
	for _, c := range text {
		if c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(string(text)) // a string always has a JSON form
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

func (n *eventNDJSON) close() error {
	if n.err != nil {
		return n.err
	}
	return n.out.Flush()
}
