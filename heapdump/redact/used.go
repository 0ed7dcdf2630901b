package redact

import "io"

// used collects the identifiers of names that something has.
type used struct {
	names map[uint64]bool
	ids   int
}

func (u *used) head(_ []byte, ids int) error {
	u.ids = ids
	return nil
}

func (u *used) record(tag byte, _ uint32, body []byte) error {
	// The places of names behind four-byte numbers and identifiers, by kind of record.
	switch {
	case tag == recLoadClass && len(body) >= 8+2*u.ids: // serial, class, stack, name
		u.add(body[8+u.ids:])
	case tag == recFrame && len(body) >= 4*u.ids: // frame, method, signature, source
		for i := 1; i < 4; i++ {
			u.add(body[i*u.ids:])
		}
	}
	return nil
}

func (u *used) add(b []byte) { u.names[number(b, u.ids)] = true }

func (u *used) object(rec []byte) error {
	if rec[0] != subClass {
		return nil
	}
	r, _ := parseClass(rec, u.ids)
	for _, v := range r.values {
		if v.static {
			u.names[v.name] = true
		}
	}
	for _, name := range r.fields {
		u.names[name] = true
	}
	return nil
}

func (u *used) array(_ []byte, body io.Reader, _ int64) error {
	_, err := io.Copy(io.Discard, body)
	return err
}

func (u *used) ended(bool) error { return nil }
