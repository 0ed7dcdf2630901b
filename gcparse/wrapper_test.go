package gcparse

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wrapLines puts a wrapper around every line.
func wrapLines(text string, how func(i int, line string) string) string {
	var b strings.Builder
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString(how(i, l))
		b.WriteByte('\n')
	}
	return b.String()
}

func dockerJSON(stream, text string) string {
	log, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"log":%s,"stream":"%s","time":"2026-11-29T10:00:00.5Z"}`, log, stream)
}

var wrapperTests = []struct {
	name  string
	wraps []string // what the result calls it
	wall  bool     // its time is known
	how   func(i int, line string) string
}{
	{"docker json-file", []string{"json"}, true, func(_ int, l string) string { return dockerJSON("stdout", l+"\n") }},
	{"docker json-file with every third line split", []string{"json"}, true, func(i int, l string) string {
		if i%3 != 2 {
			return dockerJSON("stdout", l+"\n")
		}
		return dockerJSON("stdout", l[:5]) + "\n" + dockerJSON("stderr", "something else\n") + "\n" + dockerJSON("stdout", l[5:]+"\n")
	}},
	{"journald json", []string{"json"}, true, func(_ int, l string) string {
		m, _ := json.Marshal(l)
		return fmt.Sprintf(`{"_HOSTNAME" : "h", "X":{"a":["}"]}, "MESSAGE":%s, "__REALTIME_TIMESTAMP":"1796000000000000"}`, m)
	}},
	{"elasticsearch json", []string{"json"}, true, func(_ int, l string) string {
		m, _ := json.Marshal(l)
		return fmt.Sprintf(`{"@timestamp":"2026-11-29T10:00:00.000Z","log.level":"INFO","message":%s,"n":1.5,"t":null}`, m)
	}},
	{"CRI", []string{"cri"}, true, func(_ int, l string) string { return "2026-11-29T10:00:00.123456789Z stdout F " + l }},
	{"CRI with every line split", []string{"cri"}, true, func(i int, l string) string {
		if i < 3 {
			return "2026-11-29T10:00:00.123456789+01:00 stdout F " + l
		}
		return "2026-11-29T10:00:00.1Z stdout P " + l[:7] + "\n2026-11-29T10:00:00.1Z stderr F other\n2026-11-29T10:00:00.1Z stdout F " + l[7:]
	}},
	{"kubectl timestamps", []string{"kubectl timestamps"}, true, func(_ int, l string) string { return "2026-11-29T10:00:00.123456789Z " + l }},
	{"syslog 3164", []string{"syslog"}, false, func(_ int, l string) string { return "Nov 29 18:00:00 host java[123]: " + l }},
	{"syslog 3164 with priority", []string{"syslog"}, false, func(_ int, l string) string { return "<13>Nov  9 18:00:00 host java: " + l }},
	{"journalctl short-iso", []string{"syslog"}, true, func(_ int, l string) string { return "2026-11-29T18:00:00+0100 host java[123]: " + l }},
	{"syslog 5424", []string{"syslog"}, true, func(_ int, l string) string { return "<13>1 2026-11-29T18:00:00.1Z host app 12 - - " + l }},
	{"Tanuki", []string{"service wrapper"}, true, func(_ int, l string) string { return "INFO   | jvm 1    | 2013/12/10 14:40:00 | " + l }},
	{"docker compose", []string{"container name"}, false, func(_ int, l string) string { return "web-1  | " + l }},
	{"kubectl prefix", []string{"container name"}, false, func(_ int, l string) string { return "[pod/web-7d9/app] " + l }},
	{"log4j", []string{"log prefix"}, true, func(_ int, l string) string { return "2026-11-29 10:00:00,123 INFO  [gc-thread] c.e.Log - " + l }},
	{"Tanuki in docker", []string{"json", "service wrapper"}, true, func(i int, l string) string {
		if i < 2 {
			return dockerJSON("stdout", l+"\n")
		}
		return dockerJSON("stdout", "jvm 1 | "+l+"\n")
	}},
}

// The events of a log do not depend on what shipped it.
func TestWrappers(t *testing.T) {
	want, _ := parse(t, g1Log)
	for _, tt := range wrapperTests {
		t.Run(tt.name, func(t *testing.T) {
			text := wrapLines(g1Log, tt.how)
			got, res := parse(t, text)
			if diff := cmp.Diff(titles(want), titles(got)); diff != "" {
				t.Fatal(diff)
			}
			if diff := cmp.Diff(tt.wraps, res.Wrappers); diff != "" {
				t.Error(diff)
			}
			last := got[len(got)-1].Start
			if last.HasWall != tt.wall || last.Borrowed != tt.wall {
				t.Errorf("stamp %+v", last)
			}
			if n := res.Ledger.Unknown(); n != 0 {
				t.Errorf("unknown lines: %+v", res.Ledger.Shapes)
			}
			lines := int64(strings.Count(text, "\n"))
			if res.Ledger.Total() != lines {
				t.Errorf("%d lines counted of %d", res.Ledger.Total(), lines)
			}
		})
	}
}

// A wrapper may end where a log goes on without it, and begin again.
func TestWrapperComesAndGoes(t *testing.T) {
	half := len(g1Log) / 2
	half += strings.IndexByte(g1Log[half:], '\n') + 1
	want, _ := parse(t, g1Log)
	cri := func(_ int, l string) string { return "2026-11-29T10:00:00.1Z stdout F " + l }
	for name, text := range map[string]string{
		"ends":            wrapLines(g1Log[:half], cri) + g1Log[half:],
		"begins":          g1Log[:half] + wrapLines(g1Log[half:], cri),
		"every other one": wrapLines(g1Log, func(i int, l string) string { return []string{l, cri(i, l)}[i%2] }),
		"changes": wrapLines(g1Log[:half], cri) +
			wrapLines(g1Log[half:], func(_ int, l string) string { return dockerJSON("stdout", l+"\n") }),
	} {
		for _, workers := range []int{0, 2} {
			got, _ := readText([]byte(text), workers, nil)
			if diff := cmp.Diff(titles(want), titles(got)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

// A line with a free prefix does not make the stamps of those without one into
// prefixes.
func TestPrefixComesAndGoes(t *testing.T) {
	want, _ := parse(t, g1Log)
	got, _ := parse(t, wrapLines(g1Log, func(i int, l string) string {
		if i%4 == 1 {
			return "10:00:00 INFO out - " + l
		}
		return l
	}))
	if diff := cmp.Diff(titles(want), titles(got)); diff != "" {
		t.Error(diff)
	}
	events, res := parse(t, unifiedLines("gc", "900.1 GC(21) Frobnicate 3.0ms", "901.0 GC(22) Pause Young (x) 1M->1M(2M) 1.0ms"))
	if len(events) != 1 || !events[0].Start.HasUptime || len(res.Wrappers) != 0 {
		t.Errorf("after an unknown line: %+v, wrappers %v", events, res.Wrappers)
	}
}

// Lines that merely look like a wrapper's stay what they are.
func TestNoWrapper(t *testing.T) {
	for _, text := range []string{
		`{"log":"broken`, `{"message":5}`, `{}`, `{"log":"no gc here\n","stream":"stdout","time":"x"}`,
		"2026-11-29T10:00:00.1Z stdout X text", "2026-11-29T10:00:00.1Z", "<13>", "<999999>x",
		"INFO | jvm", "[pod/x", "a | b", "Nov 29 18:00:00 host", "|", `{"log":"\u12`, `{"a":{"b":[}`,
	} {
		events, res := parse(t, text+"\n"+text)
		if len(events) != 0 || len(res.Wrappers) != 0 || res.Ledger.Lines[ForeignLine] != 2 {
			t.Errorf("%q: %d events, wrappers %v, ledger %v", text, len(events), res.Wrappers, res.Ledger.Lines)
		}
	}
}
