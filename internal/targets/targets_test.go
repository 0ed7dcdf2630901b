package targets

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func readFile(path string, limit int64) ([]byte, error) {
	if path == "body.json" {
		return []byte(`{"a":1}`), nil
	}
	return nil, errors.New("cannot read " + path)
}

const httpText = `# a comment
GET http://127.0.0.1:8080/path?item=ball
X-Account-ID: 8675309
User-Agent:  curl/8 # not a comment

POST http://127.0.0.1:8080/things weight=2.5
Content-Type: application/json
@body.json
DELETE /relative
# in the midst
X-Late: yes

`

// TestHTTP guards vegeta's http format, with weights.
func TestHTTP(t *testing.T) {
	l, err := Parse("t.txt", []byte(strings.ReplaceAll(httpText, "\n", "\r\n")), Options{ReadFile: readFile})
	if err != nil {
		t.Fatal(err)
	}
	want := []Target{
		{"GET", "http://127.0.0.1:8080/path?item=ball", []Header{{"X-Account-ID", "8675309"}, {"User-Agent", "curl/8 # not a comment"}}, nil, 1, "t.txt:2"},
		{"POST", "http://127.0.0.1:8080/things", []Header{{"Content-Type", "application/json"}}, []byte(`{"a":1}`), 2.5, "t.txt:6"},
		{"DELETE", "/relative", []Header{{"X-Late", "yes"}}, nil, 1, "t.txt:9"},
	}
	if l.Format != "http" || !reflect.DeepEqual(l.Targets, want) {
		t.Errorf("%s\ngot  %+v\nwant %+v", l.Format, l.Targets, want)
	}
}

// TestJSON guards vegeta's JSON form, with weights.
func TestJSON(t *testing.T) {
	l, err := Parse("t.json", []byte(`{"method":"POST","url":"http://h/a","body":"aGk=","header":{"X-B":["2"],"X-A":["1","3"]}}
{"method":"GET","url":"http://h/b","weight":3}
`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Target{
		{"POST", "http://h/a", []Header{{"X-A", "1"}, {"X-A", "3"}, {"X-B", "2"}}, []byte("hi"), 1, "t.json:1"},
		{"GET", "http://h/b", nil, nil, 3, "t.json:2"},
	}
	if l.Format != "json" || !reflect.DeepEqual(l.Targets, want) {
		t.Errorf("%s\ngot  %+v\nwant %+v", l.Format, l.Targets, want)
	}
}

const harText = `{"log":{"version":"1.2","creator":{"name":"x"},"pages":[{"id":"p"}],"entries":[
{"startedDateTime":"2024-01-02T03:04:05Z","request":{"method":"POST","url":"https://shop.example/cart?a=1","httpVersion":"HTTP/2",
 "headers":[{"name":":authority","value":"shop.example"},{"name":"Connection","value":"x"},{"name":"Accept","value":"*/*"},{"name":"Cookie","value":"s=1"},{"name":"content-length","value":"9"}],
 "postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"q","value":"a b"},{"name":"n","value":"1"}]}},"response":{"content":{"text":"long"}}},
{"request":{"method":"GET","url":"data:text/plain,hi","headers":[]}},
{"request":{"method":"PUT","url":"http://api.example:80/x","headers":[],"postData":{"mimeType":"a/b","text":"aGk=","encoding":"base64"}}}
]}}`

// TestHAR guards what is taken of a HAR file, and what is left out.
func TestHAR(t *testing.T) {
	l, err := Parse("x.har", []byte(harText), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Target{
		{"POST", "https://shop.example/cart?a=1", []Header{{"Accept", "*/*"}}, []byte("q=a+b&n=1"), 1, "x.har: entry 0"},
		{"PUT", "http://api.example:80/x", nil, []byte("hi"), 1, "x.har: entry 2"},
	}
	if l.Format != "har" || !reflect.DeepEqual(l.Targets, want) || l.Skipped != 1 || l.Dropped["cookie"] != 1 || len(l.Dropped) != 4 {
		t.Errorf("%s, skipped %d, dropped %v\ngot  %+v\nwant %+v", l.Format, l.Skipped, l.Dropped, l.Targets, want)
	}
	if l, err = Parse("x.har", []byte(harText), Options{Cookies: true}); err != nil || len(l.Targets[0].Headers) != 2 {
		t.Errorf("with cookies: %+v, %v", l, err)
	}
	origins, err := Origins(l.Targets)
	if err != nil || !slices.Equal(origins, []string{"https://shop.example", "http://api.example"}) {
		t.Errorf("origins %v, %v", origins, err)
	}
}

// TestErrors guards that what is wrong is said with its place.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "found nothing",
		"# nothing\n":                            "found none",
		strings.Repeat("x", 5000):                "xxx\"",
		"\nX-A: 1\n":                             "t:2: expected a method and a URL",
		"GET http://h/\nno header\n":             "t:2: expected a header as Name: value",
		"GET http://h/ weight=0\n":               "t:1: expected nothing behind the URL but weight=N",
		"GET http://h/ fast\n":                   "t:1: expected nothing behind",
		"GET ftp\n":                              "t:1: expected a URL such as",
		"GET http://h/\n@\n":                     "t:2: expected the path of a body file",
		"GET http://h/\n@none\n":                 "t:2: cannot read none",
		"GET http://h/\n@body.json\n@b\n":        "t:3: expected one body",
		`{"url":"http://h/"}`:                    "t:1: expected a target with a method",
		`{"method":"GET"}`:                       "t:1: expected a target with a url",
		"{\"method\":\"GET\",\n\"url\":1}":       "expected a target as a JSON object",
		`{"method":"GET","url":"/","weight":-1}`: "expected a weight over 0",
		`{"log":{"entries":7}}`:                  "found it damaged",
		`{"log":{"pages":[]}}`:                   "found it damaged",
		`{"log":{"entries":[{"request":{"method":"PUT","url":"http://h/","postData":{"text":"!","encoding":"base64"}}}]}}`: "entry 0: expected a body in base64",
		`{"log":{"entries":[]}}`: "found none",
	} {
		if _, err := Parse("t", []byte(text), Options{ReadFile: readFile}); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 500 {
			t.Errorf("%.99q: %v, want %q", text, err, want)
		}
	}
	if _, err := Parse("t", []byte(strings.Repeat("GET http://h/\n", MaxTargets+2)), Options{}); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("too many targets: %v", err)
	}
}

// TestOrigin guards what counts as the same origin, and what a request line has.
func TestOrigin(t *testing.T) {
	for text, want := range map[string]string{
		"http://H:80/a": "http://h", "https://h:443": "https://h", "http://h:8080/?q": "http://h:8080", "/x": "", "http://[::1]:80/": "http://[::1]",
	} {
		if got, err := Origin(text); err != nil || got != want {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"http://h": "/", "/a?b#c": "/a?b", "http://h/a%20b?x=y": "/a%20b?x=y"} {
		if got, err := Path(text); err != nil || got != want {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}

// FuzzParse holds any text to the promises of the list.
func FuzzParse(f *testing.F) {
	f.Add([]byte(httpText))
	f.Add([]byte(harText))
	f.Add([]byte(`{"method":"GET","url":"http://h/b","weight":3}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := Parse("fuzz", text, Options{ReadFile: func(string, int64) ([]byte, error) { return []byte("b"), nil }})
		if err != nil {
			return
		}
		for _, x := range l.Targets {
			if x.Method == "" || x.Place == "" || !(x.Weight > 0) {
				t.Fatalf("%+v", x)
			}
			if _, err := Origin(x.URL); err != nil {
				t.Fatal(err)
			}
		}
	})
}
