package cmd

import (
	"testing"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/v8/v8gen"
)

// nodeSnapshot is a snapshot of a Node process in which n requests wait in an array.
func nodeSnapshot(n int) []byte {
	g := v8gen.New()
	app := g.Object("App", 64, 0, "app")
	scope := g.Object("system / Context", 48, app, "context")
	list := g.Add("object", "Array", 16)
	g.Link(scope, "context", "waiting", list)
	for i := range n {
		socket := g.Object("Socket", 320, app, "connection")
		g.Object("HTTPParser", 40, socket, "parser")
		res := g.Object("ServerResponse", 360, socket, "_httpMessage")
		g.Object("IncomingMessage", 232, res, "req")
		entry := g.Add("object", "Object", 48)
		g.Link(entry, "property", "res", res)
		g.Slot(list, "element", i, entry)
	}
	return g.Bytes()
}

// The figures of a pile-up in Node are those that the snapshot was made with.
func TestHeapOfNode(t *testing.T) {
	path := writeDump(t, t.TempDir(), "app.heapsnapshot", nodeSnapshot(400))
	res := heapJSON(t, path, "--capacity", "200/s", "--timeout", "500ms")
	if res.Verdict.Answer != pending.PileUp || res.Verdict.Queue == nil {
		t.Fatalf("verdict %+v", res.Verdict)
	}
	q := res.Queues[*res.Verdict.Queue]
	if q.Entries != 400 || *q.UsefulPositions != 100 || *q.Dead != 300 || *q.BytesEach != 1000 || q.OwnerField != "waiting" {
		t.Errorf("%+v", q)
	}
}
