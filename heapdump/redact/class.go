package redact

// classRecord is a class record taken apart.
type classRecord struct {
	size int
	// values are those in it: of the constant pool and of statics.
	values []value
	// fields are the identifiers of the names of its own fields.
	fields []uint64
}

// value is a value within a class record.
type value struct {
	at, size int
	kind     byte
	// name is the identifier of the name of a static, 0 in the constant pool.
	name   uint64
	static bool
}

// classSize is the length of the class record that comes next. One that is larger
// than the window is none that a VM has, and taken for damage.
func (w *walker) classSize() (int64, error) {
	for n := 4096; ; n *= 2 {
		b, err := w.peek(min(n, window))
		if err != nil && err != errCut {
			return 0, err
		}
		r, state := parseClass(b, w.ids)
		switch {
		case state == parsed:
			return int64(r.size), nil
		case state == broken || state == tooShort && n >= window:
			return 0, errGarbage
		case err == errCut:
			return 0, errCut
		}
	}
}

// How far a class record could be taken apart.
const (
	parsed = iota
	tooShort
	broken
)

// parseClass takes apart the class record at the start of b.
func parseClass(b []byte, ids int) (r classRecord, state int) {
	p := 1 + 4 + 7*ids + 4
	for section := range 3 {
		if len(b) < p+2 {
			return r, tooShort
		}
		n := int(be.Uint16(b[p:]))
		p += 2
		if section == 2 {
			r.size = p + n*(ids+1)
			if len(b) < r.size {
				return r, tooShort
			}
			for i := range n {
				r.fields = append(r.fields, number(b[p+i*(ids+1):], ids))
			}
			return r, parsed
		}
		key := 2 // index in the constant pool
		if section == 1 {
			key = ids // name
		}
		for range n {
			if len(b) < p+key+1 {
				return r, tooShort
			}
			v := value{at: p + key + 1, kind: b[p+key], static: section == 1}
			if v.size = width(v.kind, ids); v.size == 0 {
				return r, broken
			}
			if v.static {
				v.name = number(b[p:], ids)
			}
			r.values = append(r.values, v)
			if p += key + 1 + v.size; len(b) < p {
				return r, tooShort
			}
		}
	}
	return r, broken
}

// number reads an identifier.
func number(b []byte, ids int) uint64 {
	if ids == 8 {
		return be.Uint64(b)
	}
	return uint64(be.Uint32(b))
}
