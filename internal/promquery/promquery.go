// Package promquery asks a Prometheus server, or one that speaks its HTTP API, for
// the values of a query over a range of time.
//
// It knows range queries and nothing else, and does not judge what the values mean.
package promquery

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/kneeline/internal/fault"
)

// Limits.
const (
	// maxPoints is how many points Prometheus gives of a series at once; longer
	// ranges are asked for in parts, of which there may be maxParts.
	maxPoints = 11_000
	maxParts  = 100
	// maxAnswer bounds an answer in bytes.
	maxAnswer = 64 << 20
	// maxSeries bounds the series of an answer that are named in an error.
	maxSeries = 3
	// timeout bounds each request.
	timeout = 60 * time.Second
	// maxUnix bounds instants in seconds since 1970, to the year 5138: beyond it a
	// number is milliseconds, or none.
	maxUnix = 1e11
	// maxDuration bounds durations, so that they can be added to instants.
	maxDuration = 100 * 365 * 24 * time.Hour
)

// Defaults of a range.
const (
	DefaultRange = 7 * 24 * time.Hour
	DefaultStep  = time.Minute
)

// Query is a query over a range of time.
type Query struct {
	// Server is the address of the server, with a path in front of /api where it has
	// one.
	Server *url.URL
	// Query is in PromQL.
	Query string
	// Start and End bound the range, Step is the distance of its points.
	Start, End time.Time
	Step       time.Duration
	// TokenFile is the path of a file with a bearer token; empty for none.
	TokenFile string
}

// Parse reads "http://host:9090?query=…&start=…&end=…&step=…&token_file=…". Times are
// RFC 3339, seconds since 1970, or a duration before now, such as 24h.
func Parse(text string, now time.Time) (*Query, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, fault.Usagef("bad URL of a Prometheus server %q", text)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fault.Usagef("expected the URL of a Prometheus server such as http://127.0.0.1:9090?query=…, found %q", text)
	case u.User != nil:
		return nil, fault.WithHint(fault.Usagef("credentials in a URL are not supported: %s", u.Redacted()),
			"put a token into a file and name it: token_file=PATH")
	}
	params, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, fault.WithHint(fault.Usagef("the parameters of %s: %w", u.Redacted(), err), "write % as %25, + as %2B and & as %26")
	}
	q := &Query{Server: u, End: now, Step: DefaultStep}
	if err := q.set(params, now); err != nil {
		return nil, err
	}
	u.RawQuery, u.Fragment = "", ""
	return q, q.check()
}

func (q *Query) set(params url.Values, now time.Time) (err error) {
	var start string
	for name, values := range params {
		if len(values) != 1 {
			return fault.Usagef("expected the parameter %s once, found it %d times", name, len(values))
		}
		v := values[0]
		switch name {
		case "query":
			q.Query = v
		case "start":
			start = v
		case "end":
			q.End, err = parseTime(v, now)
		case "step":
			q.Step, err = parseDuration(v)
		case "token_file":
			q.TokenFile = v
		default:
			err = fault.WithHint(fault.Usagef("unknown parameter %q: expected query, start, end, step or token_file", name),
				"write & within a query as %26")
		}
		if err != nil {
			return fault.Usagef("%s: %w", name, err)
		}
	}
	q.Start = q.End.Add(-DefaultRange)
	if start != "" {
		if q.Start, err = parseTime(start, now); err != nil {
			return fault.Usagef("start: %w", err)
		}
	}
	return nil
}

func (q *Query) check() error {
	switch {
	case strings.TrimSpace(q.Query) == "":
		return fault.WithHint(fault.Usagef("expected a query, found none"),
			"such as ?query=sum(rate(http_requests_total[1m]))")
	case !q.Start.Before(q.End):
		return fault.Usagef("expected a start before the end, found %s and %s", stamp(q.Start), stamp(q.End))
	case q.Step < time.Second:
		return fault.Usagef("expected a step of at least 1s, found %s", q.Step)
	case q.End.Sub(q.Start)/q.Step > maxPoints*maxParts:
		return fault.Usagef("expected at most %d points, found a step of %s over %s", maxPoints*maxParts, q.Step, q.End.Sub(q.Start))
	}
	return nil
}

// parseTime reads a time; a duration is so long before now.
func parseTime(text string, now time.Time) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t, nil
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil && v >= 0 && v < maxUnix {
		return time.UnixMilli(int64(v * 1000)), nil
	}
	if d, err := parseDuration(strings.TrimPrefix(strings.TrimPrefix(text, "now"), "-")); err == nil {
		return now.Add(-d), nil
	}
	return time.Time{}, fmt.Errorf("expected a time such as 2024-05-01T00:00:00Z, or how long ago, such as 24h, found %q", text)
}

// parseDuration reads durations as Go and as Prometheus write them: 90s, 1h30m, 7d,
// 2w; a plain number is seconds.
func parseDuration(text string) (time.Duration, error) {
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d, nil
	}
	unit := time.Second
	number := text
	for suffix, of := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if s, ok := strings.CutSuffix(text, suffix); ok {
			unit, number = of, s
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if d := v * float64(unit); err == nil && d > 0 && d < float64(maxDuration) {
		return time.Duration(d), nil
	}
	return 0, fmt.Errorf("expected a duration such as 30s, 24h or 7d, found %q", text)
}
