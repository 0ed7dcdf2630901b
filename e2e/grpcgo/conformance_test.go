// Package grpcgo holds what lint reads in service configs against grpc-go.
package grpcgo

import (
	"context"
	"flag"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	health "google.golang.org/grpc/health/grpc_health_v1"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/e2e/conformance"
)

var update = flag.Bool("update", false, "write the part of grpc-go on the page anew from the cells")

const service = "grpc.health.v1.Health"

// config is a service config for the service that the cells call.
func config(method string, more string) string {
	return fmt.Sprintf(`{"methodConfig": [{"name": [{"service": %q}], %s}]%s}`, service, method, more)
}

// policy is a retry policy that hardly waits.
func policy(attempts int, codes string) string {
	return fmt.Sprintf(`"retryPolicy": {"maxAttempts": %d, "initialBackoff": "0.001s", "maxBackoff": "0.001s", "backoffMultiplier": 1, "retryableStatusCodes": [%s]}`, attempts, codes)
}

// waits is one that does.
func waits(attempts int, first, most string, multiplier float64) string {
	return fmt.Sprintf(`"retryPolicy": {"maxAttempts": %d, "initialBackoff": %q, "maxBackoff": %q, "backoffMultiplier": %g, "retryableStatusCodes": ["UNAVAILABLE"]}`, attempts, first, most, multiplier)
}

// cell is one call, or several of which the slowest counts.
type cell struct {
	config string
	code   codes.Code
	after  float64
	silent bool
	calls  int // 1 where it is 0
	shown  string
}

var cells = []cell{
	{config: config(policy(2, `"UNAVAILABLE"`), ""), code: codes.Unavailable, shown: "maxAttempts 2"},
	{config: config(policy(3, `"UNAVAILABLE"`), ""), code: codes.Unavailable, shown: "maxAttempts 3"},
	{config: config(policy(5, `"UNAVAILABLE"`), ""), code: codes.Unavailable, shown: "maxAttempts 5"},
	{config: config(policy(7, `"UNAVAILABLE"`), ""), code: codes.Unavailable, shown: "maxAttempts 7"},
	{config: config(policy(3, `"UNAVAILABLE", "RESOURCE_EXHAUSTED"`), ""), code: codes.ResourceExhausted, shown: "maxAttempts 3, two codes"},
	{config: config(policy(3, `14`), ""), code: codes.Unavailable, shown: "maxAttempts 3, the code as a number"},
	{config: config(policy(3, `"UNAVAILABLE"`), ""), code: codes.Internal, shown: "maxAttempts 3, another code"},
	{config: config(`"timeout": "2s"`, ""), code: codes.Unavailable, shown: "no retry policy"},
	{config: fmt.Sprintf(`{"methodConfig": [{"name": [{}], %s}]}`, policy(3, `"UNAVAILABLE"`)), code: codes.Unavailable, shown: "maxAttempts 3 for all services"},
	{config: fmt.Sprintf(`{"methodConfig": [{"name": [{"service": %q, "method": "Check"}], %s}]}`, service, policy(3, `"UNAVAILABLE"`)), code: codes.Unavailable, shown: "maxAttempts 3 for the method"},
	{config: config(`"hedgingPolicy": {"maxAttempts": 3, "hedgingDelay": "0.1s", "nonFatalStatusCodes": ["UNAVAILABLE"]}`, ""), code: codes.Unavailable, shown: "hedgingPolicy, maxAttempts 3"},
	{config: config(`"timeout": "0.6s"`, ""), silent: true, shown: "timeout 0.6s"},
	{config: config(`"timeout": "0.6s", `+policy(3, `"UNAVAILABLE"`), ""), silent: true, shown: "timeout 0.6s, maxAttempts 3"},
	{config: config(`"timeout": "0.7s", `+policy(5, `"UNAVAILABLE"`), ""), code: codes.Unavailable, after: 0.3, shown: "timeout 0.7s, maxAttempts 5"},
	{config: config(`"timeout": "2s", `+policy(3, `"UNAVAILABLE"`), ""), code: codes.Unavailable, after: 0.3, shown: "timeout 2s, maxAttempts 3"},
	{config: config(waits(2, "0.6s", "0.6s", 1), ""), code: codes.Unavailable, calls: 80, shown: "maxAttempts 2, initialBackoff 0.6s"},
	{config: config(waits(3, "0.3s", "5s", 2), ""), code: codes.Unavailable, calls: 200, shown: "maxAttempts 3, initialBackoff 0.3s, backoffMultiplier 2"},
	{config: config(waits(2, "3s", "0.6s", 2), ""), code: codes.Unavailable, calls: 80, shown: "maxAttempts 2, initialBackoff 3s, maxBackoff 0.6s"},
}

// fault is what the callee does, for the model.
func (c cell) fault() conformance.Fault {
	if c.silent {
		return conformance.Fault{Name: "never answers", Sent: true, Takes: math.Inf(1)}
	}
	name := map[codes.Code]string{codes.Unavailable: "UNAVAILABLE", codes.ResourceExhausted: "RESOURCE_EXHAUSTED", codes.Internal: "INTERNAL"}[c.code]
	f := conformance.Fault{Name: "answers " + name, Words: []string{name}, Takes: c.after, Sent: true}
	if c.after > 0 {
		f.Name += fmt.Sprintf(" after %g s", c.after)
	}
	return f
}

// dial returns a client of a server with a service config.
func dial(t *testing.T, s *server, config string) health.HealthClient {
	t.Helper()
	c, err := grpc.NewClient(s.address, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultServiceConfig(config))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	client := health.NewHealthClient(c)
	if _, err := client.Check(t.Context(), &health.HealthCheckRequest{}); err != nil { // connected
		t.Fatal(err)
	}
	return client
}

// patience bounds calls that have no limit of their own.
const patience = 20 * time.Second

// slowest makes calls at the same time and returns the tries of each and the longest
// time.
func slowest(t *testing.T, s *server, client health.HealthClient, calls int) conformance.Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	s.requests.Store(0)
	took := make([]float64, calls)
	var wait sync.WaitGroup
	for i := range calls {
		wait.Add(1)
		go func() {
			defer wait.Done()
			began := time.Now()
			_, _ = client.Check(ctx, &health.HealthCheckRequest{})
			took[i] = time.Since(began).Seconds()
		}()
	}
	wait.Wait()
	out := conformance.Outcome{Tries: float64(s.requests.Load()) / float64(calls)}
	for _, seconds := range took {
		out.Seconds = max(out.Seconds, seconds)
	}
	return out
}

func TestConformance(t *testing.T) {
	var rows []conformance.Row
	var wait sync.WaitGroup
	for _, c := range cells {
		h := hop(t, c.config)
		f := c.fault()
		want := conformance.Predict(t, h, "GET", f)
		if want.Seconds < 0.01 {
			want.Seconds = 0
		}
		says, agrees := want.Says()
		request := "each try " + f.Name
		if c.calls > 1 {
			request = fmt.Sprintf("the slowest of %d calls; each try %s", c.calls, f.Name)
		}
		rows = append(rows, conformance.Row{Settings: conformance.Code(c.shown), Request: request, Model: says, Agrees: agrees})
		wait.Add(1)
		go func() {
			defer wait.Done()
			t.Run(c.shown, func(t *testing.T) {
				s := start(t)
				client := dial(t, s, c.config)
				s.behave(c.code, c.after, c.silent)
				conformance.Check(t, want, func(t *testing.T) conformance.Outcome { return slowest(t, s, client, max(c.calls, 1)) })
			})
		}()
	}
	wait.Wait()
	rows = append(rows, throttled(t)...)
	rows = append(rows, pushedBack(t)...)
	rows = append(rows, refused(t)...)
	conformance.Page(t, "../../docs/lint/conformance.md", "grpc-go", rows, *update)
}

// hop is the hop of a service config to the service that the cells call.
func hop(t *testing.T, config string) *model.Hop {
	t.Helper()
	for _, d := range conformance.Read(t, "service-config.json", config, nil) {
		for _, h := range d.Hops {
			if h.To == service || h.To == "" {
				return h
			}
		}
	}
	t.Fatalf("no hop in %s", config)
	return nil
}

// throttled holds the token bucket against calls that all fail: each takes a token, and
// no call is tried again with no more than half of them left.
func throttled(t *testing.T) (rows []conformance.Row) {
	for _, tokens := range []int{4, 10} {
		text := config(policy(5, `"UNAVAILABLE"`), fmt.Sprintf(`, "retryThrottling": {"maxTokens": %d, "tokenRatio": 0.1}`, tokens))
		const calls = 8
		budget := hop(t, text).Budget.Tokens
		again := math.Ceil(budget.Amount/2) - 1
		rows = append(rows, conformance.Row{Settings: conformance.Code(fmt.Sprintf("maxAttempts 5, maxTokens %d", tokens)), Request: fmt.Sprintf("%d calls, one after the other; each try answers UNAVAILABLE", calls),
			Model: fmt.Sprintf("%.0f tries in all", calls+again), Agrees: conformance.Exactly})
		t.Run(fmt.Sprintf("maxTokens %d", tokens), func(t *testing.T) {
			s := start(t)
			client := dial(t, s, text)
			s.behave(codes.Unavailable, 0, false)
			s.requests.Store(0)
			for range calls {
				_, _ = client.Check(t.Context(), &health.HealthCheckRequest{})
			}
			if got := float64(s.requests.Load()); got != calls+again {
				t.Errorf("%v tries, the model says %v", got, calls+again)
			}
		})
	}
	return rows
}

// pushedBack holds the callee's wish against the waits of the config.
func pushedBack(t *testing.T) (rows []conformance.Row) {
	text := config(policy(3, `"UNAVAILABLE"`), "")
	h := hop(t, text)
	if !h.Backoff.Hint.On() {
		t.Errorf("the model does not honour the callee's wish: %s", h.Backoff.Hint)
	}
	for _, p := range []struct {
		wish string
		want conformance.Outcome
	}{{"-1", conformance.Outcome{Tries: 1}}, {"600", conformance.Outcome{Tries: h.Retry.Tries.Amount, Seconds: 0.6 * (h.Retry.Tries.Amount - 1)}}} {
		says, agrees := p.want.Says()
		rows = append(rows, conformance.Row{Settings: conformance.Code("maxAttempts 3"), Request: "each try answers UNAVAILABLE with grpc-retry-pushback-ms " + p.wish, Model: says, Agrees: agrees})
		t.Run("pushback "+p.wish, func(t *testing.T) {
			s := start(t)
			client := dial(t, s, text)
			s.pushback.Store(p.wish)
			s.behave(codes.Unavailable, 0, false)
			conformance.Check(t, p.want, func(t *testing.T) conformance.Outcome { return slowest(t, s, client, 1) })
		})
	}
	return rows
}

// configs are what grpc-go takes or refuses.
var configs = []struct{ shown, config string }{
	{"a whole policy", config(policy(3, `"UNAVAILABLE"`), "")},
	{"no maxAttempts", config(strings.Replace(policy(3, `"UNAVAILABLE"`), `"maxAttempts": 3, `, "", 1), "")},
	{"maxAttempts 1", config(policy(1, `"UNAVAILABLE"`), "")},
	{"no status codes", config(policy(3, ""), "")},
	{"a status code in lower case", config(policy(3, `"unavailable"`), "")},
	{"a duration without its unit", config(waits(3, "1", "1s", 1), "")},
	{"a duration in milliseconds", config(`"timeout": "500ms"`, "")},
	{"a multiplier of 0", config(waits(3, "1s", "1s", 0), "")},
	{"a name twice", fmt.Sprintf(`{"methodConfig": [{"name": [{"service": %[1]q}]}, {"name": [{"service": %[1]q}]}]}`, service)},
	{"a method without a service", `{"methodConfig": [{"name": [{"method": "Check"}]}]}`},
	{"maxTokens 2000", config(policy(3, `"UNAVAILABLE"`), `, "retryThrottling": {"maxTokens": 2000, "tokenRatio": 0.1}`)},
	{"a list of choices as DNS has it", `[{"serviceConfig": ` + config(policy(3, `"UNAVAILABLE"`), "") + `}]`},
}

// refused holds what the reader says of a config against what grpc-go's parser says.
func refused(t *testing.T) (rows []conformance.Row) {
	for _, c := range configs {
		refuses := false
		for _, d := range conformance.Read(t, "service-config.json", c.config, nil) {
			for _, r := range d.Rejected {
				refuses = refuses || !r.Ignored
			}
			for _, u := range d.Units {
				refuses = refuses || u.Refused
			}
		}
		says := "taken"
		if refuses {
			says = "refused"
		}
		rows = append(rows, conformance.Row{Settings: c.shown, Request: "the client is made", Model: says, Agrees: conformance.Exactly})
		conn, err := grpc.NewClient("passthrough:///x", grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultServiceConfig(c.config))
		if err == nil {
			_ = conn.Close()
		}
		if (err != nil) != refuses {
			t.Errorf("%s: grpc-go says %v, the model %s", c.shown, err, says)
		}
	}
	return rows
}
