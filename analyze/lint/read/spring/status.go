package spring

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
)

// httpNames are the HTTP statuses that retries name in words.
var httpNames = map[string]int{
	"REQUEST_TIMEOUT": 408, "CONFLICT": 409, "TOO_EARLY": 425, "TOO_MANY_REQUESTS": 429, "INTERNAL_SERVER_ERROR": 500, "NOT_IMPLEMENTED": 501,
	"BAD_GATEWAY": 502, "SERVICE_UNAVAILABLE": 503, "GATEWAY_TIMEOUT": 504, "NOT_FOUND": 404, "BAD_REQUEST": 400, "UNAUTHORIZED": 401, "FORBIDDEN": 403,
}

// statuses are HTTP statuses, by name or number, as causes.
func statuses(words []word) []model.Condition {
	var out []model.Condition
	for _, w := range words {
		code, err := strconv.Atoi(w.text)
		if err != nil {
			code = httpNames[strings.ToUpper(w.text)]
		}
		out = append(out, model.Condition{Cause: causeOf(code), Word: w.text, At: w.at})
	}
	return out
}

func causeOf(status int) model.Cause {
	switch {
	case status == 429 || status == 503:
		return model.Shed
	case status == 502 || status == 504:
		return model.Unavailable
	case status == 408 || status == 425 || status == 0:
		return model.OtherCause
	case status >= 500:
		return model.ServerFault
	case status >= 400:
		return model.ClientFault
	}
	return model.OtherCause
}

// exceptions are the classes of failures that are tried again, as causes.
func exceptions(words []word) []model.Condition {
	var out []model.Condition
	for _, w := range words {
		name := w.text[strings.LastIndexAny(w.text, ".$")+1:]
		out = append(out, model.Condition{Cause: causeOfClass(name), Word: name, At: w.at})
	}
	return out
}

func causeOfClass(name string) model.Cause {
	switch {
	case strings.Contains(name, "ConnectTimeout"), strings.HasPrefix(name, "Connect"), strings.Contains(name, "NoRouteToHost"), strings.Contains(name, "UnknownHost"):
		return model.ConnectFailure
	case strings.Contains(name, "Timeout"):
		return model.TimedOut
	case strings.Contains(name, "TooManyRequests"), strings.Contains(name, "ServiceUnavailable"), strings.Contains(name, "CallNotPermitted"), strings.Contains(name, "BulkheadFull"), strings.Contains(name, "RequestNotPermitted"):
		return model.Shed
	case strings.Contains(name, "ServerError"), strings.Contains(name, "InternalServer"):
		return model.ServerFault
	case strings.Contains(name, "ClientError"), strings.Contains(name, "BadRequest"):
		return model.ClientFault
	case strings.Contains(name, "IOException"), strings.Contains(name, "ResourceAccess"), strings.Contains(name, "Socket"):
		return model.Reset
	}
	return model.OtherCause
}

// product fills in tries of two settings that multiply: further ones on the same server
// and on the next ones.
func product(r *model.Retry, same, next model.Value) {
	r.Dialect, r.Written = model.ProductOf, next
	if same.IsSet() && !next.IsSet() {
		r.Written = same
	}
	switch {
	case same.IsHole():
		r.Tries = same
		return
	case next.IsHole():
		r.Tries = next
		return
	case !same.Finite() || !next.Finite():
		return
	}
	r.Tries = model.Of(model.Count, (1+max(same.Amount, 0))*(1+max(next.Amount, 0)), fmt.Sprintf("(1 + %s %s) × (1 + %s %s)", short(same.Key), same, short(next.Key), next))
	r.Tries.Key, r.Tries.At = r.Written.Key, r.Written.At
	r.SameHost = model.Value{Key: same.Key, Raw: same.Raw, Unit: model.Flag, Origin: same.Origin, Source: same.Source, Unverified: same.Unverified, At: same.At}
	if same.Amount > 0 {
		r.SameHost.Amount = 1
	}
}

func short(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// extraTries takes a number of further tries.
func extraTries(h *model.Hop, v model.Value) { bind.ExtraTries(&h.Retry, v) }
