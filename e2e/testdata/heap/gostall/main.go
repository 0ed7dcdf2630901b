// Gostall is a server that is overloaded on purpose: it serves 8 requests at once,
// each for a long time, and lets the others wait, in one of several ways. Its
// profiles are under /debug/pprof/ of the same port, and /truth says what is
// pending.
//
// Usage: gostall PORT MODE
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const slots = 8

// service is how long a request takes once it has its turn: longer than any test.
const service = 10 * time.Minute

var (
	sem     = make(chan struct{}, slots)
	lock    sync.Mutex
	jobs    = make(chan *job, 100_000)
	leaked  = make(chan int)
	inside  atomic.Int64
	serving atomic.Int64
)

type job struct{ done chan struct{} }

// channel waits for a slot at a send, with no limit and no deadline.
func channel(w http.ResponseWriter, r *http.Request) {
	sem <- struct{}{}
	defer func() { <-sem }()
	serve(r.Context())
}

// deadline waits for a slot in a select, as a bounded admission does.
func deadline(w http.ResponseWriter, r *http.Request) {
	select {
	case sem <- struct{}{}:
		defer func() { <-sem }()
		serve(r.Context())
	case <-r.Context().Done():
	}
}

// mutex lets one in at a time.
func mutex(w http.ResponseWriter, r *http.Request) {
	lock.Lock()
	defer lock.Unlock()
	serve(r.Context())
}

// queue hands its work to the workers behind a channel and waits for the result.
func queue(w http.ResponseWriter, r *http.Request) {
	j := &job{make(chan struct{})}
	jobs <- j
	<-j.done
}

func worker() {
	for j := range jobs {
		serve(context.Background())
		close(j.done)
	}
}

// leak answers at once, and leaves a goroutine behind.
func leak(w http.ResponseWriter, r *http.Request) {
	go func() { leaked <- 1 }()
}

// quick answers at once.
func quick(w http.ResponseWriter, r *http.Request) {}

//go:noinline
func serve(context.Context) {
	serving.Add(1)
	defer serving.Add(-1)
	time.Sleep(service)
}

func main() {
	handlers := map[string]http.HandlerFunc{
		"channel": channel, "deadline": deadline, "mutex": mutex, "queue": queue, "leak": leak, "idle": quick, "workers": quick, "timers": quick,
	}
	h, ok := handlers[os.Args[2]]
	if !ok {
		fmt.Fprintln(os.Stderr, "unknown mode", os.Args[2])
		os.Exit(2)
	}
	switch os.Args[2] {
	case "queue":
		for range slots {
			go worker()
		}
	case "workers":
		for range 5000 {
			go worker()
		}
	case "timers":
		for range 5000 {
			go time.Sleep(service)
			go func() { <-time.After(service) }()
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/truth", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, inside.Load(), serving.Load())
	})
	mux.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		inside.Add(1)
		defer inside.Add(-1)
		h(w, r)
	})
	err := http.ListenAndServe("127.0.0.1:"+os.Args[1], mux)
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
