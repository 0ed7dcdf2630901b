package accesslog

import "time"

// stamps reads times. Lines of one second have the same text for it, so that the
// last second read is kept: most lines cost a comparison.
type stamps struct {
	clfText [20]byte
	clfUnix int64
	isoText [19]byte
	isoUnix int64
}

// stamp is a time as read.
type stamp struct {
	ns         int64
	resolution time.Duration
	offset     int
}

// clf reads "10/Oct/2000:13:55:36 -0700", with a fraction of the second or without,
// and without the zone, at the start of b. n is the length of what it read, 0 where
// there is no time.
func (s *stamps) clf(b []byte) (t stamp, n int) {
	const size = len("10/Oct/2000:13:55:36")
	if len(b) < size {
		return t, 0
	}
	if string(b[:size]) != string(s.clfText[:]) {
		month := monthOf(b[3:6])
		if b[2] != '/' || b[6] != '/' || b[11] != ':' || b[14] != ':' || b[17] != ':' || month == 0 {
			return t, 0
		}
		unix, ok := unixOf(digits(b[7:11]), month, digits(b[0:2]), digits(b[12:14]), digits(b[15:17]), digits(b[18:20]))
		if !ok {
			return t, 0
		}
		copy(s.clfText[:], b)
		s.clfUnix = unix
	}
	n = size
	n += t.fraction(b[n:])
	if len(b) >= n+6 && b[n] == ' ' {
		if zone, k := zoneOf(b[n+1:]); k > 0 {
			t.offset, n = zone, n+1+k
		}
	}
	t.ns += (s.clfUnix - int64(t.offset)) * 1e9
	return t, n
}

// iso reads "2006-01-02T15:04:05.999Z" and its like (RFC 3339, with a space for the
// T too, and without a zone) at the start of b.
func (s *stamps) iso(b []byte) (t stamp, n int) {
	const size = len("2006-01-02T15:04:05")
	if len(b) < size {
		return t, 0
	}
	if string(b[:size]) != string(s.isoText[:]) {
		if b[4] != '-' || b[7] != '-' || b[10] != 'T' && b[10] != ' ' || b[13] != ':' || b[16] != ':' {
			return t, 0
		}
		unix, ok := unixOf(digits(b[0:4]), digits(b[5:7]), digits(b[8:10]), digits(b[11:13]), digits(b[14:16]), digits(b[17:19]))
		if !ok {
			return t, 0
		}
		copy(s.isoText[:], b)
		s.isoUnix = unix
	}
	n = size
	n += t.fraction(b[n:])
	if zone, k := zoneOf(b[n:]); k > 0 {
		t.offset, n = zone, n+k
	}
	t.ns += (s.isoUnix - int64(t.offset)) * 1e9
	return t, n
}

// fraction reads the part of a second that follows it, and sets the resolution.
func (t *stamp) fraction(b []byte) (n int) {
	t.resolution = time.Second
	if len(b) < 2 || b[0] != '.' && b[0] != ',' || !isDigit(b[1]) {
		return 0
	}
	unit := int64(1e9)
	for n = 1; n < len(b) && isDigit(b[n]); n++ {
		if unit /= 10; unit > 0 {
			t.ns += int64(b[n]-'0') * unit
			t.resolution = time.Duration(unit)
		}
	}
	return n
}

// epoch reads seconds since 1970 with a fraction, or whole milli-, micro- or
// nanoseconds, which are told apart by their size: seconds end in the year 5138.
func epoch(b []byte) (t stamp, ok bool) {
	v, n := int64(0), 0
	for n < len(b) && isDigit(b[n]) {
		if n == 19 {
			return t, false
		}
		v = v*10 + int64(b[n]-'0')
		n++
	}
	if n < 8 || v < 0 {
		return t, false
	}
	unit := int64(1e9)
	for limit := int64(1e11); v >= limit && unit > 1; limit *= 1000 {
		unit /= 1000
	}
	if unit > 1 && v > (1<<63-1)/unit {
		return t, false
	}
	if unit == 1e9 {
		n += t.fraction(b[n:])
	} else {
		t.resolution = time.Duration(unit)
	}
	t.ns += v * unit
	return t, n == len(b)
}

// any reads a time in whichever form it has, over the whole of b.
func (s *stamps) any(b []byte) (stamp, bool) {
	if len(b) > 2 && b[0] == '[' && b[len(b)-1] == ']' {
		b = b[1 : len(b)-1]
	}
	if t, ok := epoch(b); ok {
		return t, true
	}
	if t, n := s.iso(b); n > 0 && n == len(b) {
		return t, true
	}
	if t, n := s.clf(b); n > 0 && n == len(b) {
		return t, true
	}
	return stamp{}, false
}

// set puts the time into a record.
func (t *stamp) set(r *Record) {
	r.At, r.Resolution, r.Offset = t.ns, t.resolution, t.offset
}

// zoneOf reads Z, +0100 or +01:00 at the start of b.
func zoneOf(b []byte) (seconds, n int) {
	if len(b) > 0 && b[0] == 'Z' {
		return 0, 1
	}
	if len(b) < 5 || b[0] != '+' && b[0] != '-' {
		return 0, 0
	}
	minutes, n := b[3:5], 5
	if b[3] == ':' {
		if len(b) < 6 {
			return 0, 0
		}
		minutes, n = b[4:6], 6
	}
	h, m := digits(b[1:3]), digits(minutes)
	if h < 0 || m < 0 || h > 23 || m > 59 {
		return 0, 0
	}
	seconds = h*3600 + m*60
	if b[0] == '-' {
		seconds = -seconds
	}
	return seconds, n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// digits is the number that b spells, -1 where it spells none. b is short.
func digits(b []byte) int {
	v := 0
	for _, c := range b {
		if !isDigit(c) {
			return -1
		}
		v = v*10 + int(c-'0')
	}
	return v
}

func monthOf(b []byte) int {
	switch string(b) {
	case "Jan":
		return 1
	case "Feb":
		return 2
	case "Mar":
		return 3
	case "Apr":
		return 4
	case "May":
		return 5
	case "Jun":
		return 6
	case "Jul":
		return 7
	case "Aug":
		return 8
	case "Sep":
		return 9
	case "Oct":
		return 10
	case "Nov":
		return 11
	case "Dec":
		return 12
	}
	return 0
}

// unixOf is the instant of a date and time of UTC in seconds since 1970. Years are
// bounded so that nanoseconds fit.
func unixOf(year, month, day, hour, minute, second int) (int64, bool) {
	if year < 1970 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31 ||
		hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60 {
		return 0, false
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC).Unix(), true
}
