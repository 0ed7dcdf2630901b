package loadgen

import (
	"strings"
	"testing"

	"example.com/kneeline/internal/outcome"
)

func mustRules(t *testing.T, texts ...string) *ruleSet {
	t.Helper()
	var rules []DegradedRule
	for _, s := range texts {
		d, err := ParseDegradedRule(s)
		if err != nil {
			t.Fatal(err)
		}
		if d.String() != s {
			t.Errorf("rule %q prints as %q", s, d)
		}
		rules = append(rules, d)
	}
	return newRuleSet(rules)
}

func TestClassify(t *testing.T) {
	const html = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n<ok>"
	json := func(body string) string { return "HTTP/1.1 200 OK\r\n\r\n" + body }
	for _, c := range []struct {
		rules  string // separated by spaces
		answer string
		class  outcome.Class
		cause  string
	}{
		{"", html, outcome.Full, ""},
		{"", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", outcome.Full, ""},
		{"", "HTTP/1.1 304 Same\r\n\r\n", outcome.Full, ""},
		{"", "HTTP/1.1 429 No\r\nContent-Length: 0\r\n\r\n", outcome.Shed, ""},
		{"", "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", outcome.Shed, ""},
		{"", "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", outcome.Failed, "status 404"},
		{"", "HTTP/1.1 101 Go\r\n\r\n", outcome.Failed, "status 101"},
		{"", "HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n", outcome.Failed, "status 999"},
		{"status:206", "HTTP/1.1 206 Part\r\nContent-Length: 0\r\n\r\n", outcome.Degraded, ""},
		{"status:206", html, outcome.Full, ""},
		{"header:X-Partial=1", "HTTP/1.1 200 OK\r\nx-partial:1\r\nContent-Length: 0\r\n\r\n", outcome.Degraded, ""},
		{"header:X-Partial=1", "HTTP/1.1 200 OK\r\nX-Partial: 10\r\nContent-Length: 0\r\n\r\n", outcome.Full, ""},
		{"header:X-Partial=1", "HTTP/1.1 503 No\r\nX-Partial: 1\r\nContent-Length: 0\r\n\r\n", outcome.Shed, ""},
		{"header:X-Partial", "HTTP/1.1 200 OK\r\nX-Partial: \r\nContent-Length: 0\r\n\r\n", outcome.Degraded, ""},
		{"header:Content-Length=0", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", outcome.Degraded, ""},
		{"json:$.partial==true", json(`{"partial": true}`), outcome.Degraded, ""},
		{"json:$.partial==true", json(`{"partial": false}`), outcome.Full, ""},
		{"json:$.partial==true", json(`{"partial": "true"}`), outcome.Full, ""},
		{"json:$.partial==true", json(`{}`), outcome.Full, ""},
		{"json:$.a[1].b==2.50", json(`{"a":[0,{"b":2.5}]}`), outcome.Degraded, ""},
		{`json:$["a=="]["b\"]"]=="x==y"`, json(`{"a==":{"b\"]":"x==y"}}`), outcome.Degraded, ""},
		{"json:$.a==null", json(`{"a":null}`), outcome.Degraded, ""},
		{"json:$.a==null", json(`{}`), outcome.Full, ""},
		{"json:$.a", json(`{"a":null}`), outcome.Full, ""},
		{"json:$.a", json(`{"a":{}}`), outcome.Degraded, ""},
		{"json:$==7", json(`7`), outcome.Degraded, ""},
		{"json:$.a", html, outcome.Failed, CauseNotJSON},
		{"json:$.a", json(`{"a":1} {"a":1}`), outcome.Failed, CauseNotJSON},
		{"json:$.a", "HTTP/1.1 204 OK\r\n\r\n", outcome.Full, ""},
		{"json:$.a", json(strings.Repeat(" ", maxKeptBody+1)), outcome.Failed, CauseBodySize},
		{"json:$.a", "HTTP/1.1 500 No\r\n\r\n<no>", outcome.Failed, "status 500"},
		{"header:X json:$.a", "HTTP/1.1 200 OK\r\nX: y\r\n\r\n<ok>", outcome.Degraded, ""},
	} {
		r := &reader{rules: mustRules(t, strings.Fields(c.rules)...)}
		r.reset()
		r.feed([]byte(c.answer))
		if !r.end() {
			t.Fatalf("%q: not complete", c.answer)
		}
		if class, cause := classify(r); class != c.class || cause != c.cause {
			t.Errorf("%q with %q: %v %q, want %v %q", c.answer[:min(60, len(c.answer))], c.rules, class, cause, c.class, c.cause)
		}
	}
}

func TestParseDegradedRuleErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `begins with status:, header: or json:`,
		"body:x":                `found "body:"`,
		"status:":               `of 200 to 399, found ""`,
		"status:503":            `of 200 to 399, found "503"`,
		"status:2xx":            `found "2xx"`,
		"header:":               `expected a header name, found ""`,
		"header:a b=1":          `expected a header name, found "a b"`,
		"header:a=\x01":         `control character`,
		"json:":                 `begins with $, found nothing`,
		"json:partial==true":    `begins with $, found "partial"`,
		"json:$partial":         `expected . or [ in path, found "partial"`,
		"json:$.":               `member's name after . in path, found nothing`,
		"json:$.a[x]==1":        `expected [0] or ["name"] in path, found "[x]"`,
		"json:$.a[1==1":         `expected [0] or ["name"] in path`,
		`json:$["a==1`:          `expected ["name"] in path`,
		"json:$.a==":            `found nothing`,
		"json:$.a==yes":         `found "yes"`,
		"json:$.a=={}":          `expected true, false, null, a number or a "string" after ==`,
		"json:$.a==1 2":         `found "1 2"`,
		"json:$.a = 1":          `expected . or [ in path, found " = 1"`,
		"json:$[99999999999]":   `expected [0] or ["name"] in path`,
		"status:206,status:203": `found "206,status:203"`,
	} {
		_, err := ParseDegradedRule(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// FuzzDegradedRule checks that no text and no body make a rule fall over, and
// that a rule reads again as what it prints.
func FuzzDegradedRule(f *testing.F) {
	f.Add("status:206", []byte(`{}`))
	f.Add("header:X-Partial=1", []byte(`{}`))
	f.Add(`json:$["a"].b[0]==true`, []byte(`{"a":{"b":[true]}}`))
	f.Add(`json:$.a=="\u00e9"`, []byte(`{"a":"é"}`))
	f.Fuzz(func(t *testing.T, text string, body []byte) {
		d, err := ParseDegradedRule(text)
		if err != nil {
			if !strings.Contains(err.Error(), "degraded rule") {
				t.Fatalf("error without context: %v", err)
			}
			return
		}
		again, err := ParseDegradedRule(d.String())
		if err != nil {
			t.Fatalf("%q: %v", d, err)
		}
		for _, set := range []*ruleSet{newRuleSet([]DegradedRule{d}), newRuleSet([]DegradedRule{again})} {
			m1, ok1 := set.matchBody(body)
			m2, ok2 := newRuleSet([]DegradedRule{d}).matchBody(body)
			if m1 != m2 || ok1 != ok2 {
				t.Fatalf("%q reads again as something else", text)
			}
		}
	})
}
