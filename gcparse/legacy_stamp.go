package gcparse

// legacyStamp is a time as it stands before a bracket, on one or both clocks, and
// the index in the line just after it.
type legacyStamp struct {
	Stamp
	end int
}

// minYear and maxYear bound the dates that are read as such: nanoseconds since 1970
// have room for no others.
const minYear, maxYear = 1700, 2200

// legacyDate reads 2014-04-09T15:26:52.201+0200, with a comma for the point, with
// Z for the zone, or without one, and gives nanoseconds since 1970 UTC.
func legacyDate(b []byte) (wall int64, n int, zoned bool) {
	if len(b) < 19 || b[4] != '-' || b[7] != '-' || b[10] != 'T' || b[13] != ':' || b[16] != ':' {
		return 0, 0, false
	}
	year, ok1 := legacyDigits(b[0:4])
	month, ok2 := legacyDigits(b[5:7])
	day, ok3 := legacyDigits(b[8:10])
	hour, ok4 := legacyDigits(b[11:13])
	minute, ok5 := legacyDigits(b[14:16])
	second, ok6 := legacyDigits(b[17:19])
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 ||
		year < minYear || year > maxYear || month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60 {
		return 0, 0, false
	}
	secs := ((daysSince1970(year, month, day)*24+hour)*60+minute)*60 + second
	n = 19
	var frac int64
	if n+1 < len(b) && (b[n] == '.' || b[n] == ',') && b[n+1]-'0' < 10 {
		scale := int64(1e9)
		for n++; n < len(b) && b[n]-'0' < 10; n++ {
			scale /= 10
			frac += int64(b[n]-'0') * scale
		}
	}
	if n < len(b) && b[n] == 'Z' {
		return secs*1e9 + frac, n + 1, true
	}
	if n+5 <= len(b) && (b[n] == '+' || b[n] == '-') {
		h, ok1 := legacyDigits(b[n+1 : n+3])
		m, ok2 := legacyDigits(b[n+3 : n+5])
		if ok1 && ok2 {
			offset := (h*60 + m) * 60
			if b[n] == '-' {
				offset = -offset
			}
			return (secs-offset)*1e9 + frac, n + 5, true
		}
	}
	return secs*1e9 + frac, n, false
}

// legacyDigits reads a number of fixed width.
func legacyDigits(b []byte) (v int64, ok bool) {
	for _, c := range b {
		if c-'0' >= 10 {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, true
}

// daysSince1970 counts the days to a date of the Gregorian calendar. Years are
// counted from March, so that the leap day is the last of a year.
func daysSince1970(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	leaps := year/4 - year/100 + year/400
	return 365*year + leaps + (153*(month-3)+2)/5 + day - 719469
}

// legacyClock tells the runs of a log apart by their uptime.
type legacyClock struct {
	last   Stamp // the latest stamp of the run
	known  bool
	header bool // a header was seen since
}

const (
	// legacySlip is how far the uptime may fall without another run: threads
	// print out of order.
	legacySlip = 10e9
	// legacyStep is the fall that tells another run where a header or the wall
	// clock speaks for it too.
	legacyStep = 1e9
	// legacyJitter is how far it may fall across a header that another file of
	// the same run begins with.
	legacyJitter = 100e6
)

// cut forgets the clock: what follows need not continue it.
func (c *legacyClock) cut() { *c = legacyClock{} }

// restarted reports whether a stamp is that of a later run than the ones before.
func (c *legacyClock) restarted(at Stamp) bool {
	defer func() { c.header = false }()
	if !c.known {
		return false
	}
	if !at.HasUptime || !c.last.HasUptime {
		return c.header && !at.HasUptime
	}
	fall := c.last.Uptime - at.Uptime
	switch {
	case fall <= 0:
		return false
	case fall > legacySlip:
		return true
	case fall > legacyStep && at.HasWall && c.last.HasWall:
		return at.Wall > c.last.Wall
	}
	return c.header && fall > legacyJitter
}

// see takes a stamp in.
func (c *legacyClock) see(at Stamp) {
	if !c.known {
		c.last, c.known = at, true
		return
	}
	latest(&c.last, &at)
}

// begin brings the clock up to the stamp at index i of the line, before an event
// or a sentence of its own, and begins a new run if it is that of one. It gives
// the stamp, and whether it stands there or is an estimate.
func (r *legacyReader) begin(i int) (at Stamp, stamped bool) {
	at, stamped = r.stampAt(i)
	if !stamped {
		return at, false
	}
	r.rebuilt, r.drift, r.ranOn = false, 0, false
	header := r.clock.header
	if r.clock.restarted(at) {
		r.flush()
		r.clock.cut()
		why := ClockFell
		if header {
			why = NewHeader
		}
		r.next.apply(r.out.newRun(why))
	}
	r.next, r.rotated = legacyHeader{}, false
	r.clock.see(at)
	return at, true
}

// stampAt is the stamp that stands directly before index i of the line. Failing
// that it is an estimate: the latest one of the run and the running and stopped
// times that the log tells of since; in a log without any stamps, the sum of
// these.
func (r *legacyReader) stampAt(i int) (at Stamp, stamped bool) {
	switch {
	case !r.at.Zero() && i-r.at.end <= 2:
		return r.at.Stamp, true
	case r.clock.known:
		at = r.clock.last.Add(r.drift)
		at.Error = 0
	case r.rebuilt:
		at = Stamp{Uptime: r.drift, HasUptime: true}
	}
	return at, false
}

// rebuild begins to make times for a log that has none, if it says how long the
// program ran between its stops.
func (r *legacyReader) rebuild(at Stamp) Stamp {
	if !at.Zero() || !r.ranOn || r.clock.known {
		return at
	}
	r.rebuilt = true
	r.out.run().Rebuilt = true
	at, _ = r.stampAt(0)
	return at
}
