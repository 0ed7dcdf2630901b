package gcparse

// What families share to read numbers from bytes. All functions give how many
// bytes they took; none means that there is no such thing at the start of b.

// scanInt reads decimal digits. More than 18 are taken but not trusted.
func scanInt(b []byte) (v int64, n int) {
	for n < min(len(b), 18) && b[n]-'0' < 10 {
		v = v*10 + int64(b[n]-'0')
		n++
	}
	for n >= 18 && n < len(b) && b[n]-'0' < 10 {
		n++
	}
	return v, n
}

// scanFixed reads a decimal number with a point or a comma and gives it times
// scale, exactly: scanFixed("1,5", 1e9) is 1500000000. digits is the number of
// digits after the point. A comma that no digit follows is not taken.
func scanFixed(b []byte, scale int64) (v int64, n, digits int) {
	whole, n := scanInt(b)
	if n == 0 || whole > (1<<62)/scale {
		return 0, 0, 0
	}
	v = whole * scale
	if n+1 >= len(b) || b[n] != '.' && b[n] != ',' || b[n+1]-'0' >= 10 {
		return v, n, 0
	}
	for n++; n < len(b) && b[n]-'0' < 10; n++ {
		scale /= 10
		v += int64(b[n]-'0') * scale
		digits++
	}
	return v, n, digits
}

// scanSeconds reads a number of seconds and gives nanoseconds.
func scanSeconds(b []byte) (ns int64, n int) {
	ns, n, _ = scanFixed(b, 1e9)
	return ns, n
}

// scanMillis reads a number of milliseconds and gives nanoseconds.
func scanMillis(b []byte) (ns int64, n int) {
	ns, n, _ = scanFixed(b, 1e6)
	return ns, n
}

// scanSize reads a size as HotSpot prints it, 512K or 1.5G or 0.0B, and gives
// bytes; without a unit it is bytes.
func scanSize(b []byte) (bytes int64, n int) {
	unit := int64(1)
	whole, n := scanInt(b)
	if n == 0 {
		return 0, 0
	}
	fraction := n < len(b) && (b[n] == '.' || b[n] == ',')
	if fraction {
		_, n, _ = scanFixed(b, 1)
	}
	took := n
	if n < len(b) {
		switch b[n] {
		case 'B', 'b':
			took++
		case 'K', 'k':
			unit, took = 1<<10, n+1
		case 'M', 'm':
			unit, took = 1<<20, n+1
		case 'G', 'g':
			unit, took = 1<<30, n+1
		case 'T', 't':
			unit, took = 1<<40, n+1
		}
	}
	if !fraction && whole <= (1<<62)/1_000_000/unit {
		return whole * unit, took
	}
	// The fraction is read in millionths: units are powers of two.
	v, m, digits := scanFixed(b[:n], 1e6)
	if m == 0 || v > (1<<62)/unit {
		return 0, 0
	}
	if digits == 0 {
		return v / 1e6 * unit, took
	}
	return int64(float64(v) / 1e6 * float64(unit)), took
}

// scanTransition reads 10M->4M(20M). Sizes that are not there are -1.
func scanTransition(b []byte) (before, after, capacity int64, n int) {
	before, n = scanSize(b)
	if n == 0 || n+2 > len(b) || b[n] != '-' || b[n+1] != '>' {
		return -1, -1, -1, 0
	}
	n += 2
	after, m := scanSize(b[n:])
	if m == 0 {
		return -1, -1, -1, 0
	}
	n, capacity = n+m, -1
	if n < len(b) && b[n] == '(' {
		if c, m := scanSize(b[n+1:]); m > 0 && n+1+m < len(b) && b[n+1+m] == ')' {
			capacity, n = c, n+m+2
		}
	}
	return before, after, capacity, n
}
