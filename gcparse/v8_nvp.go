package gcparse

import "bytes"

// scanNVP reads the message of --trace-gc-nvp: names and values, since V8 14 as
// JSON.
//
//	pause=0.9 mutator=50.1 gc=s reduce_memory=0 … total_size_before=3920776 …
//	GC: {"pause":0.9,"mutator":50.1,"gc":"s","reduce_memory":false,…}
func (l *v8Line) scanNVP(b []byte) bool {
	*l = v8Line{coded: true, promoted: -1, before: -1, after: -1, pause: -1}
	switch {
	case hasPrefix(b, "pause="):
		for len(b) > 0 {
			pair := b
			if end := bytes.IndexByte(b, ' '); end >= 0 {
				pair, b = b[:end], b[end+1:]
			} else {
				b = nil
			}
			if eq := bytes.IndexByte(pair, '='); eq > 0 {
				l.pair(pair[:eq], pair[eq+1:])
			}
		}
	case hasPrefix(b, "GC: {"):
		l.json(b[5:])
	}
	return len(l.title) > 0 && l.pause >= 0
}

// json reads the members of a flat object. Names and texts have no escapes.
func (l *v8Line) json(b []byte) {
	for {
		i := bytes.IndexByte(b, '"')
		if i < 0 {
			return
		}
		b = b[i+1:]
		end := bytes.IndexByte(b, '"')
		if end < 0 || end+1 >= len(b) || b[end+1] != ':' {
			return
		}
		name, value := b[:end], b[end+2:]
		if len(value) > 0 && value[0] == '"' {
			end = bytes.IndexByte(value[1:], '"')
			if end < 0 {
				return
			}
			l.pair(name, value[1:1+end])
			b = value[end+2:]
			continue
		}
		end = bytes.IndexAny(value, ",}")
		if end < 0 {
			end = len(value)
		}
		l.pair(name, value[:end])
		b = value[end:]
	}
}

var (
	v8Scavenge    = []byte("Scavenge")
	v8MarkCompact = []byte("Mark-Compact")
	v8MinorSweep  = []byte("Minor Mark-Sweep")
)

// pair takes a name and its value.
func (l *v8Line) pair(name, value []byte) {
	switch string(name) {
	case "pause":
		if v, n := scanMillis(value); n > 0 {
			l.pause = v
		}
	case "gc":
		switch string(value) {
		case "s":
			l.title, l.young = v8Scavenge, true
		case "ms", "mc":
			l.title = v8MarkCompact
		case "mmc", "mms":
			l.title, l.young = v8MinorSweep, true
		}
	case "reduce_memory":
		l.reduce = string(value) == "1" || string(value) == "true"
	case "during_sweeping":
		l.during = string(value) == "true"
	case "total_size_before", "start_object_size":
		l.before = v8Count(value)
	case "total_size_after", "end_object_size":
		l.after = v8Count(value)
	case "promoted":
		l.promoted = v8Count(value)
	case "reason":
		l.cause = value
	case "collector_reason":
		l.reason = value
	case "incremental":
		l.incremental, _ = scanMillis(value)
	case "steps_took":
		// Before Node 8, where young collections count from the one before.
		// incremental.steps_took of later ones repeats what the old collection
		// states in the end.
		l.incremental, _ = scanMillis(value)
		l.sinceLast = l.young
	case "incremental_steps_count", "steps_count":
		l.steps, _ = scanInt(value)
		l.marked = l.marked || l.steps > 0
	case "incremental_walltime_duration":
		v, _ := scanMillis(value)
		l.marked = l.marked || v > 0
	}
}

// v8Count reads a number of bytes, -1 for none.
func v8Count(b []byte) int64 {
	v, n := scanInt(b)
	if n == 0 || n > 18 {
		return -1
	}
	return v
}
