package goproc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/goroutines"
	"example.com/kneeline/heapdump/pprof"
	"example.com/kneeline/internal/finding"
)

// frames reads "f:3 g:5" from the innermost on; the file is f.go of each.
func frames(text string) []goroutines.Frame {
	var out []goroutines.Frame
	for part := range strings.FieldsSeq(text) {
		i := strings.LastIndexByte(part, ':')
		line := 0
		if _, err := fmt.Sscan(part[i+1:], &line); err != nil {
			panic(err)
		}
		out = append(out, goroutines.Frame{Func: part[:i], File: "/src/f.go", Line: line})
	}
	return out
}

// The server's frames below a handler, and the runtime's above what waits.
const (
	http1   = " net/http.HandlerFunc.ServeHTTP:2286 net/http.serverHandler.ServeHTTP:3311 net/http.(*conn).serve:2067"
	grpcSrv = " google.golang.org/grpc.(*Server).processUnaryRPC:1405 google.golang.org/grpc.(*Server).handleStream:1815 google.golang.org/grpc.(*Server).serveStreams.func2.1:1035"
	send    = "runtime.gopark:1 runtime.chansend:2 runtime.chansend1:3 "
	receive = "runtime.gopark:1 runtime.chanrecv:2 runtime.chanrecv1:3 "
	selects = "runtime.gopark:1 runtime.selectgo:2 "
	sleep   = "runtime.gopark:1 time.Sleep:2 "
	netread = "runtime.gopark:1 runtime.netpollblock:2 internal/poll.runtime_pollWait:3 internal/poll.(*FD).Read:4 net.(*conn).Read:5 "
)

type group struct {
	n     int64
	stack string
}

func profileOf(at int64, groups ...group) *pprof.Profile {
	p := &pprof.Profile{Kind: pprof.Goroutine, Processes: 1, Taken: time.Unix(at, 0).UTC()}
	for _, g := range groups {
		p.Samples = append(p.Samples, pprof.Sample{Count: g.n, Frames: frames(g.stack)})
	}
	m, err := pprof.Merge(p)
	if err != nil {
		panic(err)
	}
	return m
}

func judged(o Options, profiles ...*pprof.Profile) *pending.Result {
	return Judge(Input{Profiles: profiles}, o)
}

// Answers to profiles that are written down here.
func TestAnswers(t *testing.T) {
	schema := published(t)
	for _, c := range []struct {
		name, answer, sentence string
		groups                 []group
		options                Options
	}{
		{"x/sync semaphore", pending.PileUp, "500 requests wait at main.handle (f.go:30) for one of 8 slots", []group{
			{500, selects + "golang.org/x/sync/semaphore.(*Weighted).Acquire:74 main.handle:30" + http1},
			{8, sleep + "main.handle:34" + http1},
		}, Options{}},
		{"rate limiter", pending.PileUp, "500 requests wait at main.handle (f.go:30) for a permit of x/time/rate", []group{
			{500, selects + "golang.org/x/time/rate.(*Limiter).wait:285 golang.org/x/time/rate.(*Limiter).WaitN:248 golang.org/x/time/rate.(*Limiter).Wait:233 main.handle:30" + http1},
			{3, sleep + "main.handle:34" + http1},
		}, Options{}},
		{"pgx pool of any version", pending.PileUp, "500 requests wait at main.query (f.go:12) for a connection of pgx's pool, of which at least 4 are in use", []group{
			{500, selects + "golang.org/x/sync/semaphore.(*Weighted).Acquire:74 github.com/jackc/puddle/v2.(*Pool[...]).acquire:352 github.com/jackc/puddle/v2.(*Pool[...]).Acquire:339 github.com/jackc/pgx/v5/pgxpool.(*Pool).Acquire:531 github.com/jackc/pgx/v5/pgxpool.(*Pool).Query:650 main.query:12 main.handle:30" + http1},
			{4, netread + "github.com/jackc/pgx/v5/pgconn.(*PgConn).peekMessage:500 github.com/jackc/pgx/v5/pgxpool.(*Pool).Query:660 main.query:12 main.handle:30" + http1},
		}, Options{}},
		{"singleflight", pending.PileUp, "500 requests wait at main.load (f.go:9) for the result of an equal call", []group{
			{500, "runtime.gopark:1 runtime.semacquire1:2 sync.(*WaitGroup).Wait:3 golang.org/x/sync/singleflight.(*Group).Do:113 main.load:9" + http1},
			{1, netread + "main.fetch:50 golang.org/x/sync/singleflight.(*Group).doCall:200 golang.org/x/sync/singleflight.(*Group).Do:118 main.load:9" + http1},
		}, Options{}},
		{"grpc", pending.PileUp, "300 requests wait at main.(*svc).Get (f.go:20) for one of 16 slots", []group{
			{300, send + "main.(*svc).Get:20" + grpcSrv}, {16, sleep + "main.(*svc).Get:22" + grpcSrv},
			{10, selects + "google.golang.org/grpc/internal/transport.(*loopyWriter).run:564"},
			{10, netread + "google.golang.org/grpc/internal/transport.(*http2Server).HandleStreams:651 google.golang.org/grpc.(*Server).serveStreams:1020"},
		}, Options{}},
		{"vendored", pending.PileUp, "300 requests wait at main.(*svc).Get (f.go:20) for a lock", []group{
			{300, "runtime.gopark:1 runtime.semacquire1:2 internal/sync.runtime_SemacquireMutex:3 sync.(*Mutex).Lock:4 main.(*svc).Get:20 k8s.io/helm/vendor/google.golang.org/grpc.(*Server).handleStream:7"},
		}, Options{}},
		{"fan-out is service", pending.Nothing, "no requests pile up among 400 goroutines", []group{
			{200, "runtime.gopark:1 runtime.semacquire1:2 sync.(*WaitGroup).Wait:3 golang.org/x/sync/errgroup.(*Group).Wait:55 main.handle:30" + http1},
			{200, netread + "main.part:3 golang.org/x/sync/errgroup.(*Group).Go.func1:90"},
		}, Options{}},
		{"waiting for another service", pending.Nothing, "no requests pile up", []group{
			{400, selects + "net/http.(*persistConn).roundTrip:2900 net/http.(*Transport).roundTrip:650 main.handle:30" + http1},
		}, Options{}},
		{"many in service", pending.Unknown, "no requests wait for their turn, but 4,000 requests are in service at once", []group{
			{4000, selects + "net/http.(*persistConn).roundTrip:2900 main.handle:30" + http1},
		}, Options{}},
		{"too many in service", pending.PileUp, "4,000 requests are in service at once, of which 200 can be answered within 2s", []group{
			{4000, selects + "net/http.(*persistConn).roundTrip:2900 main.handle:30" + http1},
		}, Options{Capacity: ptr(100.0), Timeout: ptr(2.0)}},
		{"not too many in service", pending.Nothing, "no requests pile up: 4,000 requests are in service at once", []group{
			{4000, selects + "net/http.(*persistConn).roundTrip:2900 main.handle:30" + http1},
		}, Options{Capacity: ptr(3000.0), Timeout: ptr(2.0)}},
		{"long polls", pending.Unknown, "2,000 requests wait at main.poll (f.go:7) (select), and the profile cannot tell", []group{
			{2000, selects + "main.poll:7" + http1},
		}, Options{}},
		{"event streams of which some send", pending.Unknown, "the profile cannot tell", []group{
			{2000, selects + "main.stream:7" + http1},
			{9, netread + "net/http.(*response).Write:1500 main.stream:9" + http1},
		}, Options{}},
		{"an admission by select", pending.PileUp, "2,000 requests wait at main.(*lim).acquire (f.go:7) (select) while 64 are past", []group{
			{2000, selects + "main.(*lim).acquire:7 main.handle:20" + http1},
			{60, netread + "main.query:5 main.handle:22" + http1}, {4, "main.render:5 main.handle:23" + http1},
		}, Options{}},
		{"a client of one's own, then the database", pending.Unknown, "300 requests wait at main.(*client).Call (f.go:50) (select), and the profile cannot tell", []group{
			{300, selects + "main.(*client).Call:50 main.handle:20" + http1},
			{20, netread + "main.query:5 main.handle:22" + http1}, {2, "main.(*client).Call:60 main.handle:20" + http1},
			{1, sleep + "main.janitor:4"}, {1, netread + "internal/poll.(*FD).Accept:6 net.(*TCPListener).Accept:1 net/http.(*Server).Serve:3434 main.metrics:2"},
		}, Options{}},
		{"janitors and listeners are no workers", pending.Unknown, "the profile cannot tell", []group{
			{3000, selects + "main.(*client).Call:50 main.handle:20" + http1},
			{2, sleep + "main.janitor:4"}, {2, netread + "internal/poll.(*FD).Accept:6 net.(*TCPListener).Accept:1 main.metrics:2"},
		}, Options{}},
		{"workers behind a channel", pending.PileUp, "3,000 requests wait at main.submit (f.go:50) for 16 goroutines of main.worker, all busy", []group{
			{3000, receive + "main.submit:50 main.handle:20" + http1},
			{16, netread + "main.query:5 main.worker:9"}, {2, sleep + "main.janitor:4"},
		}, Options{}},
		{"websockets", pending.Nothing, "no requests pile up", []group{
			{5000, netread + "github.com/gorilla/websocket.(*Conn).advanceFrame:809 github.com/gorilla/websocket.(*Conn).NextReader:1009 main.socket:40" + http1},
		}, Options{}},
		{"idle connections", pending.Nothing, "no requests pile up among 20,000 goroutines", []group{
			{10000, netread + "net/http.(*connReader).Read:805 bufio.(*Reader).fill:113 bufio.(*Reader).Peek:151 net/http.(*conn).serve:2113"},
			{10000, netread + "net/http.(*connReader).Read:805 net/http.(*conn).readRequest:1003 net/http.(*conn).serve:1985"},
		}, Options{}},
		{"few wait", pending.Nothing, "no requests pile up", []group{
			{99, send + "main.handle:20" + http1}, {8, sleep + "main.handle:22" + http1},
		}, Options{}},
		{"few may be many", pending.PileUp, "99 requests wait at main.handle (f.go:20) for one of 8 slots", []group{
			{99, send + "main.handle:20" + http1}, {8, sleep + "main.handle:22" + http1},
		}, Options{MinEntries: 50}},
		{"who is before the gate is not past it", pending.PileUp, "for one of 8 slots", []group{
			{500, send + "main.handle:20" + http1}, {8, sleep + "main.handle:22" + http1},
			{70, netread + "main.auth:3 main.handle:12" + http1}, {30, sleep + "main.other:60" + http1},
		}, Options{}},
		{"only one slot", pending.PileUp, "500 requests wait at main.handle (f.go:20) for the only slot", []group{
			{500, send + "main.handle:20" + http1}, {1, sleep + "main.handle:22" + http1},
		}, Options{}},
		{"everyone waits", pending.PileUp, "500 requests wait at main.handle (f.go:20) for room in a channel", []group{
			{500, send + "main.handle:20" + http1},
		}, Options{}},
		{"a wait in each of many handlers", pending.PileUp, "120 requests wait at 3 places, most at main.a (f.go:20) for room in a channel", []group{
			{50, send + "main.a:20" + http1}, {40, send + "main.b:20" + http1}, {30, send + "main.c:20" + http1}, {20, selects + "main.d:9" + http1},
		}, Options{}},
		{"background work in line", pending.FullOfElse, "no requests pile up; 3,000 goroutines pile up at main.job (f.go:5), waiting for a connection of database/sql", []group{
			{3000, selects + "database/sql.(*DB).conn:1415 database/sql.(*DB).query:1800 database/sql.(*DB).QueryContext:1780 main.job:5"},
		}, Options{}},
		{"the profile's own request", pending.Nothing, "no requests pile up among 200 goroutines", []group{
			{200, send + "runtime/pprof.writeGoroutine:1 net/http/pprof.Index:2" + http1},
		}, Options{}},
		{"nothing", pending.Unknown, "the profile has no goroutines", nil, Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := judged(c.options, profileOf(100, c.groups...))
			follows(t, schema, res)
			if res.Verdict.Answer != c.answer || !strings.Contains(res.Verdict.Sentence, c.sentence) {
				t.Errorf("%s: %s\nwant %s: %s", res.Verdict.Answer, res.Verdict.Sentence, c.answer, c.sentence)
			}
		})
	}
}

func TestNoGoroutines(t *testing.T) {
	if v := judged(Options{}).Verdict; v.Answer != pending.Unknown {
		t.Errorf("%+v", v)
	}
	h := &pprof.Profile{Kind: pprof.Heap, Processes: 1, Period: 512 << 10, Samples: []pprof.Sample{
		{Frames: frames("bytes.growSlice:1 main.keep:2"), InuseBytes: 900 << 20, InuseObjects: 900},
		{Frames: frames("main.other:2"), InuseBytes: 90 << 20, InuseObjects: 10},
	}}
	if v := judged(Options{}, h).Verdict; v.Answer != pending.FullOfElse || !strings.Contains(v.Sentence, "bytes.growSlice for main.keep") {
		t.Errorf("%+v", v)
	}
	idle := profileOf(1, group{3, receive + "main.main:3"})
	if v := judged(Options{}, h, idle).Verdict; v.Answer != pending.FullOfElse || !strings.HasPrefix(v.Sentence, "no requests pile up; the heap of 990MiB is full of something else") {
		t.Errorf("%+v", v)
	}
}

// What handlers allocated may be kept, and is not what a request costs.
func TestCacheIsNotTheRequests(t *testing.T) {
	g := profileOf(1, group{100, send + "main.handle:20" + http1}, group{4, sleep + "main.handle:22" + http1})
	h := &pprof.Profile{Kind: pprof.Heap, Processes: 1, Period: 1, Samples: []pprof.Sample{
		{Frames: frames("main.remember:1 main.handle:21" + http1), InuseBytes: 1 << 30, InuseObjects: 1},
		{Frames: frames("bufio.NewReaderSize:60 net/http.(*conn).serve:1960"), InuseBytes: 104 * 4096, InuseObjects: 104},
		{Frames: frames("net/http.readRequest:1000 net/http.(*conn).readRequest:1003 net/http.(*conn).serve:1985"), InuseBytes: 104 * 600, InuseObjects: 104},
	}}
	res := judged(Options{}, g, h)
	follows(t, published(t), res)
	if q := res.Queues[0]; q.BytesEach == nil || *q.BytesEach != 4696 || *q.Bytes != 469600 {
		t.Errorf("%+v", q)
	}
	if m := res.Go.Memory; m.Handlers != 1<<30 || *m.EachConnection != 4096 || *m.EachRequest != 600 || m.Error != nil {
		t.Errorf("%+v", m)
	}
}

// The sampling error that is told is that of the runtime's own sampling.
func TestVarianceOfSampling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(16, 1<<20).Draw(t, "size")
		count := rapid.Int64Range(1, 1<<20).Draw(t, "count")
		period := rapid.Int64Range(2, 1<<20).Draw(t, "period")
		v := variance(&pprof.Sample{InuseObjects: count, InuseBytes: count * size}, period)
		// of k ~ Binomial(n, p), n is estimated by k/p with the variance n(1-p)/p
		p := 1 - math.Exp(-float64(size)/float64(period))
		want := float64(size*size) * float64(count) * (1 - p) / p
		if v < 0 || math.Abs(v-want) > 1e-6*want+1e-3 {
			t.Fatalf("%g, want %g", v, want)
		}
		if every := variance(&pprof.Sample{InuseObjects: count, InuseBytes: count * size}, 1); every != 0 {
			t.Fatalf("all objects are counted, and the variance is %g", every)
		}
	})
}

func textOf(groups ...goroutines.Stack) *goroutines.Set {
	s := goroutines.New(groups)
	s.Waits = true
	return s
}

func TestAgesFromText(t *testing.T) {
	wait := frames("main.handle:20" + http1)
	text := textOf(
		goroutines.Stack{Frames: wait, State: goroutines.StateChanSend, Count: 300, Waits: []goroutines.Wait{{Minutes: 0, Count: 100}, {Minutes: 3, Count: 150}, {Minutes: 7, Count: 50}}},
		goroutines.Stack{Frames: frames("main.handle:22" + http1), State: goroutines.StateSleep, Count: 8, Waits: []goroutines.Wait{{Minutes: 9, Count: 8}}},
	)
	g := profileOf(1, group{300, send + "main.handle:20" + http1}, group{8, sleep + "main.handle:22" + http1})
	for name, in := range map[string]Input{
		"text": {Texts: []*goroutines.Set{text}},
		"both": {Texts: []*goroutines.Set{text}, Profiles: []*pprof.Profile{g}},
	} {
		res := Judge(in, Options{Timeout: ptr(30.0)})
		follows(t, published(t), res)
		a := res.Queues[0].Age
		if a == nil || a.Head != 420 || a.Median != 180 || a.Tail != 0 || a.Known != 1 || a.Clock != pending.ClockMinutes {
			t.Fatalf("%s: %+v", name, a)
		}
		if !strings.Contains(res.Verdict.Sentence, "the first for 7m") {
			t.Errorf("%s: %s", name, res.Verdict.Sentence)
		}
		if !broken(res, ruleDead) {
			t.Errorf("%s: the first waits longer than its client: %+v", name, res.Findings)
		}
	}
}

func broken(res *pending.Result, rule string) bool {
	for _, f := range res.Findings {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

// The text form of the profile hides what is waited for; the text of all
// goroutines beside it tells.
func TestTextFormOfTheProfile(t *testing.T) {
	p := profileOf(1, group{3000, "main.handle:20" + http1}, group{8, "time.Sleep:3 main.handle:22" + http1})
	p.Text = true
	if v := judged(Options{}, p).Verdict; v.Answer != pending.PileUp || !strings.Contains(v.Sentence, "3,000 requests wait at main.handle (f.go:20) (unknown) while 8 are past") {
		t.Errorf("%+v", v)
	}
	text := textOf(goroutines.Stack{Frames: frames("main.handle:20" + http1), State: goroutines.StateChanSend, Count: 300, Waits: []goroutines.Wait{{Minutes: 2, Count: 300}}})
	if v := Judge(Input{Profiles: []*pprof.Profile{p}, Texts: []*goroutines.Set{text}}, Options{}).Verdict; !strings.Contains(v.Sentence, "for room in a channel") {
		t.Errorf("%+v", v)
	}
}

func TestSeveralProcesses(t *testing.T) {
	one := profileOf(1, group{300, send + "main.handle:20" + http1}, group{8, sleep + "main.handle:22" + http1})
	two := profileOf(2, group{200, send + "main.handle:20" + http1}, group{8, sleep + "main.handle:22" + http1})
	res := judged(Options{}, one, two)
	if !strings.Contains(res.Verdict.Sentence, "500 requests wait at main.handle (f.go:20) for one of 8 slots in each process") {
		t.Error(res.Verdict.Sentence)
	}
	if res.Go.Processes != 2 || len(res.Limits) != 0 {
		t.Errorf("%d processes, limits %+v", res.Go.Processes, res.Limits)
	}
}

// Of a wait that may be one for anything, the same number past in each of several
// processes tells that it is one for a turn.
func TestSameLimitInEachProcess(t *testing.T) {
	one := profileOf(1, group{150, selects + "main.acquire:7 main.handle:20" + http1}, group{32, sleep + "main.handle:22" + http1})
	two := profileOf(2, group{90, selects + "main.acquire:7 main.handle:20" + http1}, group{32, sleep + "main.handle:22" + http1})
	if v := judged(Options{}, one, two).Verdict; v.Answer != pending.PileUp || !strings.Contains(v.Sentence, "while 32 are past in each process") {
		t.Errorf("%+v", v)
	}
	other := profileOf(2, group{90, selects + "main.acquire:7 main.handle:20" + http1}, group{31, sleep + "main.handle:22" + http1})
	if v := judged(Options{}, one, other).Verdict; v.Answer != pending.Unknown {
		t.Errorf("%+v", v)
	}
}

func TestBase(t *testing.T) {
	stuck := receive + "main.watch.func1:9"
	before := profileOf(100, group{1000, stuck}, group{10, send + "main.handle:20" + http1})
	after := profileOf(160, group{4000, stuck}, group{40, send + "main.handle:20" + http1})
	res := Judge(Input{Profiles: []*pprof.Profile{after}, Base: []*pprof.Profile{before}}, Options{})
	follows(t, published(t), res)
	b := res.Go.Base
	if b == nil || *b.Seconds != 60 || b.Goroutines != 3030 || b.Requests != 30 || *b.Places[0].Rate != 50 {
		t.Fatalf("%+v", b)
	}
	// receivers alone may be idle workers; those that grow are not
	if res.Verdict.Answer != pending.FullOfElse {
		t.Errorf("%+v", res.Verdict)
	}
	if v := judged(Options{}, after).Verdict; v.Answer != pending.Nothing {
		t.Errorf("%+v", v)
	}
}

// Who saves all profiles of a process has some of them in two forms.
func TestFormsOfOneProfileCountOnce(t *testing.T) {
	g := profileOf(1, group{300, send + "main.handle:20" + http1})
	text := profileOf(1, group{300, "main.handle:20" + http1})
	text.Text = true
	heap := &pprof.Profile{Kind: pprof.Heap, Processes: 1, Samples: []pprof.Sample{{Frames: frames("main.keep:1"), InuseBytes: 1000, InuseObjects: 1}}}
	allocs := *heap
	allocs.Allocs = true
	res := judged(Options{}, g, text, heap, &allocs)
	if res.Go.Processes != 1 || res.Go.Requests.Total != 300 || res.Heap.Bytes != 1000 || len(res.Warnings) != 0 {
		t.Errorf("%+v of %d bytes, %v", res.Go, res.Heap.Bytes, res.Warnings)
	}
	if alone := judged(Options{}, text, &allocs); alone.Go.Requests.Total != 300 || alone.Heap.Bytes != 1000 {
		t.Errorf("%+v", alone.Go)
	}
}

func TestServersThatTakeNoMore(t *testing.T) {
	res := judged(Options{}, profileOf(1,
		group{100, sleep + "main.(*svc).Get:22" + grpcSrv},
		group{3, receive + "google.golang.org/grpc.(*atomicSemaphore).acquire:2196 google.golang.org/grpc.(*Server).serveStreams.func2:1029 google.golang.org/grpc/internal/transport.(*http2Server).HandleStreams:680 google.golang.org/grpc.(*Server).serveStreams:1027"},
		group{1, selects + "golang.org/x/net/netutil.(*limitListener).acquire:40 golang.org/x/net/netutil.(*limitListener).Accept:52 net/http.(*Server).Serve:3434 main.main:3"}))
	if c := res.Go.Connections; c.Blocked != 3 || c.Multiplexed != 3 || !c.AcceptBlocked {
		t.Errorf("%+v", c)
	}
	follows(t, published(t), res)
}

func TestBlockProfile(t *testing.T) {
	g := profileOf(1, group{300, send + "main.handle:20" + http1}, group{8, sleep + "main.handle:22" + http1})
	block := &pprof.Profile{Kind: pprof.Block, Processes: 1, Duration: 10 * time.Second, Samples: []pprof.Sample{
		{Frames: frames("runtime.chansend1:3 main.handle:20" + http1), Count: 400, Delay: 800e9},
	}}
	res := judged(Options{}, g, block)
	follows(t, published(t), res)
	q := res.Queues[0]
	if q.Throughput == nil || *q.Throughput != 40 || q.ThroughputFrom != pending.FromBlock || *q.WaitOfNew != 7.5 {
		t.Errorf("%+v", q)
	}
	if c := res.Go.Contention; len(c) != 1 || c[0].Mean != 2 {
		t.Errorf("%+v", c)
	}
}

// The result is the same, byte for byte, in whatever order the inputs come.
func TestOrderDoesNotMatter(t *testing.T) {
	stacks := []string{
		send + "main.handle:20" + http1, sleep + "main.handle:22" + http1, selects + "main.poll:7" + http1,
		receive + "main.worker:3", send + "main.emit:3", netread + "net/http.(*connReader).backgroundRead:1",
		"main.(*svc).Get:20" + grpcSrv, selects + "database/sql.(*DB).conn:1 main.q:3" + http1,
	}
	rapid.Check(t, func(t *rapid.T) {
		var all []*pprof.Profile
		for i := range rapid.IntRange(1, 4).Draw(t, "profiles") {
			var groups []group
			for range rapid.IntRange(0, 8).Draw(t, "groups") {
				groups = append(groups, group{rapid.Int64Range(1, 2000).Draw(t, "n"), rapid.SampledFrom(stacks).Draw(t, "stack")})
			}
			all = append(all, profileOf(int64(i+1), groups...))
		}
		all = append(all, &pprof.Profile{Kind: pprof.Heap, Processes: 1, Period: 4096, Samples: []pprof.Sample{
			{Frames: frames("bufio.NewReaderSize:60 net/http.(*conn).serve:1960"), InuseBytes: rapid.Int64Range(1, 1<<30).Draw(t, "bytes"), InuseObjects: 7},
			{Frames: frames("main.keep:60"), InuseBytes: rapid.Int64Range(1, 1<<30).Draw(t, "bytes"), InuseObjects: 7},
		}})
		want := inJSON(t, all)
		if got := inJSON(t, rapid.Permutation(all).Draw(t, "order")); got != want {
			t.Fatal(cmp.Diff(want, got))
		}
	})
}

func inJSON(t *rapid.T, profiles []*pprof.Profile) string {
	res := Judge(Input{Profiles: profiles}, Options{Capacity: ptr(100.0), Timeout: ptr(1.0)})
	data, err := json.MarshalIndent(res, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if i := res.Verdict.Queue; i != nil && (*i < 0 || *i >= len(res.Queues)) {
		t.Fatalf("the verdict names queue %d of %d", *i, len(res.Queues))
	}
	for _, q := range res.Queues {
		if q.Pool != nil && *q.Pool >= len(res.Workers) || q.Cluster != nil && *q.Cluster >= len(res.Clusters) {
			t.Fatalf("%+v points nowhere", q)
		}
	}
	return string(data)
}

func TestRules(t *testing.T) {
	if _, err := finding.NewRegistry(pending.Rules(), Rules()); err != nil {
		t.Error(err)
	}
	for _, id := range []string{rulePile, ruleDead, ruleWaiters} {
		if ruleOf(id).ID != id {
			t.Errorf("no rule %s", id)
		}
	}
}

// Whatever goroutines are read, they are judged, and no more wait than there are.
func FuzzJudge(f *testing.F) {
	f.Add([]byte("goroutine 5 [chan send, 3 minutes]:\nmain.f(0x1)\n\t/f.go:3 +0x1\nnet/http.serverHandler.ServeHTTP(...)\n\t/s.go:1\nnet/http.(*conn).serve(0x1)\n\t/s.go:2\ncreated by net/http.(*Server).Serve in goroutine 1\n\t/s.go:9\n"))
	f.Add([]byte("goroutine 5 [select]:\n\ngoroutine 6 [x]:\nruntime.gopark()\n\t:1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := goroutines.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		res := Judge(Input{Texts: []*goroutines.Set{set}}, Options{MinEntries: 1, Capacity: ptr(1.0), Timeout: ptr(1.0)})
		r := res.Go.Requests
		if r.Total > res.Go.Goroutines || r.Waiting+r.Served+r.Unclear != r.Total || res.Verdict.Sentence == "" {
			t.Fatalf("%+v: %s", r, res.Verdict.Sentence)
		}
	})
}
