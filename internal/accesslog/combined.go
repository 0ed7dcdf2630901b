package accesslog

import (
	"bytes"
	"time"
)

// combined reads the common and the combined format of Apache, nginx, Traefik and
// many others, with what is often added at the end:
//
//	10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 2326 "ref" "agent" 0.034
//
// A last field with a decimal point is nginx's $request_time in seconds; one that
// ends in ms is Traefik's, whose time is that of the start. A last field that is a
// whole number may be anything (Apache's %D is microseconds, its %T seconds) and is
// not read: a log format says what it is.
type combined struct{ stamps stamps }

func (p *combined) parse(line []byte, r *Record) string {
	c := cursor{line}
	for {
		i := bytes.IndexByte(c.b, '[')
		if i < 0 {
			return "no time in brackets"
		}
		c.b = c.b[i+1:]
		if t, n := p.stamps.clf(c.b); n > 0 && n < len(c.b) && c.b[n] == ']' {
			t.set(r)
			c.b = c.b[n+1:]
			break
		}
	}
	c.space()
	request, ok := c.quoted()
	if !ok {
		return "no request in quotes after the time"
	}
	code, ok := status(c.word())
	if !ok {
		return "no status after the request"
	}
	r.Status = code
	r.Sent = size(c.word())
	requestLine(unescape(request), r)
	p.rest(c, r)
	return ""
}

// rest reads what follows the combined format.
func (p *combined) rest(c cursor, r *Record) {
	if len(c.b) == 0 || isDigit(c.b[0]) && !p.times(c.b, r) {
		return
	}
	if _, ok := c.quoted(); !ok { // referer
		return
	}
	if _, ok := c.quoted(); !ok { // agent
		return
	}
	p.times(c.b, r)
}

// times reads durations from the fields at the end. It returns whether there is
// more than one field.
func (p *combined) times(b []byte, r *Record) bool {
	b = bytes.TrimRight(b, " ")
	if len(b) == 0 {
		return false
	}
	last := b[bytes.LastIndexByte(b, ' ')+1:]
	if ms, ok := bytes.CutSuffix(last, []byte("ms")); ok {
		if v, ok := decimal(ms, int64(time.Millisecond)); ok {
			r.Duration = time.Duration(v)
		}
		return true
	}
	c := cursor{b}
	first := bytes.Trim(c.field(), `"`)
	if v, ok := seconds(first); ok {
		r.Duration, r.AtEnd = v, true
		if v, ok := seconds(bytes.Trim(c.field(), `"`)); ok {
			r.Upstream = v
		}
	} else if v, ok := seconds(bytes.Trim(last, `"`)); ok {
		r.Duration, r.AtEnd = v, true
	}
	return true
}

// seconds reads a duration in seconds that has a decimal point, as nginx writes it.
func seconds(b []byte) (time.Duration, bool) {
	i := bytes.IndexByte(b, '.')
	if i <= 0 || !isDigit(b[0]) || bytes.IndexByte(b[i+1:], '.') >= 0 && bytes.IndexByte(b, ',') < 0 {
		return 0, false
	}
	v, ok := decimal(b, int64(time.Second))
	if !ok {
		v, ok = sumDecimals(b, int64(time.Second))
	}
	return time.Duration(v), ok
}
