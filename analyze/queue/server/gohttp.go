package server

import "fmt"

var goHTTP = dialect{
	name: "go", title: "Go net/http with a limiter", versions: "Go 1.21 and later",
	write: writeGo,
}

const goDoc = "pkg.go.dev/net/http"

// writeGo limits in a handler: net/http starts a goroutine for every request and
// has no queue to bound.
func writeGo(v Values) ([]Item, []Snippet, []string) {
	running := v.running()
	items := []Item{
		{Kind: Queue, Key: "(handler) places", Value: count(v.inSystem()), Unit: "requests in the system", Default: "no limit", Source: goDoc},
		v.workersItem(Item{Key: "(handler) running", Unit: "requests at once", Default: "no limit", Source: goDoc}),
		{Kind: AcceptQueue, Note: "net.Listen takes net.core.somaxconn and has no parameter for it; see --server sysctl", Source: "Go source, net/sock_linux.go"},
		v.poolItem(Item{Key: "http.Transport MaxConnsPerHost and MaxIdleConnsPerHost", Unit: "connections per client", Default: "no limit, and 2 idle", Source: goDoc + ", Transport"}),
		{Kind: RateLimit, Key: "(handler) perSecond, burst", Value: fmt.Sprintf("%d, %d", v.Rate, v.Burst), Unit: "requests per second, requests", Default: "no limit", Source: goDoc,
			Note: "golang.org/x/time/rate does the same: rate.NewLimiter(perSecond, burst).Allow()"},
	}
	head := ""
	if v.Workers == 0 {
		head = "// " + allRun + "\n"
	}
	code := fmt.Sprintf(`package service

import (
	"net/http"
	"sync"
	"time"
)

%sconst (
	// places bounds the requests that run or wait, running those that run.
	places    = %d
	running   = %d
	maxWait   = %d * time.Millisecond
	perSecond = %d
	burst     = %d
)

// Limit refuses at once what would be answered too late.
func Limit(next http.Handler) http.Handler {
	in, run := make(chan struct{}, places), make(chan struct{}, running)
	rate := &bucket{tokens: burst, last: time.Now()}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !rate.allow(time.Now()) {
			http.Error(w, "over the rate limit", http.StatusTooManyRequests)
			return
		}
		select {
		case in <- struct{}{}:
			defer func() { <-in }()
		default:
			http.Error(w, "queue is full", http.StatusServiceUnavailable)
			return
		}
		wait := time.NewTimer(maxWait)
		defer wait.Stop()
		select {
		case run <- struct{}{}:
			defer func() { <-run }()
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
		case <-wait.C:
			http.Error(w, "waited too long", http.StatusServiceUnavailable)
		}
	})
}

// bucket is a token bucket.
type bucket struct {
	mu     sync.Mutex
	tokens float64
	last   time.Time
}

func (b *bucket) allow(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(b.tokens+now.Sub(b.last).Seconds()*perSecond, burst)
	b.last = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
`, head, v.inSystem(), running, millis(v.QueueWait), v.Rate, v.Burst)
	snippets := []Snippet{{File: "limit.go", Lang: "go", Code: code}}
	if v.PoolMax > 0 {
		snippets = append(snippets, Snippet{File: "client.go, in the clients", Lang: "go", Code: fmt.Sprintf(`package client

import (
	"net/http"
	"time"
)

// New returns a client with a pool of its share.
func New() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxConnsPerHost = %d
	t.MaxIdleConnsPerHost = %d
	return &http.Client{Transport: t, Timeout: %d * time.Millisecond}
}
`, v.PoolMax, v.PoolMax, millis(v.Timeout))})
	}
	return items, snippets, nil
}
