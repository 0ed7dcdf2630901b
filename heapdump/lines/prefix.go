package lines

import "bytes"

// MaxPrefix is how long a [Prefix] may be. Longer than a date, the names of a
// container and of a logger no prefix has been seen to be.
const MaxPrefix = 512

// Prefix is what stands before each line of a program's output where a logger, a
// container runtime or the JVM's own logging wrote it: "2026-01-02T03:04:05.678Z
// stdout F ", "web-1  | ", "[12.345s][info][gc] GC(3) ". It is known by its shape:
// runs of digits may be any digits, and everything else must be equal.
type Prefix struct{ shape []byte }

// PrefixOf returns the prefix of a line that has n bytes of it; a line whose
// prefix would be too long has none.
func PrefixOf(line []byte, n int) Prefix {
	if n <= 0 || n > MaxPrefix || n > len(line) {
		return Prefix{}
	}
	return Prefix{shape: bytes.Clone(line[:n])}
}

// Empty says whether there is nothing to take off.
func (p Prefix) Empty() bool { return len(p.shape) == 0 }

// Strip takes the prefix off a line and says whether the line had it. A line that
// ends within the spaces at the end of the prefix is an empty line that lost them.
func (p Prefix) Strip(line []byte) ([]byte, bool) {
	i, j := 0, 0
	for i < len(p.shape) {
		switch {
		case j == len(line):
			return nil, len(bytes.TrimRight(p.shape[i:], " \t")) == 0
		case digit(p.shape[i]) && digit(line[j]):
			i, j = i+run(p.shape[i:]), j+run(line[j:])
		case p.shape[i] == line[j]:
			i, j = i+1, j+1
		default:
			return line, false
		}
	}
	return line[j:], true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func run(b []byte) int {
	n := 0
	for n < len(b) && digit(b[n]) {
		n++
	}
	return n
}
