//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/compare"
)

// nodePending is how many requests the server of testdata/heap/stall.js keeps in its
// array; before the second snapshot it is as many again.
const nodePending = 600

// nodeTruth is what the server knows of itself.
type nodeTruth struct {
	Open, Array, HTTP1, HTTP2, Begun, Outgoing, Timers, Ticks int64
}

// nodeSnapshots makes two snapshots of one server.
func nodeSnapshots(t *testing.T) (paths [2]string, truths [2]nodeTruth) {
	t.Helper()
	node := need(t, "node")
	out := filepath.Join(t.TempDir(), "app.heapsnapshot")
	cmd := exec.Command(node, "testdata/heap/stall.js", out, fmt.Sprint(nodePending), "more")
	timer := time.AfterFunc(60*time.Second, func() {
		if cmd.Process != nil {
			_ = cmd.Process.Kill()
		}
	})
	defer timer.Stop()
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	paths = [2]string{out, out + ".2"}
	for i, path := range paths {
		text, err := os.ReadFile(path + ".truth.json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &truths[i]); err != nil {
			t.Fatal(err)
		}
	}
	return paths, truths
}

// A server of Node: every count is what the server itself says.
func TestHeapNode(t *testing.T) {
	paths, truths := nodeSnapshots(t)
	for i, path := range paths {
		var res pending.Result
		if r := kneeline(t, "heap", path, "-o", "json"); r.code != 0 {
			t.Fatal(r.stderr)
		} else if err := json.Unmarshal([]byte(r.stdout), &res); err != nil {
			t.Fatal(err)
		}
		entries := map[string]int64{}
		for _, q := range res.Queues {
			entries[q.Name] = q.Entries
		}
		want := truths[i]
		for name, n := range map[string]int64{"open HTTP requests": want.Open, "array Admission.backlog": want.Array, "outgoing HTTP requests without a connection": want.Outgoing} {
			if entries[name] != n {
				t.Errorf("snapshot %d: %d %s, want %d", i+1, entries[name], name, n)
			}
		}
		// Callbacks are there before the loop has run; Node has timers of its own.
		if i == 0 && entries["queue of process.nextTick"] != want.Ticks {
			t.Errorf("%d callbacks, want %d", entries["queue of process.nextTick"], want.Ticks)
		}
		if n := entries["timers"]; n < want.Timers || n > want.Timers+20 {
			t.Errorf("%d timers, want %d", n, want.Timers)
		}
		if res.Verdict.Answer != pending.PileUp || res.Queues[0].OwnerField != "backlog" || res.Queues[0].BytesEach == nil || *res.Queues[0].BytesEach < 2000 || *res.Queues[0].BytesEach > 8000 {
			t.Errorf("%+v, %+v", res.Verdict, res.Queues[0])
		}
	}
	var res compare.Result
	if r := kneeline(t, "heap", "compare", paths[0], paths[1], "--interval", "10s", "-o", "json"); r.code != 0 {
		t.Fatal(r.stderr)
	} else if err := json.Unmarshal([]byte(r.stdout), &res); err != nil {
		t.Fatal(err)
	}
	if q := res.Queues[0]; res.Verdict != compare.Growing || q.Change != nodePending || q.Rate == nil || *q.Rate != nodePending/10 {
		t.Errorf("%s, %+v", res.Sentence, res.Queues[0])
	} else if q.Arrived == nil || *q.Arrived != nodePending || *q.Left != 0 {
		t.Errorf("none left, and %d came: %v, %v", nodePending, value(q.Arrived), value(q.Left))
	}
}

// The graph of a snapshot: who holds the array, and the array itself by its identifier.
func TestHeapNodeGraph(t *testing.T) {
	paths, _ := nodeSnapshots(t)
	var res pending.Result
	if r := kneeline(t, "heap", paths[0], "--graph", "-o", "json"); r.code != 0 {
		t.Fatal(r.stderr)
	} else if err := json.Unmarshal([]byte(r.stdout), &res); err != nil {
		t.Fatal(err)
	}
	if res.Graph == nil || len(res.Graph.Holders) == 0 || res.Graph.Bytes > res.Heap.Bytes || res.Graph.Bytes < res.Heap.Bytes*9/10 {
		t.Fatalf("graph %+v of %d bytes", res.Graph, res.Heap.Bytes)
	}
	way := res.Graph.Holders[0].Path
	if n := len(way); n < 2 || way[n-1].Field != "backlog" || way[n-2].Class != "Admission" {
		t.Errorf("the way to the queue: %+v", way)
	}
	if r := kneeline(t, "heap", "path", paths[0], way[len(way)-1].Address); r.code != 0 || !strings.Contains(r.stdout, "Admission") {
		t.Errorf("exit code %d: %s%s", r.code, r.stdout, r.stderr)
	}
}
