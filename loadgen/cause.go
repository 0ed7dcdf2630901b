package loadgen

import "strconv"

// Causes of class failed, as [Segment.Causes] names them. A malformed answer has
// the cause "malformed answer: " and why; an answer with a status that is
// neither a success nor a refusal has "status " and its three digits.
const (
	CauseRefused     = "connection refused"
	CauseUnreachable = "host unreachable"
	CauseConnectTime = "connect timed out"
	// CauseHandshakeTime is a TLS handshake that was not done by the deadline.
	CauseHandshakeTime = "TLS handshake timed out"
	// CauseReset is a connection reset after the request was written and before
	// the first byte of an answer.
	CauseReset = "connection reset"
	// CauseNoAnswer is a new connection closed in order before the first byte of
	// an answer; CauseNoAnswerReused is the same on a connection that had
	// answered before: a service that closes kept connections without saying so.
	CauseNoAnswer       = "closed without an answer"
	CauseNoAnswerReused = "kept connection closed without an answer"
	// CauseCutOff is an answer that ended before it was complete.
	CauseCutOff      = "closed mid-answer"
	CauseResetAnswer = "reset mid-answer"
	CauseSurplus     = "malformed answer: bytes after its end"
	CauseHeaderSize  = "malformed answer: headers over 1 MiB"
	CauseBodySize    = "body over 1 MiB: too long for a json rule"
)

// The generator's own limits, as [Result.Limits] and, where a request failed for
// them, [Segment.Causes] name them.
const (
	LimitPorts = "no free local port (the generator's limit)"
	LimitFiles = "too many open files (the generator's limit)"
	// LimitConns counts planned requests that had to wait because the bound on
	// connections was met.
	LimitConns = "connection bound met (the generator's limit)"
	// LimitStreams counts planned requests that had to wait because all HTTP/2
	// connections, of which there were to be no more, were full.
	LimitStreams = "all HTTP/2 streams in use"
	// LimitShakes counts requests for which no connection was opened at once, since
	// many TLS handshakes were under way and slow.
	LimitShakes = "TLS handshakes held back"
)

const malformed = "malformed answer: "

// statusCause names a status that is a failure. The names are made once, so that
// a service that fails every request costs no memory for each.
func statusCause(status int) string {
	if status >= 0 && status < len(statusCauses) {
		return statusCauses[status]
	}
	return "status " + strconv.Itoa(status)
}

var statusCauses = func() (names [1000]string) {
	for i := range names {
		names[i] = "status " + strconv.Itoa(i)
	}
	return names
}()
