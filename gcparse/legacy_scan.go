package gcparse

// Classes of bytes for the scanner: what it stops at.
const (
	legacySkip byte = iota
	legacyDigit
	legacyLetter
	legacyOpen
	legacyClose
	legacyParen
	legacyDash
	legacyHash
)

var legacyBytes = func() (t [256]byte) {
	for c := '0'; c <= '9'; c++ {
		t[c] = legacyDigit
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = legacyLetter, legacyLetter
	}
	t['_'], t['$'] = legacyLetter, legacyLetter
	t['['], t[']'], t['('], t['-'], t['#'] = legacyOpen, legacyClose, legacyParen, legacyDash, legacyHash
	return t
}()

// scan reads the bytes of a line into the state.
func (r *legacyReader) scan(b []byte) {
	for i := 0; i < len(b); {
		switch legacyBytes[b[i]] {
		case legacySkip:
			i++
		case legacyDigit:
			i = r.number(b, i)
		case legacyLetter:
			i = r.word(b, i)
		case legacyOpen:
			i = r.bracket(b, i)
		case legacyClose:
			i++
			r.closeFrame()
		case legacyParen:
			i = r.paren(b, i)
		case legacyDash:
			i = r.dash(b, i)
		case legacyHash:
			i = r.hash(b, i)
		}
	}
}

// number reads a number at index i: a time stamp, a duration or a size, by what
// follows it. It gives the index after what it took.
func (r *legacyReader) number(b []byte, i int) int {
	v, j := int64(0), i
	for j < len(b) && b[j]-'0' < 10 {
		v = v*10 + int64(b[j]-'0')
		j++
	}
	if j == len(b) || j-i > 18 {
		return j
	}
	switch c := b[j]; c {
	case 'K', 'M', 'G', 'B', 'T':
		return r.size(b, i, j+1, legacyUnit(v, c))
	case '.', ',':
		if j+1 < len(b) && b[j+1]-'0' < 10 {
			return r.decimal(b, i, j, v)
		}
	case '-':
		if j-i == 4 {
			return r.date(b, i, j)
		}
	}
	// The rest of a word that begins with a digit, such as 0x00ff.
	for j < len(b) && legacyBytes[b[j]] == legacyLetter {
		for j++; j < len(b) && legacyBytes[b[j]]-1 < 2; j++ {
		}
	}
	return j
}

// legacyPowers make nanoseconds of a fraction of so many digits.
var legacyPowers = [...]int64{1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1}

// date reads a date stamp at i; j is after its year.
func (r *legacyReader) date(b []byte, i, j int) int {
	wall, n, zoned := legacyDate(b[i:])
	if n == 0 {
		return j
	}
	if !zoned && !r.out.run().Zoneless {
		r.out.run().Zoneless = true
	}
	r.at = legacyStamp{Stamp{Wall: wall, HasWall: true, Error: 5e5}, legacyColon(b, i+n)}
	return r.at.end
}

// legacyColon is the index after the colon and blanks that end a stamp.
func legacyColon(b []byte, j int) int {
	if j < len(b) && b[j] == ':' {
		j++
	}
	for j < len(b) && b[j] == ' ' {
		j++
	}
	return j
}

// decimal reads a number with a fraction that begins at i with the whole number
// v; j is at its point.
func (r *legacyReader) decimal(b []byte, i, j int, v int64) int {
	j++
	frac, point := int64(0), j
	for j < len(b) && b[j]-'0' < 10 {
		if j-point < 9 {
			frac = frac*10 + int64(b[j]-'0')
		}
		j++
	}
	if j == len(b) || v > 1<<32 {
		return j
	}
	ns := v*1e9 + frac*legacyPowers[min(j-point, 9)]
	if i > 0 && b[i-1] == '-' {
		ns = 0 // the clock was set back meanwhile: how long it took is not known
	}
	switch b[j] {
	case ':':
		if j+1 == len(b) || b[j+1] == ' ' || b[j+1] == '[' {
			return r.uptime(b, i, j, ns)
		}
	case ' ':
		switch rest := b[j+1:]; {
		case len(rest) >= 3 && rest[0] == 's' && rest[1] == 'e' && rest[2] == 'c':
			r.duration(ns)
			return j + 4
		case len(rest) >= 3 && rest[0] == 'm' && rest[1] == 's' && rest[2] == ']':
			r.duration(ns / 1000)
			return j + 3
		}
	case 'A', 'T':
		// 725.583Application time: … — the rest of the line is the next one.
		if has(b[j:], legacyRan) || has(b[j:], legacyStopped) {
			r.loose = legacyStamp{Stamp{Uptime: ns, HasUptime: true, Error: 5e5}, len(": ")}
		}
	case ']':
		// JDK 6 and 7 print some times of concurrent phases without a unit.
		if r.depth > 0 && r.frames[r.depth-1].what == legacyConcurrentFrame {
			r.duration(ns)
		}
	case 'K', 'M', 'G', 'B':
		bytes, n := scanSize(b[i:])
		return r.size(b, i, i+n, bytes)
	}
	return j
}

// uptime takes a stamp on the clock of the process; j is at its colon.
func (r *legacyReader) uptime(b []byte, i, j int, ns int64) int {
	if r.at.HasUptime || r.at.end != i {
		r.at = legacyStamp{} // not the second half of a double stamp
	}
	r.at.Uptime, r.at.HasUptime = ns, true
	r.at.Error = 5e5
	r.at.end = legacyColon(b, j)
	return r.at.end
}

// hash reads the number of a collection, #12:, which stands after the stamp.
func (r *legacyReader) hash(b []byte, i int) int {
	id, n := scanInt(b[i+1:])
	j := i + 1 + n
	if n == 0 || j == len(b) || b[j] != ':' {
		return i + 1
	}
	r.id, r.hasID = id, true
	end := legacyColon(b, j)
	if r.at.end == i {
		r.at.end = end
	}
	return end
}

// duration gives the innermost open bracket a duration in nanoseconds.
func (r *legacyReader) duration(ns int64) {
	if r.depth > 0 && r.over == 0 {
		f := &r.frames[r.depth-1]
		f.secs, f.hasSecs = ns, true
	}
}

// dash reads the mark of a failed promotion, GC--, at i.
func (r *legacyReader) dash(b []byte, i int) int {
	if i+1 < len(b) && b[i+1] == '-' && r.depth > 0 && r.over == 0 {
		if f := &r.frames[r.depth-1]; f.what == legacyPauseFrame && f.event >= 0 {
			e := &r.open[f.event].e
			if e.Collector == G1 {
				e.Flags |= EvacuationFailure
			} else {
				e.Flags |= PromotionFailed
			}
		}
		return i + 2
	}
	return i + 1
}

// paren reads a cause or a marker in parentheses at i.
func (r *legacyReader) paren(b []byte, i int) int {
	if i+1 >= len(b) || legacyBytes[b[i+1]] != legacyLetter || r.opens == 0 || r.depth == 0 || r.over > 0 {
		return i + 1
	}
	end := legacyMatch(b, i)
	if end < 0 {
		return i + 1
	}
	f := &r.frames[r.depth-1]
	if f.event < 0 || f.what == legacyOther {
		return i + 1
	}
	o := &r.open[f.event]
	text := b[i+1 : end]
	if o.marker(text) {
		return end + 1
	}
	if o.header && f.starts && o.e.Cause == "" {
		o.e.Cause = r.out.word(text)
		o.e.Flags |= legacyCauseFlags(text)
		o.remark = o.remark || string(text) == "CMS Final Remark"
		return end + 1
	}
	return i + 1
}

// legacyCause bounds the length of a cause in parentheses.
const legacyCause = 100

// legacyMatch is the index of the parenthesis that closes the one at i, or -1.
func legacyMatch(b []byte, i int) int {
	open := 0
	for end := min(len(b), i+legacyCause); i < end; i++ {
		switch b[i] {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return i
			}
		case '[', ']':
			return -1
		}
	}
	return -1
}

// word skips a word at i, and takes the sentences that lines of their own or
// intruders in others are made of.
func (r *legacyReader) word(b []byte, i int) int {
	switch b[i] {
	case 'T':
		if has(b[i:], legacyStopped) {
			return r.stopped(b, i)
		}
	case 'A':
		if has(b[i:], legacyRan) {
			return r.ran(b, i)
		}
	case 'G':
		if has(b[i:], legacyLimit) {
			r.timeLimit(b[i:])
		}
	}
	for i++; i < len(b) && legacyBytes[b[i]]-1 < 2; i++ {
	}
	return i
}
