package accesslog

import (
	"bytes"
	"time"
)

// meaning is what the value of a key of JSON lines and logfmt stands for.
type meaning uint8

const (
	ignored meaning = iota
	timeStart
	timeEnd
	method
	path
	query
	request
	protocol
	statusCode
	sent
	received
	// Durations by unit; durationAny has none of its own.
	seconds1
	millis
	micros
	nanos
	durationAny
	upstreamSeconds
	upstreamMillis
	upstreamNanos
)

// keys are the names that nginx, Apache, Envoy and Istio, Caddy, Traefik and common
// libraries give, in lower case and without underscores, hyphens, dots and @.
var keys = map[string]meaning{
	// nginx (names of its variables), Apache
	"timelocal": timeEnd, "timeiso8601": timeEnd, "msec": timeEnd,
	"request": request, "requestmethod": method, "requesturi": path,
	"requesttime": seconds1, "upstreamresponsetime": upstreamSeconds,
	"bodybytessent": sent, "bytessent": sent, "requestlength": received, "serverprotocol": protocol,
	// any
	"time": timeEnd, "timestamp": timeEnd, "ts": timeEnd, "datetime": timeEnd, "date": timeEnd,
	"method": method, "httpmethod": method, "verb": method,
	"path": path, "uri": path, "url": path, "target": path, "urlpath": path, "httppath": path, "httptarget": path,
	"requestpath": path, "querystring": query, "query": query, "args": query, "urlquery": query,
	"status": statusCode, "statuscode": statusCode, "httpstatus": statusCode, "httpstatuscode": statusCode,
	"httpresponsestatuscode": statusCode, "code": statusCode, "responsestatus": statusCode,
	"protocol": protocol, "proto": protocol, "httpversion": protocol,
	"size": sent, "bytes": sent, "responsesize": sent, "length": sent, "bytesout": sent, "httpresponsebodybytes": sent,
	"requestsize": received, "bytesread": received, "bytesin": received, "httprequestbodybytes": received,
	"duration": durationAny, "latency": durationAny, "elapsed": durationAny, "took": durationAny, "responsetime": durationAny,
	"durationms": millis, "latencyms": millis, "elapsedms": millis, "responsetimems": millis, "eventduration": nanos,
	"durations": seconds1, "durationseconds": seconds1, "durationns": nanos, "durationus": micros, "latencyus": micros,
	"service": millis, // Heroku's router
	// Envoy and Istio
	"starttime": timeStart, "responsecode": statusCode, "bytesreceived": received,
	"upstreamservicetime": upstreamMillis, "xenvoyupstreamservicetime": upstreamMillis,
	"xenvoyoriginalpath": path, "authorityandpath": ignored,
	// Traefik
	"startutc": timeStart, "startlocal": timeStart, "downstreamstatus": statusCode, "downstreamcontentsize": sent,
	"requestcontentsize": received, "requestprotocol": protocol, "originduration": upstreamNanos,
}

// maxKey bounds the keys that are looked up.
const maxKey = 40

// meaningOf looks a key up without making a string of it.
func meaningOf(key []byte) meaning {
	if len(key) > maxKey {
		return ignored
	}
	var buf [maxKey]byte
	n := 0
	for _, c := range key {
		switch {
		case c == '_' || c == '-' || c == '.' || c == '@':
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		buf[n] = c
		n++
	}
	return keys[string(buf[:n])]
}

// fields gathers the values of one line.
type fields struct {
	stamps *stamps
	r      *Record
	query  []byte
	// hasTime says that a time was read; a start stands before an end.
	hasTime, hasStart bool
	// seconds says that a duration without a unit is in seconds: Caddy writes ts and
	// duration so.
	seconds bool
	any     []byte // a duration without a unit
	anyText bool   // which was a string
	badTime bool
}

// put takes the value of a key. text says that it was a string.
func (f *fields) put(key, value []byte, text bool) {
	r := f.r
	switch m := meaningOf(key); m {
	case ignored:
	case timeStart, timeEnd:
		f.time(key, value, m == timeStart)
	case method:
		if isMethod(value) {
			r.Method = value
		}
	case path:
		if len(value) > 0 && (value[0] == '/' || bytes.Contains(value, []byte("://"))) && (r.Path == nil || len(value) > len(r.Path)) {
			r.Path = pathOf(value)
		}
	case query:
		f.query = value
	case request:
		if text {
			requestLine(value, r)
		}
	case protocol:
		r.Protocol = value
	case statusCode:
		if code, ok := status(value); ok {
			r.Status = code
		}
	case sent:
		if v, ok := number(value); ok {
			r.Sent = v
		}
	case received:
		if v, ok := number(value); ok {
			r.Received = v
		}
	case durationAny:
		if len(key) > 0 && key[0] == 'D' && !text { // Traefik's Duration
			m = nanos
		} else {
			f.any, f.anyText = value, text
			return
		}
		fallthrough
	default:
		f.duration(m, value)
	}
}

func (f *fields) duration(m meaning, value []byte) {
	r := f.r
	to, unit := &r.Duration, time.Second
	switch m {
	case millis:
		unit = time.Millisecond
	case micros:
		unit = time.Microsecond
	case nanos:
		unit = time.Nanosecond
	case upstreamSeconds:
		to = &r.Upstream
	case upstreamMillis:
		to, unit = &r.Upstream, time.Millisecond
	case upstreamNanos:
		to, unit = &r.Upstream, time.Nanosecond
	}
	v, ok := decimal(value, int64(unit))
	if !ok {
		v, ok = sumDecimals(value, int64(unit))
	}
	if !ok && bytes.HasSuffix(value, []byte("ms")) {
		v, ok = decimal(value[:len(value)-2], int64(time.Millisecond))
	}
	if ok {
		*to = time.Duration(v)
	}
}

func (f *fields) time(key, value []byte, start bool) {
	if f.hasStart || f.hasTime && !start && !better(key) {
		return
	}
	t, ok := f.stamps.any(value)
	if !ok {
		f.badTime = true
		return
	}
	if f.hasTime && !start && t.resolution >= f.r.Resolution {
		return
	}
	t.set(f.r)
	f.hasTime, f.hasStart = true, start
	f.r.AtEnd = !start
	f.seconds = string(key) == "ts"
}

// better reports whether a second time in a line may be the more exact one: nginx's
// msec beside its time_local.
func better(key []byte) bool { return string(key) == "msec" || string(key) == "time_iso8601" }

// finish fills in what the values tell together. It returns why the line is no
// record.
func (f *fields) finish() string {
	r := f.r
	switch {
	case !f.hasTime && f.badTime:
		return "no time that can be read"
	case !f.hasTime:
		return "no key with the time"
	case r.Method == nil && r.Path == nil && r.Status == 0:
		return "no key with method, path or status"
	}
	if f.any != nil && r.Duration == Unknown {
		f.anyDuration()
	}
	if len(f.query) > 0 && r.Path != nil && bytes.IndexByte(r.Path, '?') < 0 {
		full := make([]byte, 0, len(r.Path)+1+len(f.query))
		full = append(full, r.Path...)
		if f.query[0] != '?' {
			full = append(full, '?')
		}
		r.Path = append(full, f.query...)
	}
	return ""
}

// anyDuration reads a duration whose key names no unit: with a unit of its own, in
// seconds where it has a decimal point or stands beside Caddy's ts, else in
// milliseconds, as Envoy and most libraries write it.
func (f *fields) anyDuration() {
	if f.anyText {
		if d, err := time.ParseDuration(string(f.any)); err == nil && d >= 0 {
			f.r.Duration = d
			return
		}
	}
	if f.seconds || bytes.IndexByte(f.any, '.') >= 0 {
		f.duration(seconds1, f.any)
		return
	}
	f.duration(millis, f.any)
}
