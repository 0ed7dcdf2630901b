package server

import "fmt"

var grpc = dialect{
	name: "grpc", title: "gRPC for Go", versions: "grpc-go 1.60 and later",
	write: writeGRPC,
}

const (
	grpcServer  = "pkg.go.dev/google.golang.org/grpc, ServerOption"
	grpcRetries = "gRPC proposal A6, client retries: retryThrottling"
)

// writeGRPC refuses in an interceptor: gRPC itself starts a goroutine for every
// call and has no queue to bound.
func writeGRPC(v Values) ([]Item, []Snippet, []string) {
	running := v.running()
	items := []Item{
		{Kind: Queue, Key: "(interceptor) places", Value: count(v.inSystem()), Unit: "calls in the system", Default: "no limit", Source: grpcServer,
			Note: "a full queue answers RESOURCE_EXHAUSTED, which clients must not retry at once"},
		v.workersItem(Item{Key: "(interceptor) running", Unit: "calls at once", Default: "no limit", Source: grpcServer,
			Note: "grpc.NumStreamWorkers saves goroutines and limits nothing"}),
		{Kind: AcceptQueue, Note: "Go listens with net.core.somaxconn; see --server sysctl", Source: "Go source, net/sock_linux.go"},
		v.poolItem(Item{Key: "grpc.MaxConcurrentStreams", Unit: "calls per connection", Default: "no limit", Source: grpcServer}),
		{Kind: RateLimit, Note: fmt.Sprintf("no such option; refuse in a tap handle (grpc.InTapHandle) at %d/s, burst %d", v.Rate, v.Burst), Source: grpcServer},
	}
	streams := max(v.PoolMax, 1)
	if v.PoolMax == 0 {
		streams = v.inSystem()
	}
	head := ""
	if v.Workers == 0 {
		head = "// " + allRun + "\n"
	}
	code := fmt.Sprintf(`package service

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

%svar (
	// places bounds the calls that run or wait, running those that run.
	places  = make(chan struct{}, %d)
	running = make(chan struct{}, %d)
)

// limit refuses a call that would be answered too late.
func limit(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	select {
	case places <- struct{}{}:
		defer func() { <-places }()
	default:
		return nil, status.Error(codes.ResourceExhausted, "queue is full")
	}
	wait := time.NewTimer(%d * time.Millisecond)
	defer wait.Stop()
	select {
	case running <- struct{}{}:
		defer func() { <-running }()
		return handle(ctx, req)
	case <-ctx.Done():
		return nil, status.FromContextError(ctx.Err()).Err()
	case <-wait.C:
		return nil, status.Error(codes.ResourceExhausted, "waited too long")
	}
}

// NewServer returns a server with the limits.
func NewServer() *grpc.Server {
	return grpc.NewServer(grpc.UnaryInterceptor(limit), grpc.MaxConcurrentStreams(%d))
}
`, head, v.inSystem(), running, millis(v.QueueWait), streams)
	snippets := []Snippet{{File: "limit.go", Lang: "go", Code: code}}
	if v.RetryBudget > 0 {
		snippets = append(snippets, Snippet{File: "service config of the clients", Lang: "json", Code: fmt.Sprintf(`{
  "methodConfig": [{
    "name": [{}],
    "timeout": "%gs",
    "retryPolicy": {
      "maxAttempts": 2,
      "initialBackoff": "0.05s",
      "maxBackoff": "0.1s",
      "backoffMultiplier": 2,
      "retryableStatusCodes": ["UNAVAILABLE"]
    }
  }],
  "retryThrottling": {"maxTokens": 10, "tokenRatio": %.3f}
}
`, v.Timeout.Seconds(), min(max(v.RetryBudget, 0.001), 1))})
	}
	return items, snippets, nil
}
