package haproxy

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
	}{{"5000", 5, true}, {"5s", 5, false}, {"250ms", 0.25, false}, {"100us", 1e-4, false}, {"2h", 7200, false}, {"1d", 86400, false}, {"0", 0, true}} {
		got, bare, ok := parseTime(tt.in)
		if !ok || math.Abs(got-tt.want) > 1e-9 || bare != tt.bare {
			t.Errorf("%q: %v %v %v", tt.in, got, bare, ok)
		}
	}
	for _, in := range []string{"", "s", "1m30s", "1.5s", "5sec", "-1", "5 s"} {
		if got, _, ok := parseTime(in); ok {
			t.Errorf("%q is %v", in, got)
		}
	}
}

func TestWords(t *testing.T) {
	lines, problems := lex("f", []byte("a \"b # c\" 'd $e' f\\ g#h\n  # all\n.if x\n\ti j\\\\k \"l\\\"m\"\r\n"))
	var got []string
	for _, l := range lines {
		for _, w := range l.words {
			got = append(got, w.text)
		}
		got = append(got, "|")
	}
	if want := "a;b # c;d $e;f g;|;i;j\\k;l\"m;|"; strings.Join(got, ";") != want {
		t.Errorf("%q, want %q", strings.Join(got, ";"), want)
	}
	if len(problems) > 0 {
		t.Errorf("%+v", problems)
	}
	if at := lines[1].words[1].at; at.Line != 4 || at.Column != 4 {
		t.Errorf("%+v", at)
	}
}

func TestRecognise(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		want       bool
	}{
		{"haproxy.cfg", "defaults\n  timeout client 5s\n", true},
		{"lb.conf.erb", "frontend x\n  bind :80\n", true},
		{"setup.cfg", "[flake8]\nmax-line = 80\n", false},
		{"terraform.conf", "backend s3 {\n server a b\n}\n", false},
		{"notes", "the backend\nserver is slow today\n", false},
		{"haproxy.yaml", "defaults\n  timeout client 5s\n", false},
	} {
		if got := Reader.Recognise(tt.name, []byte(tt.data)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestLimits(t *testing.T) {
	docs := Reader.Read(readtest.Input(t, "f.cfg", []byte(strings.Repeat("a\n", maxLines+1))))
	if len(docs[0].Problems) != 1 || !strings.Contains(docs[0].Problems[0].Err, "the rest is not read") {
		t.Errorf("%+v", docs[0].Problems)
	}
	docs = Reader.Read(readtest.Input(t, "f.cfg", []byte(strings.Repeat("a \"b\n", 1000))))
	if n := len(docs[0].Problems); n != maxProblems {
		t.Errorf("%d problems", n)
	}
}

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{"cleint": "client", "conect": "connect", "server": "", "mail": "", "tunel": "tunnel"} {
		if got := nearest(word, timeouts, nil); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

// What experts found in public files must be in the model.
func TestCorpus(t *testing.T) {
	for name, wanted := range map[string][]string{
		"kubernetes-sigs__kubespray__roles__kubernetes__node__templates__loadbalancer__haproxy.cfg.j2": {
			`Caps.QueueWait 5m set timeout queue`, `Connect 30s set timeout connect`, `Retry.Tries 6 set retries "5"`, `Caps.Connections 1,000 set maxconn`, `Caps.Queue 256 set maxqueue`,
			`Retry.SameHost off set option redispatch`, `hole timeout client`,
		},
		"patroni__patroni__haproxy.cfg":                     {"Caps.Connections 100 set", "Caps.Queue no limit default maxqueue", "Caps.QueueWait 4s derived", "GapRead 30m set timeout server", "Listen.GapRead 30m set timeout client"},
		"haproxy__haproxy__examples__basic-config-edge.cfg": {"Caps.QueueWait 15s set", "GapRead 1m set", "Listen.Idle 2m set timeout http-keep-alive", "On[0].Word conn-failure"},
		"openshift__router__images__router__haproxy__conf__haproxy-config.template": {
			"Listen.Idle 5m 300s set timeout http-keep-alive", "Caps.Connections no limit default maxconn", "Connect 5s 5s set timeout connect", "GapRead 30s 30s set timeout server",
		},
		"cloudfoundry__haproxy-boshrelease__jobs__haproxy__templates__haproxy.config.erb": {"hole timeout queue", "hole timeout server", "hole timeout client"},
	} {
		data := readtest.CorpusFile(t, name)
		if !Reader.Recognise(name, data) {
			t.Errorf("%s: not recognised", name)
			continue
		}
		docs := Reader.Read(readtest.Input(t, name, data))
		readtest.Lines(t, readtest.Table(docs), wanted...)
		for _, p := range docs[0].Problems {
			t.Errorf("%s:%d: %s", name, p.At.Line, p.Err)
		}
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/model/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil && !strings.HasSuffix(name, ".golden") {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { readtest.Sound(t, Reader.Read, "f.cfg", data) })
}
