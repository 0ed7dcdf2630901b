// Package promquery asks a Prometheus server, or one that speaks its HTTP API, for
// the values of a query over a range of time.
//
// It knows range queries and nothing else, and does not judge what the values mean.
package promquery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
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
	Query  string
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
	if v, err := strconv.ParseFloat(text, 64); err == nil && v >= 0 && v < 1e11 {
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
	if d := v * float64(unit); err == nil && d > 0 && d < float64(100*365*24*time.Hour) {
		return time.Duration(d), nil
	}
	return 0, fmt.Errorf("expected a duration such as 30s, 24h or 7d, found %q", text)
}

// Max is the highest value of a query.
type Max struct {
	Value float64
	At    time.Time
	// Points is how many values there were, NaN and infinite ones left out.
	Points int
}

// Client asks servers.
type Client struct {
	// HTTP is the client that is used; nil is one with a limit on time.
	HTTP *http.Client
	// ReadFile reads the token's file.
	ReadFile func(path string) ([]byte, error)
}

// Max runs a query and returns its highest value. It is an error if the query has
// several series: which of them is meant, or their sum, is the user's to say.
func (c *Client) Max(ctx context.Context, q *Query) (*Max, error) {
	token, err := c.token(q)
	if err != nil {
		return nil, err
	}
	best := &Max{Value: math.Inf(-1)}
	for from := q.Start; !from.After(q.End); {
		to := from.Add((maxPoints - 1) * q.Step)
		if to.After(q.End) {
			to = q.End
		}
		if err := c.part(ctx, q, from, to, token, best); err != nil {
			return nil, err
		}
		from = to.Add(q.Step)
	}
	if best.Points == 0 {
		return nil, fault.WithHint(fault.NoAnswerf("the query %s has no values from %s to %s", q.Query, stamp(q.Start), stamp(q.End)),
			"try it in the server's own interface, and give start and end where the data are older")
	}
	return best, nil
}

func (c *Client) token(q *Query) (string, error) {
	if q.TokenFile == "" {
		return "", nil
	}
	if c.ReadFile == nil {
		return "", fault.Usagef("a token's file cannot be read here")
	}
	b, err := c.ReadFile(q.TokenFile)
	return strings.TrimSpace(string(b)), err
}

// answer is what the API returns.
type answer struct {
	Status    string `json:"status"`
	ErrorType string `json:"errorType"`
	Error     string `json:"error"`
	Data      struct {
		ResultType string   `json:"resultType"`
		Result     []series `json:"result"`
	} `json:"data"`
}

type series struct {
	Metric map[string]string    `json:"metric"`
	Values [][2]json.RawMessage `json:"values"`
}

func (c *Client) part(ctx context.Context, q *Query, from, to time.Time, token string, best *Max) error {
	a, err := c.ask(ctx, q, from, to, token)
	if err != nil {
		return err
	}
	switch {
	case a.Data.ResultType != "matrix":
		return fault.NoAnswerf("%s: expected a matrix, found %q", q.Server.Redacted(), a.Data.ResultType)
	case len(a.Data.Result) > 1:
		return severalSeries(q, a.Data.Result)
	case len(a.Data.Result) == 0:
		return nil
	}
	for _, pair := range a.Data.Result[0].Values {
		at, v, err := point(pair)
		if err != nil {
			return fault.NoAnswerf("%s: %w", q.Server.Redacted(), err)
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		best.Points++
		if v > best.Value {
			best.Value, best.At = v, at
		}
	}
	return nil
}

func severalSeries(q *Query, all []series) error {
	var names []string
	for i := range all[:min(len(all), maxSeries)] {
		var labels []string
		for _, k := range slices.Sorted(maps.Keys(all[i].Metric)) {
			labels = append(labels, k+"="+strconv.Quote(all[i].Metric[k]))
		}
		names = append(names, "{"+strings.Join(labels, ",")+"}")
	}
	return fault.WithHint(
		fault.Usagef("the query %s has %d series, such as %s: expected one", q.Query, len(all), strings.Join(names, " and ")),
		"add them up: sum("+q.Query+")")
}

// point reads a pair of a time in seconds and a value in quotes.
func point(pair [2]json.RawMessage) (time.Time, float64, error) {
	var at float64
	var text string
	if json.Unmarshal(pair[0], &at) != nil || json.Unmarshal(pair[1], &text) != nil || math.Abs(at) > 1e11 {
		return time.Time{}, 0, fmt.Errorf("expected pairs of a time and a value, found [%s, %s]", pair[0], pair[1])
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return time.Time{}, 0, fmt.Errorf("expected a value, found %q", text)
	}
	return time.UnixMilli(int64(math.Round(at * 1000))).UTC(), v, nil
}

// ask sends one request.
func (c *Client) ask(ctx context.Context, q *Query, from, to time.Time, token string) (*answer, error) {
	form := url.Values{
		"query": {q.Query}, "start": {seconds(from)}, "end": {seconds(to)},
		"step": {strconv.FormatFloat(q.Step.Seconds(), 'f', -1, 64)},
	}
	u := *q.Server
	u.Path = strings.TrimSuffix(u.Path, "/") + "/api/v1/query_range"
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, fault.Usagef("%s: %w", u.Redacted(), err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, c.failed(&u, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, c.failed(&u, err)
	case len(body) > maxAnswer:
		return nil, fault.NoAnswerf("%s: expected an answer of at most %d bytes, found more", u.Redacted(), maxAnswer)
	}
	return read(&u, q, resp.StatusCode, body)
}

func (c *Client) failed(u *url.URL, err error) error {
	var ue *url.Error
	if errors.As(err, &ue) {
		err = ue.Err
	}
	return fault.NoAnswerf("cannot ask %s: %w", u.Redacted(), err)
}

// read makes an answer or an error of what came.
func read(u *url.URL, q *Query, status int, body []byte) (*answer, error) {
	var a answer
	err := json.Unmarshal(body, &a)
	switch {
	case err == nil && a.Status == "error" && a.ErrorType == "bad_data":
		return nil, fault.Usagef("%s does not understand the query %s: %s", u.Host, q.Query, a.Error)
	case err == nil && a.Status == "error":
		return nil, fault.NoAnswerf("%s: %s: %s", u.Redacted(), a.ErrorType, a.Error)
	case status != http.StatusOK:
		return nil, fault.NoAnswerf("%s: expected status 200, found %d", u.Redacted(), status)
	case err != nil || a.Status != "success":
		return nil, fault.WithHint(fault.NoAnswerf("%s: expected an answer of the Prometheus API, found something else", u.Redacted()),
			"give the server's address without /graph or /api")
	}
	return &a, nil
}

func seconds(t time.Time) string {
	return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
