package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/hprofgen"
)

// told is the result of a dump without what differs between a dump and its copy: the
// size of the file, and the note that it is one.
func told(t *testing.T, path string) string {
	t.Helper()
	res := heapJSON(t, path)
	for i := range res.Inputs {
		res.Inputs[i].Name, res.Inputs[i].Read, res.Inputs[i].Total = "", nil, nil
	}
	var rest []string
	for _, w := range res.Warnings {
		if !strings.Contains(w, "redacted copy") {
			rest = append(rest, w)
		}
	}
	res.Warnings = rest
	text, err := json.MarshalIndent(res, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The report of a copy is that of the dump.
func TestRedactedReportIsTheSame(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"jetty": jettyDump(800), "quiet": quietDump(), "everything": hprofgen.Everything(hprofgen.Options{}).Encode().Data,
	} {
		path, to := writeDump(t, dir, name+".hprof", data), filepath.Join(dir, name+".copy.hprof.gz")
		got := runArgs(t, "heap", "redact", path, "-O", to, "-o", "json")
		if got.code != 0 {
			t.Fatalf("%s: exit code %d: %s", name, got.code, got.stderr)
		}
		validate(t, got.stdout)
		if a, b := told(t, path), told(t, to); a != b {
			x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
			for i := range min(len(x), len(y)) {
				if x[i] != y[i] {
					t.Errorf("%s: line %d is %s, want %s", name, i, y[i], x[i])
					break
				}
			}
		}
	}
}

// What is not to be shared is not in the copy, whatever it stood in.
func TestRedactedHasNoSecrets(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	c := d.Class("com.example.Card", nil, hprofgen.F("pan", hprofgen.Long), hprofgen.F("holder", hprofgen.Object), hprofgen.F("code", hprofgen.Int),
		hprofgen.S("MASTER", hprofgen.Long, int64(0x7365637265742121)))
	for range 150 {
		d.Object(c, "pan", int64(0x7365637265742121), "holder", d.String("secret!!"), "code", int32(0x73656372))
	}
	d.Thread("worker-secret!!", nil, hprofgen.At("com.example.Card", "pay", 3))
	path := writeDump(t, t.TempDir(), "dump.hprof", d.Encode().Data)
	for names, want := range map[string]int{"keep": 1, "zero": 0} {
		to := filepath.Join(t.TempDir(), "copy.hprof")
		if got := runArgs(t, "heap", "redact", path, "-O", to, "--names", names); got.code != 0 {
			t.Fatalf("exit code %d: %s", got.code, got.stderr)
		}
		copied, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(copied, []byte("secr")); n != want {
			t.Errorf("--names %s: %d secrets left, want %d", names, n, want)
		}
	}
}

// Times go where they are not to stay, and ages with them.
func TestRedactedTimes(t *testing.T) {
	path := writeDump(t, t.TempDir(), "dump.hprof", jettyDump(300))
	to := filepath.Join(t.TempDir(), "copy.hprof")
	if got := runArgs(t, "heap", "redact", path, "-O", to, "--times", "zero"); got.code != 0 {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	res := heapJSON(t, to)
	if res.Verdict.Answer != pending.PileUp || res.Queues[0].Entries != 300 || res.Queues[0].Age != nil {
		t.Errorf("%+v, %+v", res.Verdict, res.Queues[0])
	}
}
