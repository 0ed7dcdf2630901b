package loadgen

import (
	"strconv"
	"strings"

	"golang.org/x/net/http2/hpack"
)

// hopHeaders are about one connection of HTTP/1.1 and have no place in HTTP/2
// (RFC 9113 section 8.2.2).
var hopHeaders = map[string]bool{
	"connection": true, "keep-alive": true, "proxy-connection": true,
	"transfer-encoding": true, "upgrade": true, "host": true,
}

// h2Fields makes the header list of a request as HTTP/2 has it: the same request
// as [requestBytes] makes, with names in lower case.
func h2Fields(scheme, host string, m *message) []hpack.HeaderField {
	var rest []hpack.HeaderField
	agent := false
	for _, h := range m.Headers {
		name := strings.ToLower(h.Name)
		if name == "host" {
			host = h.Value
		}
		if hopHeaders[name] || name == "te" && !strings.EqualFold(h.Value, "trailers") {
			continue
		}
		agent = agent || name == "user-agent"
		rest = append(rest, hpack.HeaderField{Name: name, Value: h.Value})
	}
	fields := []hpack.HeaderField{
		{Name: ":method", Value: m.Method}, {Name: ":scheme", Value: scheme},
		{Name: ":authority", Value: host}, {Name: ":path", Value: m.Path},
	}
	if !agent {
		fields = append(fields, hpack.HeaderField{Name: "user-agent", Value: userAgent})
	}
	fields = append(fields, rest...)
	if saysLength(m.Method, m.Body) {
		fields = append(fields, hpack.HeaderField{Name: "content-length", Value: strconv.Itoa(len(m.Body))})
	}
	return fields
}
