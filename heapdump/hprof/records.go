package hprof

// records goes through the records of the file.
func (r *reader) records() {
	for n := 0; ; n++ {
		if n%1024 == 0 && r.ctx.Err() != nil {
			return
		}
		head := r.src.peek(9)
		if len(head) < 9 {
			if len(head) > 0 {
				r.endsWithin(len(head))
			}
			return
		}
		at := r.src.at
		if string(head) == magic[:9] {
			// Another file was appended to this one.
			r.losses.add(lossOtherDump, 1, 0, at)
			return
		}
		tag, length := head[0], be.Uint32(head[5:])
		r.claimed = at + 9 + int64(length)
		switch tag {
		case recHeapDump, recSegment:
			r.src.advance(9)
			if !r.heapRecord(tag, length) {
				return
			}
			continue
		case recDumpEnd:
			r.ended = r.ended || r.open
			r.open = false
		case recString, recLoadClass, recFrame, recTrace:
			if int(length) <= sourceBuf-9 {
				if !r.small(tag, int(length)) {
					return
				}
				continue
			}
			r.losses.add(lossBadRecord, 1, int64(length), at)
		case recUnloadClass, recAllocSites, recSummary, recThreadStart, recThreadEnd, recCPUSamples, recSettings:
		default:
			r.losses.add(lossUnknownRecord, 1, int64(length), at)
		}
		r.src.advance(9)
		if !r.pass(int64(length)) {
			return
		}
	}
}

// endsWithin notes that the file ends within a record of which n bytes are left.
func (r *reader) endsWithin(n int) {
	r.losses.add(lossCut, 1, int64(n), r.src.at)
	r.cut = true
	r.src.advance(n)
}

// small takes a record whose content is needed as a whole.
func (r *reader) small(tag byte, length int) bool {
	b := r.src.peek(9 + length)
	if len(b) < 9+length {
		r.endsWithin(len(b))
		return false
	}
	body := b[9:]
	ids := r.form.ids
	ok := true
	switch tag {
	case recString:
		if ok = length >= ids; ok {
			r.names.add(r.form.id(body), body[ids:])
		}
	case recLoadClass:
		if ok = length >= 8+2*ids; ok {
			if len(r.classes.nameOf) < maxClasses {
				r.classes.nameOf[r.form.id(body[4:])] = r.form.id(body[8+ids:])
			}
			r.stacks.class(be.Uint32(body), r.form.id(body[4:]))
		}
	case recFrame:
		if ok = length >= 8+4*ids; ok {
			r.stacks.frame(r.form, body)
		}
	case recTrace:
		if ok = length >= 12; ok {
			r.stacks.trace(r.form, body)
		}
	}
	if !ok {
		r.losses.add(lossBadRecord, 1, int64(length), r.src.at)
	}
	r.src.advance(9 + length)
	return true
}

// pass passes over bytes; false at the end of the file.
func (r *reader) pass(n int64) bool {
	buf := r.scratch()
	for n > 0 {
		got := r.src.read(buf[:min(n, int64(len(buf)))])
		n -= int64(got)
		if got == 0 {
			r.losses.add(lossCut, 1, 0, r.src.at)
			r.cut = true
			return false
		}
		if r.ctx.Err() != nil {
			return false
		}
	}
	return true
}

// scratch is a buffer for what goes by.
func (r *reader) scratch() []byte {
	if r.spare == nil {
		r.spare = make([]byte, 256<<10)
	}
	return r.spare
}

// heapRecord reads a heap dump or a segment of one, of which the head was read.
// False ends the reading.
func (r *reader) heapRecord(tag byte, length uint32) bool {
	if !r.open {
		r.dumps++
		r.open = true
		if r.dumps == 1 {
			r.ended = false
			r.segments = tag == recSegment
		}
	}
	if r.dumps > 1 {
		// Only the first dump counts; those after it are other moments.
		if r.dumps > r.skipped+1 {
			r.skipped++
			r.losses.add(lossOtherDump, 1, 0, r.src.at-9)
		}
		ok := length != 0 && r.pass(int64(length))
		if tag == recHeapDump {
			r.open = false
		}
		return ok
	}
	if tag == recSegment && length > 0 && int64(length) <= int64(r.o.chunk) {
		return r.segment(int(length))
	}
	ok := r.long(tag, int64(length))
	if tag == recHeapDump {
		r.open = false
	}
	return ok
}

// segment reads a segment that fits into a chunk, which is every one that
// HotSpot writes but those of long arrays.
func (r *reader) segment(length int) bool {
	if length > r.target-r.cur.n {
		r.dispatch()
	}
	c := r.cur
	c.room(c.n + length)
	at := r.src.at
	got := r.src.read(c.buf[c.n : c.n+length])
	end := c.n + got
	if got < length {
		// Without its end the last record is no record.
		end = c.n + r.wholeRecords(c.buf[c.n:end], at)
		r.cut = true
	}
	r.piece(piece{c.n, end, at})
	return got == length && r.ctx.Err() == nil
}

// wholeRecords is how many bytes of b are records that are whole, up to the
// first that is cut by its end, which is counted as lost.
func (r *reader) wholeRecords(b []byte, at int64) int {
	p := 0
	for p < len(b) {
		n, ext := r.form.extent(b[p:])
		if ext == garbage {
			return len(b) // whoever goes through the piece counts it
		}
		if ext == short || n > int64(len(b)-p) {
			r.losses.add(lossCut, 1, int64(len(b)-p), at+int64(p))
			break
		}
		p += int(n)
	}
	return p
}

// piece adds records that are in the chunk's buffer to it. Until the first object
// they are class records, which are taken here: everything else needs them.
func (r *reader) piece(p piece) {
	c := r.cur
	c.n = p.end
	if !r.sealed {
		p = r.classRecords(p)
	}
	if p.off < p.end {
		c.pieces = append(c.pieces, p)
	} else if len(c.pieces) == 0 {
		c.n = 0
	}
}

// classRecords takes the class records and roots at the start of a piece and
// gives the rest of it.
func (r *reader) classRecords(p piece) piece {
	b := r.cur.buf[:p.end]
	for p.off < p.end {
		rec := b[p.off:]
		n, ext := r.form.extent(rec)
		if ext != whole || n > int64(len(rec)) {
			return p // counted by whoever goes through the piece
		}
		switch tag := rec[0]; tag {
		case subInstance, subObjects, subPrimitives, subNoData:
			r.sealed = true
			r.seal(false)
			return p
		case subClass:
			r.classes.add(rec[:n])
		case subHeapInfo:
		default:
			r.early.root(r.form, tag, rec[:n])
		}
		p.off += int(n)
		p.at += n
	}
	return p
}
