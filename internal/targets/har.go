package targets

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"example.com/kneeline/internal/fault"
)

// harEntry is what is read of an entry of a HAR 1.2 file.
type harEntry struct {
	Request struct {
		Method  string    `json:"method"`
		URL     string    `json:"url"`
		Headers []harPair `json:"headers"`
		Post    *harPost  `json:"postData"`
	} `json:"request"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harPost struct {
	MimeType string    `json:"mimeType"`
	Text     string    `json:"text"`
	Encoding string    `json:"encoding"`
	Params   []harPair `json:"params"`
}

// hopByHop are headers of one connection, and those that a client sets itself (RFC
// 9110 section 7.6.1); names of HTTP/2 that begin with : are left out as well.
var hopByHop = map[string]bool{
	"connection": true, "keep-alive": true, "proxy-connection": true, "proxy-authorization": true,
	"proxy-authenticate": true, "te": true, "trailer": true, "transfer-encoding": true, "upgrade": true,
	"content-length": true, "host": true, "http2-settings": true, "expect": true,
}

// isHAR reports whether the first key of a JSON object is "log".
func isHAR(text []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.Token() // the brace, which the caller saw
	key, err := dec.Token()
	return err == nil && key == "log"
}

// parseHAR reads the requests of a HAR file. Answers are passed over as they come, so
// that only requests are in memory.
func parseHAR(name string, text []byte, o Options) (*List, error) {
	l := &List{Format: "har", Dropped: map[string]int{}}
	dec := json.NewDecoder(bytes.NewReader(text))
	fail := func(err error) error {
		return fault.NoAnswerf("%s: expected HAR, found it damaged near byte %d: %w", name, dec.InputOffset(), err)
	}
	if err := toEntries(dec); err != nil {
		return nil, fail(err)
	}
	for n := 0; dec.More() && len(l.Targets) <= MaxTargets; n++ {
		var e harEntry
		if err := dec.Decode(&e); err != nil {
			return nil, fail(err)
		}
		t, ok, err := l.harTarget(&e, o)
		if err != nil {
			return nil, fault.NoAnswerf("%s: entry %d: %w", name, n, err)
		}
		if !ok {
			l.Skipped++
			continue
		}
		t.Place = fmt.Sprintf("%s: entry %d", name, n)
		l.Targets = append(l.Targets, t)
	}
	return l, nil
}

// toEntries goes to the start of the list log.entries.
func toEntries(dec *json.Decoder) error {
	for _, want := range []string{"log", "entries"} {
		if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
			return fmt.Errorf("no object with %q", want)
		}
		for {
			tok, err := dec.Token()
			if err != nil {
				return err
			}
			if tok == want {
				break
			}
			if _, isKey := tok.(string); !isKey {
				return fmt.Errorf("no key %q", want)
			}
			var skip json.RawMessage
			if err := dec.Decode(&skip); err != nil {
				return err
			}
		}
	}
	if tok, err := dec.Token(); err != nil || tok != json.Delim('[') {
		return fmt.Errorf("log.entries is no list")
	}
	return nil
}

// harTarget turns an entry into a target; ok is false for what is no HTTP request,
// such as a data: URL or a web socket.
func (l *List) harTarget(e *harEntry, o Options) (t Target, ok bool, err error) {
	r := &e.Request
	u, err := url.Parse(r.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || !isMethod(r.Method) || r.Method == "CONNECT" {
		return t, false, nil
	}
	t = Target{Method: r.Method, URL: r.URL, Weight: 1}
	for _, h := range r.Headers {
		name := strings.ToLower(h.Name)
		if hopByHop[name] || strings.HasPrefix(name, ":") || name == "cookie" && !o.Cookies {
			l.Dropped[name]++
			continue
		}
		t.Headers = append(t.Headers, Header(h))
	}
	if p := r.Post; p != nil {
		t.Body, err = p.body()
	}
	return t, true, err
}

// body is the body of an entry: its text, or the form that its parameters make.
func (p *harPost) body() ([]byte, error) {
	switch {
	case p.Text != "" && p.Encoding == "base64":
		b, err := base64.StdEncoding.DecodeString(p.Text)
		if err != nil {
			return nil, fmt.Errorf("expected a body in base64: %w", err)
		}
		return b, nil
	case p.Text != "":
		return []byte(p.Text), nil
	case strings.HasPrefix(p.MimeType, "application/x-www-form-urlencoded"):
		parts := make([]string, 0, len(p.Params))
		for _, q := range p.Params {
			parts = append(parts, url.QueryEscape(q.Name)+"="+url.QueryEscape(q.Value))
		}
		return []byte(strings.Join(parts, "&")), nil
	}
	return nil, nil
}
