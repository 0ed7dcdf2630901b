package nginx

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

// The tables beside the files hold each value with its place, dialect and origin.
func TestModel(t *testing.T) { readtest.Golden(t, Reader.Read, "testdata/model") }

func TestTimes(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want float64
		bare bool
	}{
		{"60", 60, true}, {"60s", 60, false}, {"500ms", 0.5, false}, {"1m30s", 90, false}, {"1h 30m", 5400, false}, {"1d", 86400, false}, {"1m30", 90, false}, {"0", 0, true},
	} {
		got, bare, ok := parseTime(tt.in, false)
		if !ok || math.Abs(got-tt.want) > 1e-9 || bare != tt.bare {
			t.Errorf("%q: %v %v %v", tt.in, got, bare, ok)
		}
	}
	for _, in := range []string{"", "s", "1.5s", "5sec", "1M", "5s1m", "1m1m", "-1", "5 x", "99999999999999999999"} {
		if got, _, ok := parseTime(in, false); ok {
			t.Errorf("%q is %v", in, got)
		}
	}
}

// Settings in whole seconds take months and no milliseconds.
func TestWholeSeconds(t *testing.T) {
	if got, _, ok := parseTime("1M", true); !ok || got != 30*86400 {
		t.Errorf("1M: %v %v", got, ok)
	}
	if got, _, ok := parseTime("500ms", true); ok {
		t.Errorf("500ms is %v", got)
	}
}

func TestRecognise(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		want       bool
	}{
		{"nginx.conf", "http {\n  include mime.types;\n}\n", true},
		{"conf.d/app.conf", "server {\n listen 80;\n}", true},
		{"snippets/limits", "proxy_read_timeout 5s;\n", true},
		{"default.conf.template", "upstream a {\n server b;\n}\nserver {\n listen 80;\n}", true},
		{"nginx/ingress.tpl", "apiVersion: v1\nkind: Ingress\nx: |\n  proxy_pass http://a;\n", false},
		{"one.conf", "http {\n server {\n  location / { proxy_pass http://o; }\n }\n}\n", true},
		{"two.conf", "upstream o { server a:1; server b:2; }\n", true},
		{"other.conf", "http { timeout = 5s; server { port = 80 } }\n", false},
		{"said.conf", "location / { # proxy_pass http://o;\n}\n", false},
		{"application.conf", "server {\n port = 80\n}\nhttp {\n timeout = 5s;\n}", false},
		{"nginx/README.md", "server {\n listen 80;\n}", false},
		{"httpd.conf", "<VirtualHost *:80>\nProxyPass / http://a\n</VirtualHost>", false},
		{"sites-available/shop.example", "server {\n listen 80;\n}", true},
		{"lib/Tree.pm", "map {\n return $_;\n} server {\n listen 80;\n", false},
		{"bin/run", "#!/usr/bin/perl\nserver {\n listen 80;\n}", false},
		{"main.c", "server {\n listen 80;\n}", false},
	} {
		if got := Reader.Recognise(tt.name, []byte(tt.data)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestLimits(t *testing.T) {
	deep := strings.Repeat("http {", 5000)
	docs := Reader.Read(readtest.Input(t, "deep.conf", []byte(deep)))
	if len(docs) != 1 || len(docs[0].Problems) == 0 || !strings.Contains(docs[0].Problems[0].Err, "nest more than") {
		t.Errorf("deep: %+v", docs[0].Problems)
	}
	many := strings.Repeat("a b;", maxWords/2+1)
	docs = Reader.Read(readtest.Input(t, "many.conf", []byte(many)))
	if n := len(docs[0].Problems); n != 1 || !strings.Contains(docs[0].Problems[0].Err, "the rest is not read") {
		t.Errorf("many: %+v", docs[0].Problems)
	}
	odd := strings.Repeat(";", 1000)
	if n := len(Reader.Read(readtest.Input(t, "odd.conf", []byte(odd)))[0].Problems); n != maxProblems {
		t.Errorf("odd: %d problems", n)
	}
}

func TestNearest(t *testing.T) {
	for key, want := range map[string]string{
		"proxy_conect_timeout": "proxy_connect_timeout", "fastcgi_reed_timeout": "fastcgi_read_timeout", "proxy_read_timeout": "", "limit_rate": "", "proxy_set_header": "", "my_own_setting": "",
	} {
		if got := nearest(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

// inPlace holds each plain word against the bytes of its place.
func inPlace(t *testing.T, data []byte, block []*directive) {
	t.Helper()
	for _, d := range block {
		for _, w := range d.args {
			if text := string(data[w.at.Offset:w.at.End]); !w.quoted && !strings.Contains(text, `\`) && text != w.text {
				t.Errorf("%q stands at the place of %q", text, w.text)
			}
			if line := 1 + strings.Count(string(data[:w.at.Offset]), "\n"); line != w.at.Line {
				t.Errorf("%q is on line %d, not on %d", w.text, line, w.at.Line)
			}
		}
		inPlace(t, data, d.block)
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/model/*.conf*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil && !strings.HasSuffix(name, ".golden") {
			f.Add(data)
		}
	}
	f.Add([]byte("a \"b\\\"c\" 'd';\r\n# e\n\ufeff{ } } content_by_lua_block { [=[ ]=] }"))
	f.Fuzz(func(t *testing.T, data []byte) {
		readtest.Sound(t, Reader.Read, "f.conf", data)
		block, _ := parse("f.conf", data)
		inPlace(t, data, block)
	})
}
