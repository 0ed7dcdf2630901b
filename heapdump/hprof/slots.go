package hprof

// slots looks at the slots of an object array as they go by, in parts of any
// length.
type slots struct {
	form *form
	g    *giant
	on   bool
	tail []byte // of a slot that was cut
	n    int64
}

func (s *slots) take(b []byte) {
	if !s.on {
		return
	}
	ids := s.form.ids
	if len(s.tail) > 0 {
		k := min(ids-len(s.tail), len(b))
		s.tail = append(s.tail, b[:k]...)
		b = b[k:]
		if len(s.tail) < ids {
			return
		}
		s.slot(s.form.id(s.tail))
		if s.g.links != nil {
			s.g.links.take(s.form, s.tail)
		}
		s.tail = s.tail[:0]
	}
	whole := len(b) / ids * ids
	s.all(b[:whole])
	if s.g.links != nil {
		s.g.links.take(s.form, b[:whole])
	}
	s.tail = append(s.tail, b[whole:]...)
}

// all takes whole slots.
func (s *slots) all(b []byte) {
	if s.form.ids != 8 || s.g.step != 1 {
		for ids := s.form.ids; len(b) > 0; b = b[ids:] {
			s.slot(s.form.id(b))
		}
		return
	}
	s.n += int64(len(b) / 8)
	for ; len(b) >= 8; b = b[8:] {
		id := be.Uint64(b)
		if id != 0 {
			s.g.filled++
		}
		s.g.refs = append(s.g.refs, id)
	}
}

func (s *slots) slot(id uint64) {
	if id != 0 {
		s.g.filled++
	}
	if s.n%s.g.step == 0 {
		s.g.refs = append(s.g.refs, id)
	}
	s.n++
}
