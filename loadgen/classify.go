package loadgen

import "example.com/kneeline/internal/outcome"

// CauseNotJSON is a success answer with a body that a JSON rule cannot read.
const CauseNotJSON = malformed + "body is not JSON, as a degraded rule expects"

// success reports whether a status is a success. A redirect is one: the service
// did its work for the request, and following it would be a second request that
// nobody planned.
func success(status int) bool { return status >= 200 && status < 400 }

// refusal reports whether a status is a service's refusal to take the load.
func refusal(status int) bool { return status == 429 || status == 503 }

// classify says what a complete answer counts as, without regard to time.
func classify(r *reader) (outcome.Class, string) {
	switch {
	case refusal(r.status):
		return outcome.Shed, ""
	case !success(r.status):
		return outcome.Failed, statusCause(r.status)
	case r.rules == nil:
		return outcome.Full, ""
	case r.matched || r.rules.matchStatus(r.status):
		return outcome.Degraded, ""
	case r.tooLong:
		return outcome.Failed, CauseBodySize
	case len(r.rules.jsons) > 0 && len(r.body) > 0:
		matched, ok := r.rules.matchBody(r.body)
		if !ok {
			return outcome.Failed, CauseNotJSON
		}
		if matched {
			return outcome.Degraded, ""
		}
	}
	return outcome.Full, ""
}
