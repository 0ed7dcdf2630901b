package goproc

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	rpprof "runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/goroutines"
	"example.com/kneeline/heapdump/pprof"
)

// These tests judge this very process: real servers of the standard library, with
// clients that are sockets alone and add no goroutines.

const (
	crowd = 130 // requests or goroutines of each test, over DefaultMinEntries
	slots = 5
)

// now is this process, by its goroutine profile and by the text.
func now(t *testing.T) Input {
	t.Helper()
	var pb, text bytes.Buffer
	g := rpprof.Lookup("goroutine")
	if err := g.WriteTo(&pb, 0); err != nil {
		t.Fatal(err)
	}
	if err := g.WriteTo(&text, 2); err != nil {
		t.Fatal(err)
	}
	p, err := pprof.Read(&pb)
	if err != nil {
		t.Fatal(err)
	}
	s, err := goroutines.Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	return Input{Profiles: []*pprof.Profile{p}, Texts: []*goroutines.Set{s}}
}

// settled judges until done, as goroutines take their time to come to rest.
func settled(t *testing.T, done func(*pending.Result) bool) *pending.Result {
	t.Helper()
	return settledBy(t, Options{}, done)
}

func settledBy(t *testing.T, o Options, done func(*pending.Result) bool) *pending.Result {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		res := Judge(now(t), o)
		if done(res) {
			return res
		}
		if time.Now().After(end) {
			t.Fatalf("did not settle: %s: %s: %v, %+v", res.Verdict.Answer, res.Verdict.Sentence, res.Verdict.Why, res.Go.Requests)
		}
	}
}

// serve starts a server; it and all connections end with the test, after release.
func serve(t *testing.T, h http.Handler, release func()) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		release()
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// request opens n connections with a request each.
func request(t *testing.T, s *httptest.Server, n int) []net.Conn {
	t.Helper()
	var conns []net.Conn
	for range n {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if _, err := io.WriteString(c, "GET /work HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
	}
	return conns
}

// gate is what handlers stand at until it is opened.
type gate struct {
	ch   chan struct{}
	once sync.Once
}

func newGate() *gate  { return &gate{ch: make(chan struct{})} }
func (g *gate) open() { g.once.Do(func() { close(g.ch) }) }

func pileUp(t *testing.T, res *pending.Result, place string, limit int64) {
	t.Helper()
	if res.Verdict.Answer != pending.PileUp || !strings.Contains(res.Verdict.Sentence, place) {
		t.Fatalf("%s: %s, want a pile-up at %s", res.Verdict.Answer, res.Verdict.Sentence, place)
	}
	q := res.Queues[*res.Verdict.Queue]
	if q.Entries != crowd-limit {
		t.Errorf("%d wait, want %d", q.Entries, crowd-limit)
	}
	if q.Pool == nil || res.Workers[*q.Pool].Total != limit {
		t.Errorf("%+v drained by %+v, want %d", q, res.Workers, limit)
	}
}

func waiting(n int64) func(*pending.Result) bool {
	return func(r *pending.Result) bool { return r.Go.Requests.Waiting == n && r.Go.Requests.Total == crowd }
}

func TestChannelAsSemaphore(t *testing.T) {
	sem, g := make(chan struct{}, slots), newGate()
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sem <- struct{}{}
		defer func() { <-sem }()
		<-g.ch
	}), g.open)
	request(t, s, crowd)
	res := settled(t, waiting(crowd-slots))
	pileUp(t, res, "goproc.TestChannelAsSemaphore.func1 (live_test.go:", slots)
	if !strings.Contains(res.Verdict.Sentence, fmt.Sprintf("for one of %d slots", slots)) {
		t.Error(res.Verdict.Sentence)
	}
}

// limiter is a semaphore with a deadline in a function of its own, as middleware
// has it.
type limiter struct {
	sem  chan struct{}
	next http.Handler
}

func (l *limiter) acquire(ctx context.Context) bool {
	select {
	case l.sem <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (l *limiter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !l.acquire(r.Context()) {
		return
	}
	defer func() { <-l.sem }()
	l.next.ServeHTTP(w, r)
}

func TestSelectInMiddleware(t *testing.T) {
	g := newGate()
	work := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-g.ch })
	s := serve(t, &limiter{make(chan struct{}, slots), work}, g.open)
	request(t, s, crowd)
	res := settledBy(t, Options{MinEntries: crowd/manyFactor - 1}, func(r *pending.Result) bool { return r.Go.Requests.Unclear == crowd })
	pileUp(t, res, "goproc.(*limiter).acquire (live_test.go:", slots)
	if q := res.Queues[0]; q.Confidence != pending.ConfidenceMedium {
		t.Errorf("confidence %s", q.Confidence)
	}
}

func TestMutex(t *testing.T) {
	var mu sync.Mutex
	g := newGate()
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		<-g.ch
	}), g.open)
	request(t, s, crowd)
	res := settled(t, waiting(crowd-1))
	pileUp(t, res, "for a lock", 1)
}

// job is work for a pool behind a channel.
type job struct{ done chan struct{} }

func worker(jobs chan job, g *gate) {
	for j := range jobs {
		finish(g)
		close(j.done)
	}
}

func finish(g *gate) { time.Sleep(time.Millisecond); <-time.After(0); block(g) }

// block waits in the standard library, as a worker does that reads from a socket.
func block(g *gate) {
	r, w := io.Pipe()
	go func() { <-g.ch; w.Close() }()
	_, _ = io.Copy(io.Discard, r)
}

func TestWorkersBehindAChannel(t *testing.T) {
	jobs, g := make(chan job, crowd), newGate()
	for range slots {
		go worker(jobs, g)
	}
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		j := job{make(chan struct{})}
		jobs <- j
		<-j.done
	}), func() { g.open() })
	t.Cleanup(func() { close(jobs) })
	request(t, s, crowd)
	res := settledBy(t, Options{MinEntries: crowd/manyFactor - 1}, func(r *pending.Result) bool {
		return r.Go.Requests.Unclear == crowd && r.Verdict.Answer == pending.PileUp
	})
	q := res.Queues[*res.Verdict.Queue]
	if w := res.Workers[*q.Pool]; q.Entries != crowd || w.Total != slots || *w.Idle != 0 {
		t.Errorf("%+v drained by %+v", q, w)
	}
	if !strings.Contains(res.Verdict.Sentence, "goproc.worker, all busy") {
		t.Error(res.Verdict.Sentence)
	}
}

// stuckDriver is a database whose queries never end.
type stuckDriver struct{ g *gate }

func (d stuckDriver) Open(string) (driver.Conn, error)             { return stuckConn(d), nil }
func (d stuckDriver) Connect(context.Context) (driver.Conn, error) { return stuckConn(d), nil }
func (d stuckDriver) Driver() driver.Driver                        { return d }

type stuckConn struct{ g *gate }

func (c stuckConn) Prepare(string) (driver.Stmt, error) { return nil, driver.ErrSkip }
func (c stuckConn) Close() error                        { return nil }
func (c stuckConn) Begin() (driver.Tx, error)           { return nil, driver.ErrSkip }
func (c stuckConn) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	block(c.g)
	return nil, driver.ErrBadConn
}

func TestDatabasePool(t *testing.T) {
	g := newGate()
	db := sql.OpenDB(stuckDriver{g})
	db.SetMaxOpenConns(slots)
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rows, err := db.QueryContext(r.Context(), "select 1")
		if err == nil {
			rows.Close()
		}
	}), func() { g.open(); db.Close() })
	request(t, s, crowd)
	res := settled(t, waiting(crowd-slots))
	pileUp(t, res, "for a connection of database/sql, of which at least 5 are in use", slots)
	if q := res.Queues[0]; !strings.Contains(q.Setting.Name, "SetMaxOpenConns") || q.Role != pending.RoleWaiters {
		t.Errorf("%+v", q.Setting)
	}
}

func TestPoolOfTheTransport(t *testing.T) {
	g := newGate()
	upstream := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { block(g) }), g.open)
	to, err := url.Parse(upstream.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	transport := &http.Transport{MaxConnsPerHost: slots}
	proxy.Transport = transport
	proxy.ErrorLog = log.New(io.Discard, "", 0) // of requests that end with the test
	s := serve(t, proxy, func() { g.open(); transport.CloseIdleConnections() })
	request(t, s, crowd)
	// the requests at the upstream server are of this process too
	res := settled(t, func(r *pending.Result) bool { return r.Go.Requests.Waiting == crowd-slots })
	if res.Verdict.Answer != pending.PileUp || !strings.Contains(res.Verdict.Sentence, "for a connection of http.Transport, of which at least 5 are in use") {
		t.Errorf("%s: %s", res.Verdict.Answer, res.Verdict.Sentence)
	}
}

func TestHandlersWorkOn(t *testing.T) {
	g := newGate()
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { block(g) })
	s := serve(t, http.TimeoutHandler(slow, 20*time.Millisecond, "late"), g.open)
	for _, c := range request(t, s, crowd) {
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	res := settled(t, func(r *pending.Result) bool { return r.Go.Requests.Abandoned == crowd })
	if len(res.Findings) != 1 || res.Findings[0].Rule != abandonedRule.ID {
		t.Errorf("%+v", res.Findings)
	}
}

func TestHTTP2(t *testing.T) {
	sem, g := make(chan struct{}, slots), newGate()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sem <- struct{}{}
		defer func() { <-sem }()
		<-g.ch
	}))
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	ctx, cancel := context.WithCancel(context.Background())
	var clients sync.WaitGroup
	t.Cleanup(func() { g.open(); cancel(); clients.Wait(); s.CloseClientConnections(); s.Close() })
	for range crowd {
		clients.Go(func() {
			req, _ := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
			if resp, err := s.Client().Do(req); err == nil {
				resp.Body.Close()
			}
		})
	}
	res := settled(t, waiting(crowd-slots))
	pileUp(t, res, "goproc.TestHTTP2.func1", slots)
	if p := res.Go.Requests.Protocols; len(p) != 1 || p[0].Protocol != "HTTP/2" {
		t.Errorf("%+v", p)
	}
}

// Controls: nothing of these is a pile-up of requests.

func TestIdleConnections(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}), func() {})
	for _, c := range request(t, s, crowd) {
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	for range 40 { // without a request yet
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
	}
	res := settled(t, func(r *pending.Result) bool {
		return r.Go.Connections.Idle == crowd && r.Go.Connections.Reading == 40
	})
	if res.Verdict.Answer != pending.Nothing || res.Go.Requests.Total != 0 || len(res.Findings) != 0 {
		t.Errorf("%s: %s: %+v", res.Verdict.Answer, res.Verdict.Sentence, res.Go.Requests)
	}
}

// An event stream waits in a select, and a few are past it: they send.
func TestEventStreams(t *testing.T) {
	g := newGate()
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 2 {
			select {
			case <-g.ch:
			case <-r.Context().Done():
			}
			fmt.Fprintln(w, "data")
		}
	}), g.open)
	request(t, s, crowd)
	res := settled(t, func(r *pending.Result) bool { return r.Go.Requests.Unclear == crowd })
	if res.Verdict.Answer != pending.Unknown || len(res.Findings) != 0 || res.Queues[0].Confidence != pending.ConfidenceLow {
		t.Errorf("%s: %s", res.Verdict.Answer, res.Verdict.Sentence)
	}
}

// park starts n goroutines and waits for them at the end.
func park(t *testing.T, n int, release func(), f func()) {
	t.Helper()
	var all sync.WaitGroup
	for range n {
		all.Go(f)
	}
	t.Cleanup(func() { release(); all.Wait() })
}

const throng = manyFactor*pending.DefaultMinEntries + 50

func TestIdleWorkers(t *testing.T) {
	jobs := make(chan job)
	park(t, throng, func() { close(jobs) }, func() {
		for range jobs {
			t.Error("there was no job")
		}
	})
	res := settled(t, stood(goroutines.StateChanReceive))
	if res.Verdict.Answer != pending.Nothing || len(res.Findings) != 0 {
		t.Errorf("%s: %s", res.Verdict.Answer, res.Verdict.Sentence)
	}
}

// stood is true once all of a throng are in a state.
func stood(state string) func(*pending.Result) bool {
	return func(r *pending.Result) bool {
		for _, s := range r.Go.States {
			if s.State == state && s.Count >= throng {
				return true
			}
		}
		return false
	}
}

func TestSleepersAndTimers(t *testing.T) {
	g := newGate()
	park(t, throng, g.open, func() {
		timer := time.NewTimer(time.Hour)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-g.ch:
		}
	})
	park(t, throng, g.open, func() {
		for {
			select {
			case <-g.ch:
				return
			default:
				time.Sleep(50 * time.Millisecond)
			}
		}
	})
	res := settled(t, func(r *pending.Result) bool {
		return stood(goroutines.StateSelect)(r) && stood(goroutines.StateSleep)(r)
	})
	if res.Verdict.Answer != pending.Nothing || len(res.Findings) != 0 {
		t.Errorf("%s: %s", res.Verdict.Answer, res.Verdict.Sentence)
	}
}

// A leak is told as goroutines, never as requests.
func TestLeakOfSenders(t *testing.T) {
	ch := make(chan int)
	park(t, throng, func() {
		go func() {
			for range throng {
				<-ch
			}
		}()
	}, func() { ch <- 1 })
	res := settled(t, stood(goroutines.StateChanSend))
	if res.Verdict.Answer != pending.FullOfElse || !strings.Contains(res.Verdict.Sentence, "goroutines pile up at") || !strings.HasPrefix(res.Verdict.Sentence, "no requests pile up") {
		t.Errorf("%s: %s", res.Verdict.Answer, res.Verdict.Sentence)
	}
	for _, q := range res.Queues {
		if q.Requests {
			t.Errorf("requests in %+v", q)
		}
	}
	if len(res.Findings) != 1 || res.Findings[0].Rule != stuckRule.ID {
		t.Errorf("%+v", res.Findings)
	}
}

// Receivers that many goroutines started are a leak; the text tells who started
// them.
func TestLeakOfReceivers(t *testing.T) {
	g := newGate()
	var started sync.WaitGroup
	var all sync.WaitGroup
	for range throng {
		started.Add(1)
		go func() {
			defer started.Done()
			all.Go(func() { <-g.ch })
		}()
	}
	started.Wait()
	t.Cleanup(func() { g.open(); all.Wait() })
	res := settled(t, stood(goroutines.StateChanReceive))
	if res.Verdict.Answer != pending.FullOfElse {
		t.Errorf("%s: %s", res.Verdict.Answer, res.Verdict.Sentence)
	}
}
