package cmd

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/heapdump/v8/v8gen"
)

// The graph of a snapshot adds who holds what to the report.
func TestHeapGraphOfNode(t *testing.T) {
	path := writeDump(t, t.TempDir(), "app.heapsnapshot", nodeSnapshot(400))
	res := heapJSON(t, path, "--graph")
	g := res.Graph
	if g == nil || g.Bytes != 400*1000+128 || g.Unreachable != 0 {
		t.Fatalf("graph %+v", g)
	}
	// The app holds all, by three properties of each connection and one of the array.
	if d := g.Dominators[0]; d.Class != "App" || d.Retained != g.Bytes || *d.Children != 801 {
		t.Errorf("%+v", d)
	}
	if len(g.Holders) == 0 || g.Holders[0].Queue != *res.Verdict.Queue || g.Holders[0].Retained != 400_000 {
		t.Fatalf("holders %+v", g.Holders)
	}
	way := ""
	for _, o := range g.Holders[0].Path {
		way += "/" + o.Class + "." + o.Field
	}
	if way != "/App./system / Context.context/Array.waiting" && way != "/App./system / Context.property/Array.waiting" {
		t.Errorf("the way to the queue: %s", way)
	}
	if s := g.Suspects[0]; s.Class != "App" || s.Retained != g.Bytes {
		t.Errorf("%+v", s)
	}
	got := runArgs(t, "heap", path, "--graph", "-o", "folded")
	sum := int64(0)
	for line := range strings.Lines(got.stdout) {
		var n int64
		if _, err := fmt.Sscan(line[strings.LastIndexByte(line, ' ')+1:], &n); err != nil {
			t.Fatal(line)
		}
		sum += n
	}
	if got.code != 0 || sum != g.Bytes {
		t.Errorf("exit code %d, the flame graph has %d B of %d", got.code, sum, g.Bytes)
	}
}

func TestHeapPathOfNode(t *testing.T) {
	g := v8gen.New()
	app := g.Object("App", 64, 0, "app")
	secret := g.Object("Session", 100, app, "card 4242-4242")
	g.Object("Buffer", 1000, secret, "alice@example.com")
	g.Object("Socket", 10, secret, "socket")
	fn := g.Add("closure", "bob@example.com", 32)
	g.Link(secret, "property", "callback", fn)
	path := writeDump(t, t.TempDir(), "app.heapsnapshot", g.Bytes())
	ask := func(object string) retained.PathResult {
		got := runArgs(t, "heap", "path", path, object, "-o", "json")
		if got.code != 0 {
			t.Fatal(got.stderr)
		}
		validate(t, got.stdout)
		for _, private := range []string{"4242", "alice", "bob@"} {
			if strings.Contains(got.stdout, private) {
				t.Errorf("%q is in %s", private, got.stdout)
			}
		}
		var res retained.PathResult
		if err := json.Unmarshal([]byte(got.stdout), &res); err != nil {
			t.Fatal(err)
		}
		return res
	}
	res := ask("Session")
	if res.Object.Retained != 1142 || len(res.Path) != 2 || res.Dominators[0].Class != "App" || len(res.Fields) != 3 || res.ReferrerCount != 1 {
		t.Errorf("%+v", res)
	}
	again := ask(res.Object.Address)
	if again.Object.Address != res.Object.Address || again.Object.Class != "Session" {
		t.Errorf("%+v, %+v", again.Object, res.Object)
	}
	for object, want := range map[string]int{"@999999": 3, "@x": 2, "NoSuch": 3} {
		if got := runArgs(t, "heap", "path", path, object); got.code != want {
			t.Errorf("%s: exit code %d: %s", object, got.code, got.stderr)
		}
	}
}

// Inputs without references say so, and outputs that need a graph are refused before
// anything is read.
func TestHeapGraphOfOthers(t *testing.T) {
	dir := t.TempDir()
	histogram := writeDump(t, dir, "histo.txt", []byte(" num     #instances         #bytes  class name (module)\n-------------------------------------------------------\n   1:         15500        1736000  sun.nio.ch.SocketChannelImpl (java.base@17.0.15)\nTotal         15500        1736000\n"))
	dump := writeDump(t, dir, "a.hprof", jettyDump(400))
	if res := heapJSON(t, histogram, "--graph"); !strings.Contains(strings.Join(res.Warnings, "\n"), "--graph was not followed") {
		t.Errorf("warnings %q", res.Warnings)
	}
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"no graph":     {[]string{dump, "-o", "folded"}, 2, "--graph"},
		"two heaps":    {[]string{dump, writeDump(t, dir, "b.hprof", jettyDump(300)), "--graph", "-o", "folded"}, 2, "one heap"},
		"no refs":      {[]string{histogram, "--graph", "-o", "folded"}, 3, "no dominator tree"},
		"no directory": {[]string{dump, "--graph", "--temp-dir", dir + "/none"}, 2, "--temp-dir"},
		"little room":  {[]string{dump, "--graph", "--memory", "64MiB"}, 2, "--memory"},
		"of a path":    {[]string{"path", dump, "java.lang.Object", "--temp-dir", dir + "/none"}, 2, "--temp-dir"},
		"no dump":      {[]string{"path", histogram, "A"}, 3, "expected a heap dump of Java"},
	} {
		got := runArgs(t, append([]string{"heap"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.stderr, c.says) {
			t.Errorf("%s: exit code %d: %s", name, got.code, got.stderr)
		}
	}
}
