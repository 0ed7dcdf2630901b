package field

import (
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
)

// words are the conditions of Envoy's retry_on and of the programs built on it.
var words = map[string]model.Cause{
	"5xx": model.ServerFault, "gateway-error": model.Unavailable, "reset": model.Reset,
	"reset-before-request": model.ConnectFailure, "connect-failure": model.ConnectFailure,
	"http3-post-connect-failure": model.ConnectFailure, "envoy-ratelimited": model.Shed,
	"retriable-4xx": model.OtherCause, "refused-stream": model.Refused,
	"retriable-status-codes": model.OtherCause, "retriable-headers": model.OtherCause,
	"cancelled": model.OtherCause, "deadline-exceeded": model.DeadlineSpent,
	"internal": model.ServerFault, "resource-exhausted": model.Shed, "unavailable": model.Unavailable,
}

// Condition returns what one word of an Envoy retry_on stands for, a status code
// included. It is not ok for a word that Envoy does not know.
func Condition(word string, at model.Position) (model.Condition, bool) {
	c := model.Condition{Word: word, At: at}
	if code, err := strconv.Atoi(word); err == nil {
		c.Cause = Status(code)
		return c, code >= 100 && code < 600
	}
	cause, ok := words[strings.ToLower(word)]
	c.Cause = cause
	return c, ok
}

// Conditions returns the words of a list with commas, status codes included. Words
// that only say that a list of codes or headers follows are left out; see marker.
func Conditions(v model.Value) (known []model.Condition, unknown []string) {
	if v.IsHole() {
		return nil, nil
	}
	for _, w := range strings.Split(v.Text, ",") {
		w = strings.TrimSpace(w)
		if w == "" || marker(w) {
			continue
		}
		c, ok := Condition(w, v.At)
		c.Default = v.Origin == model.Default
		if !ok {
			unknown = append(unknown, w)
			continue
		}
		known = append(known, c)
	}
	return known, unknown
}

// marker reports whether a word of retry_on switches on a list that stands elsewhere.
func marker(word string) bool { return word == "retriable-status-codes" || word == "retriable-headers" }

// Status is what a try with this HTTP status is taken for.
func Status(code int) model.Cause {
	switch {
	case code == 429 || code == 503:
		return model.Shed
	case code == 502 || code == 504:
		return model.Unavailable
	case code == 408:
		return model.TimedOut
	case code == 409 || code == 425:
		return model.OtherCause
	case code >= 500:
		return model.ServerFault
	case code >= 400:
		return model.ClientFault
	}
	return model.OtherCause
}
