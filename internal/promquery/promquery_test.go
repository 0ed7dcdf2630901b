package promquery

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2024, 5, 8, 12, 0, 0, 0, time.UTC)

// TestParse guards defaults, the forms of times and what is refused.
func TestParse(t *testing.T) {
	q, err := Parse("http://127.0.0.1:9090/prom?query=sum(rate(x[1m]))", now)
	if err != nil {
		t.Fatal(err)
	}
	if q.Query != "sum(rate(x[1m]))" || q.Server.String() != "http://127.0.0.1:9090/prom" || !q.End.Equal(now) ||
		q.End.Sub(q.Start) != DefaultRange || q.Step != time.Minute {
		t.Errorf("%+v", q)
	}
	for params, want := range map[string][3]string{
		"start=24h":                {"2024-05-07T12:00:00Z", "2024-05-08T12:00:00Z", "1m0s"},
		"start=2d&end=1d&step=30":  {"2024-05-06T12:00:00Z", "2024-05-07T12:00:00Z", "30s"},
		"start=now-1w&step=5m":     {"2024-05-01T12:00:00Z", "2024-05-08T12:00:00Z", "5m0s"},
		"start=1714953600":         {"2024-05-06T00:00:00Z", "2024-05-08T12:00:00Z", "1m0s"},
		"end=2024-05-02T00:00:00Z": {"2024-04-25T00:00:00Z", "2024-05-02T00:00:00Z", "1m0s"},
	} {
		q, err := Parse("http://h?query=x&"+params, now)
		if err != nil {
			t.Errorf("%s: %v", params, err)
			continue
		}
		if got := [3]string{stamp(q.Start), stamp(q.End), q.Step.String()}; got != want {
			t.Errorf("%s: %v, want %v", params, got, want)
		}
	}
	for text, want := range map[string]string{
		"h:9090?query=x":                   "expected the URL of a Prometheus server",
		"http://u:p@h?query=x":             "credentials",
		"http://h":                         "expected a query",
		"http://h?query=x&stop=1":          `unknown parameter "stop"`,
		"http://h?query=x&query=y":         "once",
		"http://h?query=x&start=yesterday": "expected a time such as",
		"http://h?query=x&step=fast":       "expected a duration",
		"http://h?query=x&step=1ms":        "at least 1s",
		"http://h?query=x&start=1h&end=2h": "a start before the end",
		"http://h?query=x&start=0&step=1s": "at most 1100000 points",
		"http://h?query=%zz":               "the parameters of",
	} {
		if _, err := Parse(text, now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// server answers range queries with the value f has at each point.
func server(t *testing.T, f func(at int64) string) (*httptest.Server, *int) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.URL.Path != "/p/api/v1/query_range" || r.Header.Get("Authorization") != "Bearer secret" || r.FormValue("query") != "a+b" {
			t.Errorf("%s %v %q", r.URL.Path, r.Header, r.FormValue("query"))
		}
		num := func(name string) float64 {
			v, err := strconv.ParseFloat(r.FormValue(name), 64)
			if err != nil {
				t.Error(err)
			}
			return v
		}
		start, end, step := num("start"), num("end"), num("step")
		if (end-start)/step+1 > maxPoints {
			t.Errorf("%v points were asked for at once", (end-start)/step+1)
		}
		var values []string
		for at := start; at <= end; at += step {
			values = append(values, fmt.Sprintf(`[%.3f,%q]`, at, f(int64(at))))
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[%s]}]}}`, strings.Join(values, ","))
	}))
	t.Cleanup(s.Close)
	return s, &asked
}

// TestMax guards that the highest value is found over a range longer than one answer
// has, each point once, and NaN is none.
func TestMax(t *testing.T) {
	busy := now.Add(-3*time.Hour - time.Minute).Unix()
	s, asked := server(t, func(at int64) string {
		switch {
		case at == busy:
			return "812.5"
		case at%600 == 0:
			return "NaN"
		}
		return "100"
	})
	q, err := Parse(s.URL+"/p/?query=a%2Bb&start=10d&token_file=t", now)
	if err != nil {
		t.Fatal(err)
	}
	c := &Client{ReadFile: func(string) ([]byte, error) { return []byte("secret\n"), nil }}
	m, err := c.Max(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if m.Value != 812.5 || m.At.Unix() != busy || m.Points != 10*1440+1-10*144-1 || *asked != 2 {
		t.Errorf("%+v after %d requests", m, *asked)
	}
	if _, err := (&Client{}).Max(t.Context(), q); err == nil {
		t.Error("a token's file was not read and nothing was said")
	}
}

// TestMaxErrors guards that answers of all kinds end in clear errors.
func TestMaxErrors(t *testing.T) {
	for _, tt := range []struct {
		status     int
		body, want string
	}{
		{200, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"i":"a"}},{"metric":{"i":"b"}}]}}`, `has 2 series, such as {i="a"} and {i="b"}: expected one`},
		{200, `{"status":"success","data":{"resultType":"matrix","result":[]}}`, "has no values from"},
		{200, `{"status":"success","data":{"resultType":"vector","result":[]}}`, `expected a matrix, found "vector"`},
		{200, `{"status":"success","data":{"resultType":"matrix","result":[{"values":[["x","y"]]}]}}`, "expected pairs"},
		{200, `{"status":"success","data":{"resultType":"matrix","result":[{"values":[[1,"y"]]}]}}`, `expected a value, found "y"`},
		{400, `{"status":"error","errorType":"bad_data","error":"parse error at char 3"}`, "does not understand the query x: parse error at char 3"},
		{422, `{"status":"error","errorType":"execution","error":"too many samples"}`, "execution: too many samples"},
		{401, `no`, "expected status 200, found 401"},
		{200, `<html>`, "expected an answer of the Prometheus API"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(tt.status)
			fmt.Fprint(w, tt.body)
		}))
		q, err := Parse(s.URL+"?query=x", now)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (&Client{}).Max(context.Background(), q); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.body, err, tt.want)
		}
		s.Close()
	}
	q, err := Parse("http://127.0.0.1:1?query=x", now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&Client{}).Max(t.Context(), q); err == nil || !strings.Contains(err.Error(), "cannot ask http://127.0.0.1:1") {
		t.Errorf("nobody listens: %v", err)
	}
}

// FuzzRead holds any answer to ending in values or an error.
func FuzzRead(f *testing.F) {
	f.Add(200, []byte(`{"status":"success","data":{"resultType":"matrix","result":[{"values":[[1,"2"]]}]}}`))
	f.Add(400, []byte(`{"status":"error","errorType":"bad_data","error":"x"}`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		q, err := Parse("http://h?query=x", now)
		if err != nil {
			t.Fatal(err)
		}
		a, err := read(q.Server, q, status, body)
		if (a == nil) == (err == nil) {
			t.Fatal("neither an answer nor an error")
		}
		if a == nil {
			return
		}
		for _, s := range a.Data.Result {
			for _, p := range s.Values {
				_, _, _ = point(p)
			}
		}
	})
}

// TestStaysOnServer guards the token: an answer that sends the question elsewhere is
// an error, and nothing is asked there.
func TestStaysOnServer(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the other server was asked")
	}))
	defer other.Close()
	s := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	q, err := Parse(s.URL+"?query=up&token_file=token", now)
	if err != nil {
		t.Fatal(err)
	}
	c := Client{ReadFile: func(string) ([]byte, error) { return []byte("secret\n"), nil }}
	if _, err := c.Max(t.Context(), q); err == nil || !strings.Contains(err.Error(), "found a redirect to "+other.URL) {
		t.Errorf("%v", err)
	}
}
