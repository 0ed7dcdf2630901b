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
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/fetch"
)

// Max is the highest value of a query.
type Max struct {
	// Value is in the unit of the query, and At the first instant that has it.
	Value float64
	At    time.Time
	// Points is how many values there were, NaN and infinite ones left out.
	Points int
}

// Client asks servers.
type Client struct {
	// HTTP is the client that is used; nil is one that goes to the server alone.
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
	if json.Unmarshal(pair[0], &at) != nil || json.Unmarshal(pair[1], &text) != nil || math.Abs(at) > maxUnix {
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
		// A server that is named may be anywhere: it gets a question and no load.
		client = fetch.Client(q.Server, fetch.Options{Timeout: timeout, AllowHost: func(string, netip.Addr) bool { return true }})
		defer client.CloseIdleConnections()
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
