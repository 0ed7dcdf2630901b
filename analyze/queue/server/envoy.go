package server

import (
	"fmt"
	"math"
)

var envoy = dialect{
	name: "envoy", title: "Envoy", versions: "1.28 and later (API v3)",
	write: writeEnvoy,
}

const (
	envoyBreakers = "Envoy API v3, config.cluster.v3.CircuitBreakers"
	envoyLimit    = "Envoy API v3, extensions.filters.http.local_ratelimit.v3.LocalRateLimit"
)

// writeEnvoy is for the proxy beside the server: its limits count for each proxy,
// so in clients' proxies each would have them in full.
func writeEnvoy(v Values) ([]Item, []Snippet, []string) {
	items := []Item{
		{Kind: Queue, Key: "circuit_breakers.thresholds.max_pending_requests", Value: count(max(v.Queue, 1)), Unit: "requests", Default: "1024", Source: envoyBreakers,
			Note: fmt.Sprintf("with HTTP/2 upstream max_requests = %d bounds running and waiting together", v.inSystem())},
		v.workersItem(Item{Key: "circuit_breakers.thresholds.max_connections", Unit: "connections, each with one request of HTTP/1.1", Default: "1024", Source: envoyBreakers}),
		{Kind: AcceptQueue, Key: "tcp_backlog_size", Value: count(v.AcceptQueue), Unit: "connections", Default: "net.core.somaxconn", Source: "Envoy API v3, config.listener.v3.Listener"},
		v.poolItem(Item{Key: "circuit_breakers.thresholds.max_connections, in the clients' proxies", Unit: "connections per proxy", Default: "1024", Source: envoyBreakers}),
		{Kind: RateLimit, Key: "local_ratelimit token_bucket", Value: fmt.Sprintf("tokens_per_fill %d, max_tokens %d", v.perTenth(), v.burstTokens()), Unit: "requests per fill_interval, requests", Default: "no limit", Source: envoyLimit},
	}
	connections := ""
	if v.Workers > 0 {
		connections = fmt.Sprintf("            max_connections: %d\n", v.Workers)
	}
	budget := ""
	if v.RetryBudget > 0 {
		budget = fmt.Sprintf("            retry_budget:\n              budget_percent: { value: %g }\n              min_retry_concurrency: 3\n", min(v.RetryBudget*100, 100))
	}
	code := fmt.Sprintf(`static_resources:
  listeners:
    - name: service_in
      address: { socket_address: { address: 127.0.0.1, port_value: 8080 } }
      tcp_backlog_size: %d
      filter_chains:
        - filters:
            - name: envoy.filters.network.http_connection_manager
              typed_config:
                "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                stat_prefix: service_in
                route_config:
                  virtual_hosts:
                    - name: service
                      domains: ["*"]
                      routes:
                        - match: { prefix: "/" }
                          route: { cluster: service, timeout: %s }
                http_filters:
                  - name: envoy.filters.http.local_ratelimit
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit
                      stat_prefix: service_in
                      token_bucket: { max_tokens: %d, tokens_per_fill: %d, fill_interval: 0.1s }
                      filter_enabled: { default_value: { numerator: 100, denominator: HUNDRED } }
                      filter_enforced: { default_value: { numerator: 100, denominator: HUNDRED } }
                  - name: envoy.filters.http.router
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
  clusters:
    - name: service
      connect_timeout: 0.25s
      circuit_breakers:
        thresholds:
          - priority: DEFAULT
%s            max_pending_requests: %d
            max_requests: %d
%s      load_assignment:
        cluster_name: service
        endpoints:
          - lb_endpoints:
              - endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: 8081 } } }
`, v.AcceptQueue, protoSeconds(v), v.burstTokens(), v.perTenth(), connections, max(v.Queue, 1), v.inSystem(), budget)
	return items, []Snippet{{File: "envoy.yaml", Lang: "yaml", Code: code}}, []string{
		"The limits count in each proxy. In the proxies of n clients each one needs its n-th part.",
		"Circuit breaker limits are checked per worker thread without a lock, so they may be exceeded by a few requests.",
	}
}

// perTenth is the rate limit for a tenth of a second, so that tokens do not come
// in one lump a second.
func (v Values) perTenth() int64 { return max(v.Rate/10, 1) }

// burstTokens is the bucket's size: Envoy wants it no smaller than one fill.
func (v Values) burstTokens() int64 { return max(v.Burst, v.perTenth()) }

// protoSeconds writes the clients' timeout as protobuf's JSON wants it.
func protoSeconds(v Values) string { return fmt.Sprintf("%gs", v.Timeout.Seconds()) }

var istio = dialect{
	name: "istio", title: "Istio", versions: "1.20 and later",
	write: writeIstio,
}

const istioDoc = "Istio reference, Destination Rule, ConnectionPoolSettings (istio/api networking/v1)"

// perClient is a client's share of n, with three standard deviations of it; all
// of n where the number of clients is not known.
func (v Values) perClient(n int64) int64 {
	if v.Clients == 0 {
		return max(n, 1)
	}
	mean := float64(n) / float64(v.Clients)
	return max(min(int64(math.Ceil(mean+3*math.Sqrt(mean))), n), 1)
}

// writeIstio divides by the clients where their number is known: a
// DestinationRule is applied in each client's proxy.
func writeIstio(v Values) ([]Item, []Snippet, []string) {
	share := v.perClient
	per := "requests per client proxy"
	items := []Item{
		{Kind: Queue, Key: "connectionPool.http.http1MaxPendingRequests", Value: count(share(v.Queue)), Unit: per, Default: "4294967295", Source: istioDoc,
			Note: fmt.Sprintf("with HTTP/2 http2MaxRequests = %d counts running and waiting together", share(v.inSystem()))},
		{Kind: Workers, Key: "connectionPool.tcp.maxConnections", Value: count(share(int64(v.workers(0)))), Unit: "connections per client proxy, each with one request of HTTP/1.1", Default: "4294967295", Source: istioDoc},
		{Kind: AcceptQueue, Note: "no such field; the sidecar listens with net.core.somaxconn", Source: istioDoc},
		v.poolItem(Item{Key: "connectionPool.tcp.maxConnections", Unit: "connections per client proxy", Default: "4294967295", Source: istioDoc}),
		{Kind: RateLimit, Key: "EnvoyFilter with local_ratelimit", Value: fmt.Sprintf("%d/s, burst %d", v.Rate, v.Burst), Unit: "requests per second, requests", Source: "Istio tasks, Enabling Rate Limits using Envoy",
			Note: "the filter's text is that of --server envoy"},
	}
	connections := share(int64(v.workers(0)))
	if v.PoolMax > 0 {
		connections = v.PoolMax
	}
	tcp := fmt.Sprintf("      tcp:\n        maxConnections: %d\n", connections)
	if v.Workers == 0 && v.PoolMax == 0 {
		tcp = ""
		items[1] = v.workersItem(Item{Key: "connectionPool.tcp.maxConnections", Unit: "connections per client proxy", Default: "4294967295", Source: istioDoc})
	}
	code := fmt.Sprintf(`apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata:
  name: service
spec:
  host: service
  trafficPolicy:
    connectionPool:
%s      http:
        http1MaxPendingRequests: %d
        http2MaxRequests: %d
        maxRetries: 3
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata:
  name: service
spec:
  hosts: [service]
  http:
    - timeout: %s
      retries: { attempts: 1, perTryTimeout: %s, retryOn: "connect-failure,refused-stream" }
      route:
        - destination: { host: service }
`, tcp, share(v.Queue), share(v.inSystem()), protoSeconds(v), protoSeconds(v))
	notes := []string{"A DestinationRule holds in each client's proxy, so its limits add up at the server."}
	if v.Clients == 0 {
		notes = append(notes, "The values are for one client proxy; give --clients to divide them.")
	}
	return items, []Snippet{{File: "service.yaml", Lang: "yaml", Code: code}}, notes
}
