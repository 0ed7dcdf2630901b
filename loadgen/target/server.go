package target

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/hist"
)

// Server is the service on the wall clock, behind net/http. It runs the same
// model as [Sim]: a request arrives when its handler begins, and its answer is
// sent at the instant the model planned. A late timer or a busy machine delays
// answers but costs no capacity, since the next service begins at the planned
// end of the last one.
//
// Every path answers, except /stats and /healthz.
type Server struct {
	cfg      Config
	listener net.Listener
	clock    clock
	alarm    *alarm
	stopping chan struct{} // closed when waiting requests are to be given up

	mu      sync.Mutex // guards all below
	st      *station
	waiters waiters
	tally   tally
	lag     hist.Hist
	// wakeAt is the instant for which the dispatcher sleeps.
	wakeAt int64
}

const (
	// grace is how long pending requests are still answered after the end of
	// the service has been asked for.
	grace = time.Second
	// maxBody bounds the part of a request's body that is read.
	maxBody = 1 << 20
	// headerTimeout and idleTimeout end connections that say nothing.
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
)

// Listen binds the address of a valid config. Connections are accepted by the
// kernel from now on and answered as soon as Serve runs.
func Listen(cfg Config) (*Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	// Without keep-alive probes an accepted connection costs four system calls
	// less. The backlog is the system's somaxconn, as net sets it.
	lc := net.ListenConfig{KeepAlive: -1}
	l, err := lc.Listen(context.Background(), "tcp", cfg.Listen)
	if err != nil {
		return nil, fault.NoAnswerf("listen on %q: %w", cfg.Listen, err)
	}
	s := &Server{
		cfg:      cfg,
		listener: l,
		clock:    newClock(),
		stopping: make(chan struct{}),
		st:       newStation(cfg, cfg.Seed),
		wakeAt:   never,
	}
	s.st.left = func(id uint64) bool { return s.waiters.all[id].gone != never }
	return s, nil
}

// Addr returns the address that the service listens on, with its actual port.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Close frees the address of a service that is not to be served after all.
func (s *Server) Close() error { return s.listener.Close() }

// Serve answers requests until ctx ends, then what is pending for one more
// second, and refuses the rest. It returns nil after an end that was asked for,
// and may be called once.
func (s *Server) Serve(ctx context.Context) error {
	a, err := newAlarm()
	if err != nil {
		return fault.NoAnswerf("timer: %w", err)
	}
	s.mu.Lock()
	s.alarm = a
	s.mu.Unlock()
	halt := make(chan struct{})
	var dispatcher sync.WaitGroup
	dispatcher.Go(func() { s.dispatch(halt) })
	srv := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          log.New(io.Discard, "", 0), // clients that leave are no news
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(s.listener) }()
	select {
	case err = <-failed:
	case <-ctx.Done():
		s.shutdown(srv)
		err = <-failed
	}
	close(halt)
	a.ring()
	dispatcher.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fault.NoAnswerf("serve %s: %w", s.Addr(), err)
}

func (s *Server) shutdown(srv *http.Server) {
	patient, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if srv.Shutdown(patient) == nil {
		close(s.stopping)
		return
	}
	close(s.stopping)
	last, cancelLast := context.WithTimeout(context.Background(), grace)
	defer cancelLast()
	if srv.Shutdown(last) != nil {
		srv.Close()
	}
}

// dispatch delivers each answer at its planned instant until halt is closed.
func (s *Server) dispatch(halt <-chan struct{}) {
	s.alarm.prepare()
	defer s.alarm.close()
	for {
		s.mu.Lock()
		now := s.clock.now()
		s.st.advance(now)
		s.flush(now)
		next, ok := s.st.next()
		if !ok {
			next = never
		}
		s.wakeAt = next
		s.mu.Unlock()
		select {
		case <-halt:
			return
		default:
		}
		s.alarm.sleep(next - s.clock.now())
	}
}

// arrive takes in a request now.
func (s *Server) arrive() *waiter {
	s.mu.Lock()
	w := s.waiters.take(s.cfg.BytesPerRequest)
	now := s.clock.now()
	s.tally.received++
	s.st.arrive(now, w.id)
	s.flush(now)
	next, ok := s.st.next()
	early := ok && next < s.wakeAt
	if early {
		s.wakeAt = next
	}
	s.mu.Unlock()
	if early {
		s.alarm.ring()
	}
	return w
}

// flush puts the answers so far into the channels of their handlers. The caller
// holds mu.
func (s *Server) flush(now int64) {
	s.st.deliver(func(id uint64, at time.Duration, a Answer) {
		w := s.waiters.all[id]
		w.pinned = nil
		s.tally.count(a, w.gone != never)
		if w.gone != never {
			if w.gone <= int64(at-a.Service) {
				s.tally.leftWaiting++
			}
			if a.Kind <= Degraded {
				s.lag.Record(now - int64(at))
			}
			s.waiters.release(w)
			return
		}
		w.answered = true
		w.answer <- delivery{Answer: a, at: int64(at)}
	})
}

// finish takes back the waiter of a handler that received d.
func (s *Server) finish(w *waiter, d delivery) {
	s.mu.Lock()
	if d.Kind <= Degraded {
		s.lag.Record(s.clock.now() - d.at)
	}
	s.waiters.release(w)
	s.mu.Unlock()
}

// leave notes that the client has left, and reports false if its answer is
// already there. The request stays where it is: the model knows no clients.
func (s *Server) leave(w *waiter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.answered {
		return false
	}
	w.gone = s.clock.now()
	s.tally.left++
	return true
}
