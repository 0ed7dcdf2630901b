package v8

import "strings"

// words reads the member "strings": the texts that name something are kept, all
// others passed over.
func (r *reading) words() error {
	if _, err := r.expect("["); err != nil {
		return err
	}
	if r.peek() == ']' {
		r.at++
		return nil
	}
	var buf []byte
	for i := uint64(0); ; i++ {
		class, label := r.classes.has64(i), r.labels.has64(i)
		most := 0
		if class || label {
			most = maxWord
		}
		text, err := r.text(buf[:0], most)
		if err != nil {
			return err
		}
		buf = text
		if i < maxWanted {
			r.s.places.add(placeOf(text))
		}
		if most > 0 {
			r.keep(uint32(i), text, class)
		}
		c, err := r.expect(",]")
		if err != nil {
			return err
		}
		if c == ']' {
			return nil
		}
	}
}

// keep keeps a name. Those of classes have room of their own, so that a table with
// millions of keys does not take it from them.
func (r *reading) keep(i uint32, text []byte, class bool) {
	s := r.s
	if !class && placeOf(text) > 0 {
		return // the place in a table, of which there may be millions
	}
	room := &s.labelBytes
	if class {
		room = &s.classBytes
		s.Named = true
	}
	if *room >= maxWords {
		r.lose("names beyond what is kept")
		return
	}
	s.words[i] = string(text)
	*room += len(text) + wordCost
}

// wordCost is what a name costs beside its text.
const wordCost = 48

// pairMark is what V8 writes behind the place of an entry of a weak map.
const pairMark = " / part of key"

// placeOf reads the name of an edge that is the place in a table, as "259", and
// returns it plus 1; 0 for any other name.
func placeOf(text []byte) uint32 {
	digits := string(text[:min(len(text), 10+len(pairMark))])
	digits, _, _ = strings.Cut(digits, pairMark)
	if len(digits) == 0 || len(digits) > 9 {
		return 0
	}
	v := uint32(0)
	for i := range len(digits) {
		d := digits[i] - '0'
		if d > 9 {
			return 0
		}
		v = v*10 + uint32(d)
	}
	return v + 1
}

func (b bits) has64(i uint64) bool { return i < maxWanted && b.has(uint32(i)) }
