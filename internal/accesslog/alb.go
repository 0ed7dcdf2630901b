package accesslog

import "time"

// alb reads the access logs of AWS application load balancers:
//
//	https 2018-07-02T22:23:00.186641Z app/lb/50dc 192.168.131.39:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://www.example.com:443/ HTTP/1.1" "curl/7.46.0" …
//
// The time at the front is that of the answer. Newer lines also have that of the
// request, which is taken where it is there.
type alb struct{ stamps stamps }

func (p *alb) parse(line []byte, r *Record) string {
	c := cursor{line}
	switch string(c.word()) {
	case "http", "https", "h2", "grpcs", "ws", "wss":
	default:
		return "no type such as http or h2 at the start"
	}
	at := c.word()
	t, n := p.stamps.iso(at)
	if n == 0 || n != len(at) {
		return "no time in the second field"
	}
	t.set(r)
	r.AtEnd = true
	c.word() // balancer
	c.word() // client
	c.word() // target
	p.durations(&c, r)
	code, ok := status(c.word())
	if !ok {
		return "no status in the ninth field"
	}
	r.Status = code
	c.word() // the target's status
	r.Received, r.Sent = size(c.word()), size(c.word())
	request, ok := c.quoted()
	if !ok {
		return "no request in quotes"
	}
	requestLine(request, r)
	p.creation(&c, r)
	return ""
}

// durations reads the three parts of a request's time; -1 is one that did not come
// to pass.
func (p *alb) durations(c *cursor, r *Record) {
	sum, any := int64(0), false
	for i := range 3 {
		v, ok := decimal(c.word(), int64(time.Second))
		if !ok {
			continue
		}
		sum, any = sum+v, true
		if i == 1 {
			r.Upstream = time.Duration(v)
		}
	}
	if any {
		r.Duration = time.Duration(sum)
	}
}

// creation reads the time at which the balancer had the request, ten fields on.
func (p *alb) creation(c *cursor, r *Record) {
	for range 8 { // agent, cipher, protocol, group, trace, domain, certificate, priority
		c.field()
	}
	at := c.word()
	if t, n := p.stamps.iso(at); n > 0 && n == len(at) {
		t.set(r)
		r.AtEnd = false
	}
}
