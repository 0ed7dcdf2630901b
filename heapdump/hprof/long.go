package hprof

// long reads a heap dump or segment that does not fit into a chunk, or whose
// length does not say where it ends: 0 was left there by a writer that died or
// could not seek back, and a heap dump above 4 GiB has its length modulo 2^32.
// False ends the reading.
//
// Each round fills the chunk's buffer, finds the last whole record in it, hands
// on what is before and moves the rest to the next chunk.
func (r *reader) long(tag byte, left int64) bool {
	l := long{reader: r, unbounded: left == 0, dump: tag == recHeapDump, left: left, size: firstFill}
	r.dispatch()
	for r.ctx.Err() == nil {
		if !l.fill() {
			return !r.cut
		}
		whole, ext := l.hop()
		at := r.src.at - int64(l.have)
		l.hand(whole, at)
		switch {
		case ext == garbage && l.unbounded:
			return l.leave(at + int64(whole))
		case ext == garbage:
			r.losses.add(lossGarbage, 1, int64(l.have)+l.left, at+int64(whole))
			return r.pass(l.left)
		case l.have == 0:
		case r.src.err != nil && l.have < l.want():
			r.losses.add(lossCut, 1, int64(l.have), at+int64(whole))
			r.cut = true
			return false
		case whole == 0 && l.left == 0 && !l.unbounded:
			if !l.crossing(at) {
				return true
			}
		case whole == 0 && l.have >= min(l.want(), r.o.chunk):
			if !l.giant(at) {
				return false
			}
		}
	}
	return false
}

// firstFill is how much of a heap dump without length is read at first: it may
// end soon, and what was read too much is given back.
const firstFill = 512

// long is the state of reading a long heap dump.
type long struct {
	*reader
	unbounded bool // there is no length
	dump      bool // it is no segment, so the length may have overflowed
	left      int64
	have      int // bytes at the start of the chunk's buffer
	size      int // how much is to be in the buffer
	need      int // length of the record at the start of the buffer, if known
}

// want is how many bytes the next round needs to go on.
func (l *long) want() int { return max(l.need, l.have+1) }

// fill reads on; false at the end of the heap dump.
func (l *long) fill() bool {
	c := l.cur
	most := l.o.chunk
	l.size = min(2*l.size, l.target)
	if !l.unbounded {
		l.size = l.target
	}
	room := int64(max(l.size, min(l.want(), most)) - l.have)
	if !l.unbounded {
		room = min(room, l.left)
	}
	c.room(l.have + int(room))
	got := l.src.read(c.buf[l.have : l.have+int(room)])
	l.have += got
	if !l.unbounded {
		l.left -= int64(got)
	}
	if l.have > 0 {
		return true
	}
	// Nothing is left. A closed one ends here unless its length overflowed.
	switch {
	case l.unbounded || l.left > 0:
		l.cut = l.cut || l.left > 0
		return false
	case l.dump && l.overflowed():
		return l.fill()
	}
	return false
}

// overflowed tells, at the end of a heap dump by its length, whether the dump
// goes on: what follows is no record of the file.
func (l *long) overflowed() bool {
	next := l.src.peek(9)
	if len(next) < 9 || l.form.plausible(next) {
		return false
	}
	if _, ext := l.form.extent(next[:1]); ext == garbage {
		return false
	}
	l.left += 1 << 32
	return true
}

// hop finds how many bytes of the buffer are whole records, and what comes then.
func (l *long) hop() (int, extent) {
	b := l.cur.buf[:l.have]
	p := 0
	l.need = 0
	for p < len(b) {
		n, ext := l.form.extent(b[p:])
		switch {
		case ext == garbage:
			return p, garbage
		case ext == short:
			return p, short
		case n > int64(len(b)-p):
			l.need = int(min(n, int64(l.o.chunk+1)))
			return p, short
		}
		p += int(n)
	}
	return p, whole
}

// hand hands on the whole records at the start of the buffer and moves the rest
// to the start of the next one.
func (l *long) hand(n int, at int64) {
	if n == 0 {
		return
	}
	c := l.cur
	l.piece(piece{0, n, at})
	rest := c.buf[n:l.have]
	l.dispatch()
	l.cur.room(len(rest))
	copy(l.cur.buf, rest)
	l.have -= n
}

// leave ends a heap dump without length at something that is no record of it,
// which may be the next record of the file.
func (l *long) leave(at int64) bool {
	rest := l.cur.buf[:l.have]
	switch {
	case len(rest) >= 9 && !l.form.plausible(rest):
		return l.resync(at)
	case len(rest) < 9 && l.src.err != nil:
		l.losses.add(lossCut, 1, int64(len(rest)), at)
		l.cut = true
		return false
	}
	l.src.unread(rest)
	return true
}

// crossing decides at the end of a heap dump whose last record goes beyond it:
// either the length overflowed and the dump goes on, or the record is garbage.
func (l *long) crossing(at int64) bool {
	next := l.src.peek(9)
	if l.dump && len(next) == 9 && !l.form.plausible(next) {
		l.left += 1 << 32
		return true
	}
	l.losses.add(lossGarbage, 1, int64(l.have), at)
	return false
}

// resync looks in a heap dump without length for the head of the next segment.
func (l *long) resync(at int64) bool {
	lost := int64(0)
	defer func() { l.losses.add(lossGarbage, 1, lost, at) }()
	l.cur.room(min(l.o.chunk, sourceBuf))
	b := l.cur.buf
	for l.ctx.Err() == nil {
		for p := 0; p+9+1 <= l.have; p++ {
			if b[p] == recSegment || b[p] == recDumpEnd {
				if l.form.plausible(b[p:]) && l.begins(b[p+9:l.have], b[p]) {
					lost += int64(p)
					l.src.unread(b[p:l.have])
					return true
				}
			}
		}
		keep := min(l.have, 9)
		lost += int64(l.have - keep)
		copy(b, b[l.have-keep:l.have])
		got := l.src.read(b[keep:])
		l.have = keep + got
		if got == 0 {
			lost += int64(keep)
			return false
		}
	}
	return false
}

// begins says whether some records of a heap dump follow, as after the head of a
// segment.
func (l *long) begins(b []byte, tag byte) bool {
	if tag == recDumpEnd {
		return len(b) == 0
	}
	for range 8 {
		n, ext := l.form.extent(b)
		if ext == short || ext == whole && n > int64(len(b)) {
			return true
		}
		if ext == garbage {
			return false
		}
		b = b[n:]
	}
	return true
}

// giant reads a record that is longer than a chunk: an array, whose slots are
// looked at as they go by.
func (l *long) giant(at int64) bool {
	b := l.cur.buf[:l.have]
	n, ext := l.form.extent(b)
	if ext != whole || b[0] == subClass {
		l.losses.add(lossGarbage, 1, int64(l.have), at)
		return l.skipRest()
	}
	beyond := n - int64(l.have)
	if !l.unbounded && beyond > l.left && !l.dump {
		// The array claims to go beyond its segment.
		l.losses.add(lossGarbage, 1, int64(l.have)+l.left, at)
		return l.skipRest()
	}
	if !l.sealed {
		l.sealed = true
		l.seal(false)
	}
	head := 10 + l.form.ids
	if b[0] != subPrimitives {
		head = 9 + 2*l.form.ids
	}
	g := &giant{step: 1}
	s := slots{form: l.form, g: g, on: b[0] == subObjects}
	if s.on {
		count := int64(be.Uint32(b[5+l.form.ids:]))
		g.step = (count + maxSlots - 1) / maxSlots
		g.refs = make([]uint64, 0, min(count, maxSlots))
		if l.o.Graph != nil {
			g.links = newGiantLinks(l.o.Graph, l.form.id(b[1:]))
		}
		s.take(b[head:])
	}
	if !l.stream(beyond, &s) {
		l.losses.add(lossCut, 1, n, at)
		l.cut = true
		return false
	}
	if g.links != nil {
		g.links.put()
	}
	if g.step > 1 {
		l.losses.add(lossSampled, 1, 0, at)
	}
	for !l.unbounded && beyond > l.left {
		l.left += 1 << 32
	}
	l.left -= beyond
	c := l.cur
	c.giant = g
	c.n = head
	c.pieces = append(c.pieces, piece{0, head, at})
	l.have = 0
	l.dispatch()
	return true
}

// skipRest passes over the rest of the heap dump.
func (l *long) skipRest() bool {
	l.have = 0
	left := l.left
	l.left = 0
	if l.unbounded {
		return false
	}
	return l.pass(left)
}

// stream reads n bytes of an array; false at the end of the file.
func (l *long) stream(n int64, s *slots) bool {
	scratch := l.scratch()
	for n > 0 {
		b := scratch[:min(n, int64(len(scratch)))]
		got := l.src.read(b)
		s.take(b[:got])
		n -= int64(got)
		if got < len(b) || l.ctx.Err() != nil {
			return false
		}
		if l.o.Progress != nil {
			l.o.Progress(l.src.at)
		}
	}
	return true
}
