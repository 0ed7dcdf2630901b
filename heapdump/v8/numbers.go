package v8

import "fmt"

// maxNumber bounds a number in an array: larger ones are no count, size or index.
const maxNumber = 1 << 62

// numbers reads the numbers of an array into dst, up to its length; more is false
// when the array has ended with them. It begins behind "[" and goes on where it
// stopped: first is true for the first call of an array.
func (s *scanner) numbers(dst []uint64, first bool) (n int, more bool, err error) {
	if first && s.peek() == ']' {
		s.at++
		return 0, false, nil
	}
	for n < len(dst) {
		if v, ok := s.quick(); ok {
			dst[n] = v
			n++
			continue
		}
		v, err := s.number()
		if err != nil {
			return n, false, err
		}
		c := s.peek()
		switch c {
		case ',':
			s.at++
			dst[n] = v
			n++
		case ']':
			s.at++
			dst[n] = v
			return n + 1, false, nil
		case 0:
			if s.err != nil {
				return n, false, s.err // a number at the end may have lost digits
			}
			fallthrough
		default:
			return n, false, s.wrong(`"," or "]"`, c)
		}
	}
	return n, true, nil
}

// quickDigits is how many digits a number has at most that is read the quick way, with
// room for a line break before it and a comma behind it.
const quickDigits = 18

// quick reads a number of digits alone and the comma behind it, as nearly all are, if
// they are in the buffer as a whole. Otherwise it takes nothing.
func (s *scanner) quick() (v uint64, ok bool) {
	if s.end-s.at < quickDigits+2 {
		return 0, false
	}
	b := s.buf[s.at : s.at+quickDigits+2]
	i := 0
	for i < quickDigits {
		d := b[i] - '0'
		if d > 9 {
			break
		}
		v = v*10 + uint64(d)
		i++
	}
	if i == 0 {
		return 0, false
	}
	if b[i] == ',' {
		s.at += i + 1
		return v, true
	}
	// V8 breaks the line behind the last number of a node or an edge.
	if b[i] == '\n' && b[i+1] == ',' {
		s.at += i + 2
		return v, true
	}
	return 0, false
}

// number reads one whole number. A negative one, as a size that is not known may be,
// counts as 0.
func (s *scanner) number() (uint64, error) {
	c := s.peek()
	minus := c == '-'
	if minus {
		s.at++
	}
	v, digits := uint64(0), 0
	for {
		for s.at < s.end {
			d := s.buf[s.at] - '0'
			if d > 9 {
				return s.ended(v, digits, minus)
			}
			if v = v*10 + uint64(d); v >= maxNumber {
				return 0, fmt.Errorf("offset %d: expected a number below 2^62", s.pos())
			}
			digits++
			s.at++
		}
		if !s.fill() {
			return 0, s.err
		}
	}
}

func (s *scanner) ended(v uint64, digits int, minus bool) (uint64, error) {
	switch c := s.buf[s.at]; {
	case digits == 0:
		return 0, s.wrong("a number", c)
	case c == '.' || c == 'e' || c == 'E':
		return 0, s.wrong("a whole number", c)
	case minus:
		return 0, nil
	}
	return v, nil
}
