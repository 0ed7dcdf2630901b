package envoy

import (
	"math"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

// cluster is one upstream cluster.
type cluster struct {
	name   string
	s      field.Section
	budget model.Budget
	caps   model.Caps
	extra  map[string]model.Value
	// http and raw say who sends to it: routes, or proxies of other protocols.
	http, raw bool
}

var clusterKeys = []string{
	"name", "alt_stat_name", "type", "cluster_type", "eds_cluster_config", "connect_timeout", "per_connection_buffer_limit_bytes",
	"lb_policy", "hosts", "load_assignment", "health_checks", "max_requests_per_connection", "circuit_breakers",
	"upstream_http_protocol_options", "common_http_protocol_options", "http_protocol_options", "http2_protocol_options",
	"typed_extension_protocol_options", "extension_protocol_options", "dns_refresh_rate", "dns_jitter", "dns_failure_refresh_rate",
	"respect_dns_ttl", "dns_lookup_family", "dns_resolvers", "use_tcp_for_dns_lookups", "dns_resolution_config",
	"typed_dns_resolver_config", "wait_for_warm_on_init", "outlier_detection", "cleanup_interval", "upstream_bind_config",
	"lb_subset_config", "ring_hash_lb_config", "maglev_lb_config", "original_dst_lb_config", "least_request_lb_config",
	"round_robin_lb_config", "common_lb_config", "transport_socket", "transport_socket_matches", "tls_context", "metadata",
	"protocol_selection", "upstream_connection_options", "close_connections_on_host_health_failure",
	"ignore_health_on_host_removal", "drain_connections_on_host_removal", "filters", "load_balancing_policy", "lrs_server",
	"lrs_report_endpoint_metrics", "track_timeout_budgets", "upstream_config", "track_cluster_stats", "preconnect_policy",
	"connection_pool_per_downstream_connection", "prefetch_policy", "transport_socket_matcher", "dns_refresh_jitter",
}

// cluster notes a cluster, for routes to look it up.
func (f *file) cluster(n *tree.Node) {
	c := &cluster{s: f.Section("cluster", n, n.At), extra: map[string]model.Value{}}
	c.s.At = n.At
	c.name = field.Label(c.s.Field("name"))
	c.s.Known(clusterKeys...)
	f.breakers(c)
	if f.clusters[c.name] == nil {
		f.clusters[c.name] = c
	}
	f.order = append(f.order, c)
}

// breakers reads the circuit breaker of the default priority.
func (f *file) breakers(c *cluster) {
	set := c.s.Sub("circuit_breakers", "circuit_breakers")
	set.Known("thresholds", "per_host_thresholds")
	t := f.Section("thresholds", threshold(set.Field("thresholds")), set.At)
	t.Known("priority", "max_connections", "max_pending_requests", "max_requests", "max_retries", "retry_budget", "track_remaining", "max_connection_pools")
	c.caps = model.Caps{
		Connections: unlimited(t.Count("max_connections")), Pending: unlimited(t.Count("max_pending_requests")),
		Requests: unlimited(t.Count("max_requests")), Retries: unlimited(t.Count("max_retries")),
	}
	c.budget = model.Budget{Scope: model.PerCluster, Supported: true}
	rb := t.Sub("retry_budget", "retry_budget")
	if !rb.Node.Present() {
		c.budget.Concurrent = c.caps.Retries
		return
	}
	rb.Known("budget_percent", "min_retry_concurrency")
	c.budget.Ratio = rb.Default("budget_percent")
	if p := rb.Field("budget_percent"); p.Present() {
		v := rb.Sub("budget_percent", "budget_percent").Share("value", true)
		v.Key = "budget_percent"
		if v.Present() {
			c.budget.Ratio = v
		}
	}
	c.extra["min_retry_concurrency"] = rb.Count("min_retry_concurrency")
	// The budget takes the place of max_retries.
	c.caps.Retries = model.Value{Key: "max_retries"}
}

// threshold is the one of the default priority.
func threshold(n *tree.Node) *tree.Node {
	for t := range n.Items() {
		if p := t.Get("priority").String(); p == "" || strings.EqualFold(p, "DEFAULT") || p == "0" {
			return t
		}
	}
	return nil
}

// maxUint32 is how files write that there is no limit.
const maxUint32 = math.MaxUint32

func unlimited(v model.Value) model.Value {
	if v.Finite() && v.Amount >= maxUint32 {
		v.Amount = math.Inf(1)
	}
	return v
}

// clusterHop adds the hop of a cluster's own settings.
func (f *file) clusterHop(c *cluster) {
	h := &model.Hop{
		Name: "cluster " + c.name, To: c.name, Layer: model.Gateway, At: c.s.At, Caps: c.caps, Budget: c.budget,
		Connect: c.s.Duration("connect_timeout"), Extra: c.extra,
	}
	if c.http || !c.raw {
		f.httpOptions(c, h)
	}
	f.outliers(c, h)
	for _, n := range items(c.s.Field("health_checks")) {
		h.Checks = append(h.Checks, f.check(n))
	}
	panicAt := c.s.Sub("common_lb_config", "common_lb_config").Sub("common_lb_config", "healthy_panic_threshold")
	if panicAt.Node.Present() {
		v := panicAt.Share("value", true)
		v.Key = "healthy_panic_threshold"
		h.Extra["healthy_panic_threshold"] = v
	} else {
		h.Extra["healthy_panic_threshold"] = panicAt.Default("healthy_panic_threshold")
	}
	h.Retry.Servers = servers(c)
	f.Hop(h)
}

// httpOptions reads how a cluster speaks HTTP: in the typed options, or in the older
// fields of the cluster.
func (f *file) httpOptions(c *cluster, h *model.Hop) {
	typed := c.s.Sub("typed_extension_protocol_options", "typed_extension_protocol_options")
	common := c.s.Sub("common_http_protocol_options", "common_http_protocol_options")
	options := typed.Node.Get("envoy.extensions.upstreams.http.v3.HttpProtocolOptions")
	if n := f.Section("http", options, typed.At).Sub("common_http_protocol_options", "common_http_protocol_options"); n.Node.Present() {
		common = n
	}
	common.Known("idle_timeout", "max_connection_duration", "max_headers_count", "max_response_headers_kb", "max_stream_duration", "headers_with_underscores_action", "max_requests_per_connection")
	h.Idle = field.ZeroIsNone(common.Duration("idle_timeout"))
	h.Pool.Lifetime = field.ZeroIsNone(common.Duration("max_connection_duration"))
	h.Pool.Requests = field.ZeroIsNone(common.Count("max_requests_per_connection"))
	if old := c.s.Field("max_requests_per_connection"); old.Present() {
		v := field.ZeroIsNone(c.s.Count("max_requests_per_connection"))
		if h.Pool.Requests.IsSet() {
			h.Doubles = append(h.Doubles, [2]model.Value{h.Pool.Requests, v})
		} else {
			h.Pool.Requests = v
		}
	}
}

func (f *file) outliers(c *cluster, h *model.Hop) {
	o := c.s.Sub("outlier_detection", "outlier_detection")
	if !o.Node.Present() {
		return
	}
	o.Known(outlierKeys...)
	h.Breaker = model.Breaker{
		Errors: o.Count("consecutive_5xx"), Window: o.Duration("interval"), Open: o.Duration("base_ejection_time"),
		MaxEjected: o.Share("max_ejection_percent", true),
	}
	if e := o.Field("enforcing_consecutive_5xx"); e.Is("0") {
		v := o.Count("enforcing_consecutive_5xx")
		v.Unit, v.Amount = model.Flag, 1
		h.Breaker.Off = v
	}
	for _, key := range []string{"consecutive_gateway_failure", "max_ejection_time", "max_ejection_time_jitter"} {
		if o.Field(key).Present() {
			if strings.HasPrefix(key, "max") {
				h.Extra[key] = o.Duration(key)
			} else {
				h.Extra[key] = o.Count(key)
			}
		}
	}
}

var outlierKeys = []string{
	"consecutive_5xx", "interval", "base_ejection_time", "max_ejection_percent", "enforcing_consecutive_5xx", "enforcing_success_rate",
	"success_rate_minimum_hosts", "success_rate_request_volume", "success_rate_stdev_factor", "consecutive_gateway_failure",
	"enforcing_consecutive_gateway_failure", "split_external_local_origin_errors", "consecutive_local_origin_failure",
	"enforcing_consecutive_local_origin_failure", "enforcing_local_origin_success_rate", "failure_percentage_threshold",
	"enforcing_failure_percentage", "enforcing_failure_percentage_local_origin", "failure_percentage_minimum_hosts",
	"failure_percentage_request_volume", "max_ejection_time", "max_ejection_time_jitter", "successful_active_health_check_uneject_host",
	"monitors", "always_eject_one_host", "detect_degraded_hosts",
}

var checkKeys = []string{
	"timeout", "interval", "initial_jitter", "interval_jitter", "interval_jitter_percent", "unhealthy_threshold", "healthy_threshold",
	"alt_port", "reuse_connection", "http_health_check", "tcp_health_check", "grpc_health_check", "custom_health_check",
	"no_traffic_interval", "no_traffic_healthy_interval", "unhealthy_interval", "unhealthy_edge_interval", "healthy_edge_interval",
	"event_log_path", "event_logger", "event_service", "always_log_health_check_failures", "always_log_health_check_success",
	"tls_options", "transport_socket_match_criteria", "redis_health_check",
}

// check reads an active health check.
func (f *file) check(n *tree.Node) model.Check {
	s := f.Section("health_check", n, n.At)
	s.Known(checkKeys...)
	out := model.Check{
		Kind: "health", At: n.At, Interval: s.Duration("interval"), Timeout: s.Duration("timeout"),
		Failures: s.Count("unhealthy_threshold"), Rises: s.Count("healthy_threshold"), Serves: true,
	}
	for _, key := range []string{"interval", "timeout", "unhealthy_threshold", "healthy_threshold"} {
		if !s.Field(key).Present() {
			f.Reject(n.At, key, "a health check needs %s", key)
		}
	}
	for _, kind := range []string{"http", "grpc", "tcp"} {
		if h := s.Field(kind + "_health_check"); h != nil {
			out.Target = strings.TrimSpace(kind + " " + h.Get("path").String())
		}
	}
	return out
}

// servers counts the endpoints of a cluster that the file lists.
func servers(c *cluster) int {
	n := 0
	for group := range c.s.Field("load_assignment").Get("endpoints").Items() {
		for range group.Get("lb_endpoints").Items() {
			n++
		}
	}
	if kind := strings.ToUpper(c.s.Field("type").String()); kind != "STATIC" && kind != strconv.Itoa(0) && kind != "" {
		return 0 // names may stand for several addresses
	}
	return n
}
