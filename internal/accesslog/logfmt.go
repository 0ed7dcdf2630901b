package accesslog

import "bytes"

// logfmt reads key=value pairs, with quotes about values that have spaces:
//
//	time=2024-05-01T10:00:00Z method=GET path=/feed status=200 duration=3.4ms
type logfmt struct{ stamps stamps }

func (p *logfmt) parse(line []byte, r *Record) string {
	f := fields{stamps: &p.stamps, r: r}
	pairs := 0
	for b := bytes.TrimSpace(line); len(b) > 0; {
		eq := bytes.IndexAny(b, "= ")
		if eq < 0 || b[eq] == ' ' {
			if eq < 0 {
				break
			}
			b = bytes.TrimLeft(b[eq:], " ") // a word alone
			continue
		}
		key := b[:eq]
		b = b[eq+1:]
		c := cursor{b}
		var value []byte
		var ok bool
		if value, ok = c.quoted(); ok {
			value = unescape(value)
		} else {
			value = c.word()
		}
		if len(key) > 0 {
			f.put(key, value, true)
			pairs++
		}
		b = bytes.TrimLeft(c.b, " ")
	}
	if pairs < 2 {
		return "no pairs such as status=200"
	}
	return f.finish()
}
