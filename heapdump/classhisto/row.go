package classhisto

import (
	"bytes"
	"math"
)

// rawRow is a row whose names are still bytes of the line.
type rawRow struct {
	rank         int64
	name, module []byte
	Count
}

// parseRow reads "rank: instances bytes name (module)"; colon says whether the
// form has one behind the rank.
func parseRow(line []byte, colon bool) (rawRow, bool) {
	var row rawRow
	rank, rest := field(line)
	if colon {
		var ok bool
		if rank, ok = bytes.CutSuffix(rank, []byte(":")); !ok {
			return row, false
		}
	}
	instances, rest := field(rest)
	size, rest := field(rest)
	var ok [3]bool
	row.rank, ok[0] = number(rank)
	row.Instances, ok[1] = number(instances)
	row.Bytes, ok[2] = number(size)
	if ok != [3]bool{true, true, true} {
		return row, false
	}
	row.name = bytes.TrimSpace(rest)
	if n := bytes.LastIndex(row.name, []byte(" (")); n > 0 && bytes.HasSuffix(row.name, []byte(")")) {
		row.module = row.name[n+2 : len(row.name)-1]
		row.name = bytes.TrimRight(row.name[:n], " ")
	}
	return row, len(row.name) > 0
}

// parseTotal reads "Total instances bytes", with a colon in the form of jhsdb.
func parseTotal(line []byte) (Count, bool) {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t"), []byte("Total"))
	if !ok {
		return Count{}, false
	}
	instances, rest := field(bytes.TrimLeft(rest, " :\t"))
	size, rest := field(rest)
	n, ok := number(instances)
	b, okToo := number(size)
	return Count{n, b}, ok && okToo && len(bytes.TrimSpace(rest)) == 0
}

// field splits off the first word of a line.
func field(line []byte) (word, rest []byte) {
	line = bytes.TrimLeft(line, " \t")
	n := bytes.IndexAny(line, " \t")
	if n < 0 {
		return line, nil
	}
	return line[:n], line[n:]
}

// number reads digits, and nothing else, into a number that fits.
func number(text []byte) (int64, bool) {
	if len(text) == 0 || len(text) > 19 {
		return 0, false
	}
	var n uint64
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return int64(n), n <= math.MaxInt64
}

// add adds numbers that are not negative, and stays at the largest where the sum
// does not fit: the numbers of a file are what the file claims.
func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
