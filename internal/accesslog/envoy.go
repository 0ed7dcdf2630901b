package accesslog

import "time"

// envoy reads the default text of Envoy, and that of Istio, which has three fields
// more:
//
//	[2016-04-15T20:17:00.310Z] "POST /api HTTP/2" 204 - 154 0 226 100 "10.0.35.28" "agent" "id" "host" "10.0.2.1:80"
//
// The time is that of the request's start.
type envoy struct{ stamps stamps }

func (p *envoy) parse(line []byte, r *Record) string {
	if len(line) == 0 || line[0] != '[' {
		return "no time in brackets at the start"
	}
	t, n := p.stamps.iso(line[1:])
	if n == 0 || n+2 >= len(line) || line[n+1] != ']' {
		return "no time in brackets at the start"
	}
	t.set(r)
	c := cursor{line[n+2:]}
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
	c.word() // response flags
	received := c.field()
	if _, ok := number(received); !ok { // Istio: details, termination details, failure
		c.field()
		c.field()
		received = c.field()
	}
	sent, duration, upstream := c.word(), c.word(), c.word()
	ms, ok := number(duration)
	if _, is := number(received); !is || !ok {
		return "no sizes and durations after the response flags"
	}
	r.Received, r.Sent = size(received), size(sent)
	r.Duration = milliseconds(ms)
	if v, ok := number(upstream); ok {
		r.Upstream = milliseconds(v)
	}
	requestLine(request, r)
	return ""
}

// maxMilliseconds bounds a duration in milliseconds, to 31 years: what is longer is
// no duration.
const maxMilliseconds = 1e12

// milliseconds is a duration, [Unknown] where it is longer than one that makes sense.
func milliseconds(ms int64) time.Duration {
	if ms < 0 || ms > maxMilliseconds {
		return Unknown
	}
	return time.Duration(ms) * time.Millisecond
}
