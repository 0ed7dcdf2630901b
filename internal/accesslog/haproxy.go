package accesslog

import "bytes"

// haproxy reads HAProxy's HTTP log (option httplog), with the prefix of syslog or
// without:
//
//	haproxy[1]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} "GET /index.html HTTP/1.1"
//
// The time is that of the request's start.
type haproxy struct{ stamps stamps }

func (p *haproxy) parse(line []byte, r *Record) string {
	i := bytes.IndexByte(line, '[')
	if j := bytes.Index(line, []byte("]: ")); j >= 0 && j > i && isPid(line[i+1:j]) {
		i = bytes.IndexByte(line[j:], '[')
		if i >= 0 {
			i += j
		}
	}
	if i < 0 {
		return "no time in brackets"
	}
	c := cursor{line[i+1:]}
	t, n := p.stamps.clf(c.b)
	if n == 0 || n+1 >= len(c.b) || c.b[n] != ']' || c.b[n+1] != ' ' {
		return "no time in brackets"
	}
	t.set(r)
	c.b = c.b[n+2:]
	c.word()           // frontend
	server := c.word() // backend/server
	timers := c.word()
	if bytes.IndexByte(server, '/') < 0 || bytes.Count(timers, slash) != 4 {
		return "no timers such as 10/0/30/69/109 after the server"
	}
	p.timers(timers, r)
	code, ok := status(c.word())
	if !ok {
		return "no status after the timers"
	}
	r.Status = code
	r.Sent = size(bytes.TrimPrefix(c.word(), []byte("+")))
	q := bytes.IndexByte(c.b, '"')
	if q < 0 {
		return "no request in quotes"
	}
	// Captured headers in braces may hold quotes; the request is the last field.
	if k := bytes.LastIndex(c.b, []byte(` "`)); k >= 0 {
		q = k + 1
	}
	request := bytes.TrimSuffix(bytes.TrimRight(c.b[q+1:], " "), []byte(`"`))
	requestLine(request, r)
	return ""
}

// timers reads TR/Tw/Tc/Tr/Ta: the fourth is the server's response time, the last
// one the whole; -1 where it did not come to it.
func (p *haproxy) timers(b []byte, r *Record) {
	for i := range 5 {
		part := b
		if k := bytes.IndexByte(b, '/'); k >= 0 {
			part, b = b[:k], b[k+1:]
		}
		ms, ok := number(bytes.TrimPrefix(part, []byte("+")))
		switch {
		case !ok:
		case i == 3:
			r.Upstream = milliseconds(ms)
		case i == 4:
			r.Duration = milliseconds(ms)
		}
	}
}

func isPid(b []byte) bool {
	_, ok := number(b)
	return ok
}
