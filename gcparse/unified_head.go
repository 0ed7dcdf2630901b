package gcparse

import "bytes"

// uniHead is what the decorations of a line say.
type uniHead struct {
	stamp Stamp
	// msg is the text after the decorations.
	msg []byte
	// pid is the process, if both process and thread are decorated: a single
	// number may be either.
	pid int64
	// level is the first letter of the level, 0 without one.
	level byte
	// tags are the tags, nil without them.
	tags []byte
	// decorated is false for a line that is a message alone.
	decorated bool
}

// Numbers that tell what kind of time a decoration is. Epoch milliseconds have
// had 13 digits since 2001, and no process has run for the 31 years that give
// as many to an uptime.
const uniEpochMillis = 1e12

// head reads the decorations of a line. It is false for what has none and is no
// message of a collector either.
func (d *uniDate) head(text []byte, h *uniHead) bool {
	*h = uniHead{}
	if len(text) == 0 || text[0] != '[' {
		h.msg = text
		return uniBare(text)
	}
	i, numbers := 0, 0
	for i < len(text) && text[i] == '[' {
		n := bytes.IndexByte(text[i:], ']')
		if n < 0 {
			return false
		}
		if !d.decoration(h, text[i+1:i+n], &numbers) {
			return false
		}
		i += n + 1
	}
	if numbers != 2 {
		h.pid = 0
	}
	if i < len(text) {
		if text[i] != ' ' {
			return false
		}
		i++
	}
	h.msg, h.decorated = text[i:], true
	return true
}

// decoration reads what stands between two brackets.
func (d *uniDate) decoration(h *uniHead, b []byte, numbers *int) bool {
	if len(b) == 0 {
		return false
	}
	if b[0]-'0' < 10 {
		if len(b) >= 19 && b[4] == '-' && b[10] == 'T' {
			wall, ok := d.parse(b)
			if ok && !h.stamp.HasWall {
				h.stamp.Wall, h.stamp.HasWall = wall, true
			}
			return ok
		}
		return uniNumber(h, b, numbers)
	}
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	if len(b) > len("warning") {
		return uniTags(h, b)
	}
	switch string(b) {
	case "error", "warning", "info", "debug", "trace", "develop":
		h.level = b[0]
		return true
	case "":
		h.tags = b
		return true // the empty tags of the log's own warnings
	}
	return uniTags(h, b)
}

// uniTags takes tags, or the name of a host, which stands before them.
func uniTags(h *uniHead, b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	h.tags = b
	return true
}

// uniNumber reads a decoration that begins with a digit: a time, a process, a
// thread, or the name of a host.
func uniNumber(h *uniHead, b []byte, numbers *int) bool {
	v, n := scanInt(b)
	if n == len(b) {
		if *numbers++; *numbers == 1 {
			h.pid = v
		}
		return n <= 18
	}
	s := &h.stamp
	switch unit := b[n:]; {
	case string(unit) == "ms" && v >= uniEpochMillis:
		if !s.HasWall {
			s.Wall, s.HasWall = v*1e6, v < 1<<42
		}
	case string(unit) == "ms":
		if !s.HasUptime {
			s.Uptime, s.HasUptime, s.Error = v*1e6, true, 5e5
		}
	case string(unit) == "ns":
		// Time since some moment, then since the process began: of two, the last
		// is the uptime. One alone is a clock that runs evenly, which will do.
		if !s.HasUptime || s.Error == 0 {
			s.Uptime, s.HasUptime = v, true
		}
	default:
		ns, n, digits := scanFixed(b, 1e9)
		if n == 0 || n+1 != len(b) || b[n] != 's' {
			return uniHostName(b)
		}
		s.Uptime, s.HasUptime, s.Error = ns, true, 5e8
		for ; digits > 0; digits-- {
			s.Error /= 10
		}
	}
	return true
}

func uniHostName(b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return true
}

// uniDate reads dates and remembers the day, hour and minute that it saw last.
type uniDate struct {
	minute [16]byte
	base   int64 // of that minute, nanoseconds since 1970 without zone
}

// parse reads 2026-11-29T17:56:55.477+0000.
func (d *uniDate) parse(b []byte) (int64, bool) {
	if len(b) < 19 || b[16] != ':' {
		return 0, false
	}
	if string(b[:16]) != string(d.minute[:]) {
		var full [19]byte
		copy(full[:], b[:16])
		copy(full[16:], ":00")
		base, n, _ := legacyDate(full[:])
		if n == 0 {
			return 0, false
		}
		copy(d.minute[:], b)
		d.base = base
	}
	sec, n := scanSeconds(b[17:])
	if n < 2 || sec >= 61e9 {
		return 0, false
	}
	zone, ok := uniZone(b[17+n:])
	return d.base + sec - zone, ok
}

// uniZone reads a zone, +0130 or Z or nothing, and gives nanoseconds.
func uniZone(b []byte) (int64, bool) {
	if len(b) == 0 || string(b) == "Z" {
		return 0, true
	}
	v, n := scanInt(b[1:])
	if len(b) != 5 || n != 4 || b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	zone := (v/100*60 + v%100) * 60e9
	if b[0] == '-' {
		zone = -zone
	}
	return zone, true
}
