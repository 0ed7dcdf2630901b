package grpcgo

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	health "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// server answers each call alike and counts them.
type server struct {
	health.UnimplementedHealthServer
	address  string
	requests atomic.Int64
	pushback atomic.Value

	mu     sync.Mutex
	code   codes.Code
	after  time.Duration
	silent bool
}

func start(t *testing.T) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{address: l.Addr().String()}
	g := grpc.NewServer()
	health.RegisterHealthServer(g, s)
	go func() { _ = g.Serve(l) }()
	t.Cleanup(g.Stop)
	return s
}

// behave sets what the server does from now on.
func (s *server) behave(code codes.Code, after float64, silent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.code, s.after, s.silent = code, time.Duration(after*float64(time.Second)), silent
}

func (s *server) Check(ctx context.Context, _ *health.HealthCheckRequest) (*health.HealthCheckResponse, error) {
	s.requests.Add(1)
	s.mu.Lock()
	code, after, silent := s.code, s.after, s.silent
	s.mu.Unlock()
	if silent {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	time.Sleep(after)
	if wish, ok := s.pushback.Load().(string); ok {
		_ = grpc.SetTrailer(ctx, metadata.Pairs("grpc-retry-pushback-ms", wish))
	}
	if code != codes.OK {
		return nil, status.Error(code, "as the cell wants it")
	}
	return &health.HealthCheckResponse{Status: health.HealthCheckResponse_SERVING}, nil
}
