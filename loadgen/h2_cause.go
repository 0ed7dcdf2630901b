package loadgen

import "golang.org/x/net/http2"

// Causes of class failed that only HTTP/2 knows. Others are named after the error
// codes of RFC 9113 section 7: "stream reset: " and "stream reset mid-answer: "
// for RST_STREAM, "not processed: GOAWAY " for requests after the last one that a
// closing service will answer, "connection ended: GOAWAY " for those before it
// that it did not answer, "HTTP/2 protocol error: " for what the service did wrong.
const (
	// CauseSpeaks1 is a service that answers HTTP/2 with HTTP/1.1.
	CauseSpeaks1 = "the service speaks HTTP/1.1, not HTTP/2"
	// CauseNoSettings is a connection that did not begin with HTTP/2's settings.
	CauseNoSettings = "no HTTP/2 settings from the service"
	// CauseNotReading is a service that lets 2 MiB wait unread.
	CauseNotReading = "the service does not read its HTTP/2 connection"
	// CauseNoStream is a request that could not be given to any connection.
	CauseNoStream = "the service allows no HTTP/2 stream"
	// CauseShortBody is an answer that ended before its Content-Length.
	CauseShortBody = malformed + "body shorter than Content-Length"
)

// codeName names an error code; unknown ones share a name, so that a service that
// makes them up costs no memory.
func codeName(code http2.ErrCode) string {
	if code <= http2.ErrCodeHTTP11Required {
		return code.String()
	}
	return "unknown code"
}

func resetCause(code http2.ErrCode, started bool) string {
	if started {
		return "stream reset mid-answer: " + codeName(code)
	}
	return "stream reset: " + codeName(code)
}

func goAwayCause(code http2.ErrCode, processed bool) string {
	if processed {
		return "connection ended: GOAWAY " + codeName(code)
	}
	return "not processed: GOAWAY " + codeName(code)
}

func protocolCause(code http2.ErrCode) string { return "HTTP/2 protocol error: " + codeName(code) }
