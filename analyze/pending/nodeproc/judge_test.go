package nodeproc

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/v8"
	"example.com/kneeline/heapdump/v8/v8gen"
	"example.com/kneeline/internal/input"
)

// process is a Node process being made up: a server with connections.
type process struct {
	*v8gen.Snapshot
	app, null, scope int
}

func newProcess() *process {
	p := &process{Snapshot: v8gen.New()}
	p.app = p.Object("App", 40, 0, "app")
	p.scope = p.Object("system / Context", 40, p.app, "scope")
	p.null = p.Add("hidden", "system / Oddball", 28)
	proto := p.Object("ServerResponse", 60, p.app, "proto")
	p.Link(proto, "property", "__proto__", p.null)
	return p
}

// request opens a request on a connection of its own and returns its response.
func (p *process) request(begun bool) int {
	socket := p.Object("Socket", 100, p.app, "connection")
	parser := p.Object("HTTPParser", 50, socket, "parser")
	res := p.Object("ServerResponse", 200, socket, "_httpMessage")
	req := p.Object("IncomingMessage", 150, res, "req")
	p.Link(parser, "property", "incoming", req)
	p.Link(res, "property", "socket", socket)
	if begun {
		p.Link(res, "property", "_header", p.Add("string", "HTTP/1.1 200 OK", 30))
	} else {
		p.Link(res, "property", "_header", p.null)
	}
	return res
}

// idle adds a connection whose request was answered.
func (p *process) idle() {
	socket := p.Object("Socket", 100, p.app, "connection")
	p.Link(socket, "property", "_httpMessage", p.null)
}

// list adds an array in a variable of a function.
func (p *process) list(name string, entries ...int) int {
	a := p.Add("object", "Array", 16)
	p.Link(p.scope, "context", name, a)
	table := p.Add("array", "(object elements)", int64(8*len(entries)))
	p.Link(a, "internal", "elements", table)
	for i, e := range entries {
		p.Slot(a, "element", i, e)
	}
	return a
}

func (p *process) judge(t testing.TB, o pending.Options) *pending.Result {
	t.Helper()
	s, err := v8.Read(context.Background(), bytes.NewReader(p.Bytes()), v8.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	res, err := Judge(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func queueNamed(res *pending.Result, name string) *pending.Queue {
	for i := range res.Queues {
		if res.Queues[i].Name == name {
			return &res.Queues[i]
		}
	}
	return nil
}

func ptr[T any](v T) *T { return &v }

func TestOpenRequestsInAnArray(t *testing.T) {
	p := newProcess()
	var entries []int
	for range 250 {
		e := p.Add("object", "Object", 32)
		p.Link(e, "property", "res", p.request(false))
		entries = append(entries, e)
	}
	for range 120 {
		p.idle()
	}
	p.list("waiting", entries...)
	res := p.judge(t, pending.Options{Name: "x"})
	q := queueNamed(res, openName)
	if res.Verdict.Answer != pending.PileUp || q == nil || q.Entries != 250 {
		t.Fatalf("%+v, %+v", res.Verdict, res.Queues)
	}
	// Socket, parser, response, request and entry go with it; nothing else does.
	if want := float64(100 + 50 + 200 + 150 + 32); *q.BytesEach != want || *q.Bytes != 250*int64(want) {
		t.Errorf("%v bytes each, want %v", *q.BytesEach, want)
	}
	if q.OwnerField != "waiting" || !strings.Contains(res.Verdict.Sentence, "250 of them in the array waiting") {
		t.Errorf("held by %q; %s", q.OwnerField, res.Verdict.Sentence)
	}
	if len(res.Findings) != 1 || res.Findings[0].Rule != "HEP-01" {
		t.Errorf("findings %+v", res.Findings)
	}
	// With what the service sustains it is told how many are too many.
	o := pending.Options{Capacity: ptr(100.0), Timeout: ptr(0.5)}
	if q = queueNamed(p.judge(t, o), openName); *q.UsefulPositions != 50 || *q.Dead != 200 || *q.WaitOfNew != 2.5 {
		t.Errorf("useful %d, dead %d, wait %v", *q.UsefulPositions, *q.Dead, *q.WaitOfNew)
	}
	o.Timeout = ptr(3.0)
	if res = p.judge(t, o); res.Verdict.Answer != pending.Nothing || len(res.Findings) != 0 {
		t.Errorf("250 of 300 that are of use: %+v", res.Verdict)
	}
}

// Streams that are being sent, idle connections and few requests are no pile-up.
func TestNothing(t *testing.T) {
	p := newProcess()
	for range 300 {
		p.request(true)
		p.idle()
	}
	for range 99 {
		p.request(false)
	}
	res := p.judge(t, pending.Options{})
	if res.Verdict.Answer != pending.Nothing || len(res.Queues) != 0 || !strings.Contains(strings.Join(res.Verdict.Why, " "), "300 have begun to answer") {
		t.Errorf("%+v, %+v", res.Verdict, res.Queues)
	}
}

func TestOutgoing(t *testing.T) {
	p := newProcess()
	for i := range 150 {
		r := p.Object("ClientRequest", 80, p.app, "outgoing")
		if i < 8 {
			socket := p.Object("Socket", 100, r, "socket")
			p.Link(socket, "property", "_httpMessage", r)
		} else {
			p.Link(r, "property", "socket", p.null)
		}
	}
	res := p.judge(t, pending.Options{})
	if q := queueNamed(res, outgoingName); q == nil || q.Entries != 142 || len(res.Findings) != 1 || res.Findings[0].Rule != "HEP-09" {
		t.Errorf("%+v, %+v", res.Verdict, res.Queues)
	}
}

// Whatever is open, begun, idle and streamed, the counts are those.
func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newProcess()
		open, begun := rapid.IntRange(1, 30).Draw(t, "open"), rapid.IntRange(0, 30).Draw(t, "begun")
		streams, closed := rapid.IntRange(0, 30).Draw(t, "streams"), rapid.IntRange(0, 30).Draw(t, "closed")
		ticks := rapid.IntRange(0, 30).Draw(t, "ticks")
		for range open {
			p.request(false)
		}
		for range begun {
			p.request(true)
		}
		session := p.Object("ServerHttp2Session", 70, p.app, "session")
		for i := range streams + closed {
			st := p.Object("ServerHttp2Stream", 60, p.app, "stream")
			if i < streams {
				p.Link(st, "property", "<symbol kSession>", session)
			} else {
				p.Link(st, "property", "<symbol kSession>", p.null)
			}
		}
		ring := p.Object("FixedCircularBuffer", 40, p.app, "queue")
		slots := p.Object("Array", 16, ring, "list")
		for i := range 40 {
			if i < ticks {
				p.Slot(slots, "element", i, p.Add("object", "Object", 24))
			} else {
				p.Slot(slots, "element", i, p.null)
			}
		}
		s, err := v8.Read(context.Background(), bytes.NewReader(p.Bytes()), v8.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		res, err := Judge(s, pending.Options{MinEntries: 1})
		if err != nil {
			t.Fatal(err)
		}
		if q := queueNamed(res, openName); q == nil || q.Entries != int64(open+streams) {
			t.Fatalf("open %d and %d, found %+v", open, streams, q)
		}
		if q := queueNamed(res, ticksName); ticks > 0 && (q == nil || q.Entries != int64(ticks)) || ticks == 0 && q != nil {
			t.Fatalf("%d ticks, found %+v", ticks, q)
		}
		objects, bytes := int64(0), int64(0)
		for _, r := range res.Histogram {
			objects, bytes = objects+r.Count, bytes+r.Bytes
		}
		if objects != int64(len(p.Nodes)) || bytes != res.Heap.Bytes {
			t.Fatalf("the histogram has %d objects and %d bytes of %d and %d", objects, bytes, len(p.Nodes), res.Heap.Bytes)
		}
	})
}

// Keys of dictionaries are contents and are never told.
func TestKeysAreNotTold(t *testing.T) {
	p := newProcess()
	dictionary := p.Object("Object", 56, p.app, "byUser")
	for range 200 {
		p.Object("Object", 24, dictionary, "alice")
	}
	list := p.Add("object", "Array", 16)
	p.Link(dictionary, "property", "secretUser", list)
	p.Link(dictionary, "property", "key with spaces", list)
	for i := range 300 {
		p.Slot(list, "element", i, p.request(false))
	}
	res := p.judge(t, pending.Options{})
	text, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if q := queueNamed(res, openName); q == nil || q.Entries != 300 || strings.Contains(string(text), "secretUser") || strings.Contains(string(text), "key with") {
		t.Errorf("%s", text)
	}
}

// A snapshot without its end has no names.
func TestCutOff(t *testing.T) {
	p := newProcess()
	for range 200 {
		p.request(false)
	}
	data := p.Bytes()
	s, err := v8.Read(context.Background(), bytes.NewReader(data[:len(data)/2]), v8.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	res, err := Judge(s, pending.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if res.Verdict.Answer != pending.Unknown || res.Inputs[0].Complete || len(res.Histogram) == 0 || !strings.Contains(res.Verdict.Sentence, "ends before the names") {
		t.Errorf("%+v", res.Verdict)
	}
}

// A server of Node with 5,000 requests that it never answers.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("KNEELINE_CORPUS")
	if dir == "" {
		t.Skip("KNEELINE_CORPUS names no corpus")
	}
	path := filepath.Join(dir, "heap", "node-stall-5000.heapsnapshot.gz")
	src, err := input.Source{Name: path, Path: path}.Open(nil)
	if err != nil {
		t.Skip(err)
	}
	defer src.Close()
	s, err := v8.Read(context.Background(), src, v8.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !s.Complete || s.Nodes() != 388123 || s.EdgeCount() != 2154313 || len(s.Losses) > 0 {
		t.Fatalf("%d nodes, %d edges, losses %v", s.Nodes(), s.EdgeCount(), s.Losses)
	}
	res, err := Judge(s, pending.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if q := queueNamed(res, openName); q == nil || q.Entries != 5000 || res.Heap.Bytes != 27013980 {
		t.Errorf("%+v of %d bytes", res.Verdict, res.Heap.Bytes)
	}
}
