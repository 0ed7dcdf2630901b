package target

// request is a request as the model keeps it while it waits.
type request struct {
	id      uint64
	arrived int64
}

// ring is a queue open at both ends. It grows by doubling and keeps its memory.
type ring struct {
	buf  []request // its length is 0 or a power of two
	head int
	n    int
}

func (r *ring) push(q request) {
	if r.n == len(r.buf) {
		r.grow()
	}
	r.buf[(r.head+r.n)&(len(r.buf)-1)] = q
	r.n++
}

func (r *ring) popOldest() request {
	q := r.buf[r.head]
	r.head = (r.head + 1) & (len(r.buf) - 1)
	r.n--
	return q
}

func (r *ring) popYoungest() request {
	r.n--
	return r.buf[(r.head+r.n)&(len(r.buf)-1)]
}

func (r *ring) grow() {
	bigger := make([]request, max(16, 2*len(r.buf)))
	k := copy(bigger, r.buf[r.head:])
	copy(bigger[k:], r.buf[:r.head])
	r.buf, r.head = bigger, 0
}
