package loadgen

import (
	"strconv"
	"strings"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/meta"
)

// Header is one header line of the request, sent as it is.
type Header struct{ Name, Value string }

// ParseHeader reads "Name: value".
func ParseHeader(line string) (Header, error) {
	name, value, ok := strings.Cut(line, ":")
	if !ok {
		return Header{}, fault.Usagef("expected a header as Name: value, found %q", line)
	}
	h := Header{Name: name, Value: strings.Trim(value, " \t")}
	return h, h.check()
}

// check refuses what would make the request's bytes mean something else, and
// the headers that this client sets itself.
func (h Header) check() error {
	switch {
	case !isToken([]byte(h.Name)):
		return fault.Usagef("expected a header name, found %q", h.Name)
	case !cleanText([]byte(h.Value)):
		return fault.Usagef("control character in the value of header %q", h.Name)
	case strings.EqualFold(h.Name, "Content-Length"), strings.EqualFold(h.Name, "Transfer-Encoding"):
		return fault.Usagef("header %s is set from the body", h.Name)
	}
	return nil
}

const userAgent = meta.Name

// saysLength reports whether a request says how long its body is: a method that
// has a meaning for a body does even when it is empty (RFC 9110 section 8.6).
func saysLength(method string, body []byte) bool {
	return len(body) > 0 || method == "POST" || method == "PUT" || method == "PATCH"
}

// requestBytes makes the bytes of a request to a host as HTTP/1.1 has them.
func requestBytes(host string, r *Request) ([]byte, error) {
	method, headers, body := r.Method, r.Headers, r.Body
	if !isToken([]byte(method)) {
		return nil, fault.Usagef("expected a method such as GET or POST, found %q", method)
	}
	if method == "CONNECT" {
		return nil, fault.Usagef("method CONNECT is not supported")
	}
	var b strings.Builder
	b.WriteString(method + " " + r.Path + " HTTP/1.1\r\n")
	has := map[string]bool{}
	for _, h := range headers {
		if err := h.check(); err != nil {
			return nil, err
		}
		has[strings.ToLower(h.Name)] = true
	}
	// The host keeps its brackets if it is an IPv6 literal.
	if !has["host"] {
		b.WriteString("Host: " + host + "\r\n")
	}
	if !has["user-agent"] {
		b.WriteString("User-Agent: " + userAgent + "\r\n")
	}
	for _, h := range headers {
		b.WriteString(h.Name + ": " + h.Value + "\r\n")
	}
	if saysLength(method, body) {
		b.WriteString("Content-Length: " + strconv.Itoa(len(body)) + "\r\n")
	}
	b.WriteString("\r\n")
	b.Write(body)
	return []byte(b.String()), nil
}
