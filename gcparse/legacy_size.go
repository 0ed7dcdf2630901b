package gcparse

// legacyUnit is v in units of K, M, G, T or B in bytes; -1 if that is no size.
func legacyUnit(v int64, unit byte) int64 {
	shift := 0
	switch unit {
	case 'K':
		shift = 10
	case 'M':
		shift = 20
	case 'G':
		shift = 30
	case 'T':
		shift = 40
	}
	if v > 1<<62>>shift {
		return -1
	}
	return v << shift
}

// legacySize reads a size at i.
func legacySize(b []byte, i int) (bytes int64, end int) {
	v, j := int64(0), i
	for j < len(b) && b[j]-'0' < 10 {
		v = v*10 + int64(b[j]-'0')
		j++
	}
	if j == i || j-i > 18 || j == len(b) {
		return -1, i
	}
	switch c := b[j]; c {
	case 'K', 'M', 'G', 'B', 'T':
		return legacyUnit(v, c), j + 1
	case '.', ',':
		if size, n := scanSize(b[i:]); n > 0 {
			return size, i + n
		}
	}
	return -1, i
}

// size takes a size that ends before j, with the transition or the capacity that
// may follow: 10K->4K(20K), 10K(20K).
func (r *legacyReader) size(b []byte, i, j int, first int64) int {
	if j == i || j+1 >= len(b) || first < 0 {
		return max(j, i+1)
	}
	switch {
	case b[j] == '-' && b[j+1] == '>':
		after, end := legacySize(b, j+2)
		if after < 0 {
			return j + 2
		}
		capacity, end := legacyCapacity(b, end)
		r.space(first, after, capacity)
		return end
	case b[j] == '(':
		capacity, end := legacyCapacity(b, j)
		if capacity >= 0 {
			r.space(-1, first, capacity)
		}
		return max(end, j+1)
	}
	return j
}

// legacyCapacity reads (20K) at i, if it stands there.
func legacyCapacity(b []byte, i int) (capacity int64, end int) {
	if i < len(b) && b[i] == '(' {
		size, j := legacySize(b, i+1)
		if size >= 0 && j < len(b) && b[j] == ')' {
			return size, j + 1
		}
	}
	return -1, i
}

// space gives the innermost open bracket its sizes; -1 is not known.
func (r *legacyReader) space(before, after, capacity int64) {
	if r.depth == 0 || r.over > 0 {
		return
	}
	f := &r.frames[r.depth-1]
	if f.event < 0 {
		return
	}
	o := &r.open[f.event]
	o.header = false
	switch f.what {
	case legacyPauseFrame, legacyConcurrentFrame:
		o.e.Heap.set(before, after, capacity)
	case legacyYoungFrame:
		o.e.Young.set(before, after, capacity)
	case legacyOldFrame, legacyMarkFrame:
		o.e.Old.set(before, after, capacity)
	case legacyMetaFrame:
		o.e.Metaspace.set(before, after, capacity)
	}
}
