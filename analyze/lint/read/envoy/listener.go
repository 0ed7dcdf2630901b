package envoy

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

// manager is what an HTTP connection manager adds to all of its routes.
type manager struct {
	name      string
	sideCalls []model.Value
	faults    []model.Fault
	gap       model.Value // stream_idle_timeout
}

// listener adds the service of a listener, and the hops that lead from it.
func (f *file) listener(n *tree.Node) {
	s := f.Section("listener", n, n.At)
	s.At = n.At
	address := addressOf(s.Field("address"))
	name := field.Label(s.Field("name"))
	if name == "" {
		name = address
	}
	svc := &model.Service{Name: "listener " + name, At: s.At, Extra: map[string]model.Value{}}
	svc.Listen.Address = address
	svc.Listen.Backlog = s.Count("tcp_backlog_size")
	if t := s.Field("listener_filters_timeout"); t.Present() {
		svc.Extra["listener_filters_timeout"] = field.ZeroIsNone(s.Duration("listener_filters_timeout"))
	}
	f.Service(svc)
	chains := items(s.Field("filter_chains"))
	if n := s.Field("default_filter_chain"); n.Present() {
		chains = append(chains, n)
	}
	for _, chain := range chains {
		c := f.Section("filter_chain", chain, chain.At)
		for _, filter := range items(c.Field("filters")) {
			f.filter(filter, name, svc)
		}
	}
}

// addressOf writes a socket's address.
func addressOf(n *tree.Node) string {
	socket := n.Get("socket_address")
	if socket == nil {
		socket = n.Get("socketAddress")
	}
	port := socket.Get("port_value")
	if port == nil {
		port = socket.Get("portValue")
	}
	if socket == nil {
		return n.Get("pipe", "path").String()
	}
	return socket.Get("address").String() + ":" + port.String()
}

// config returns a filter's own settings.
func config(n *tree.Node) *tree.Node {
	for _, key := range []string{"typed_config", "typedConfig", "config"} {
		if c := n.Get(key); c.Present() {
			return c
		}
	}
	return nil
}

// is reports whether a filter is of a type, by its typed settings or its name.
func is(n *tree.Node, name, typeName string) bool {
	if t := typeOf(config(n)); t != "" {
		return strings.HasSuffix(t, "."+typeName)
	}
	text := n.Get("name").String()
	return text == name || strings.HasSuffix(text, "."+name)
}

func (f *file) filter(n *tree.Node, listener string, svc *model.Service) {
	c := config(n)
	switch {
	case is(n, "http_connection_manager", "HttpConnectionManager"):
		f.manager(f.Section("http_connection_manager", c, n.At), listener, svc)
	case is(n, "tcp_proxy", "TcpProxy"):
		f.tcp(f.Section("tcp_proxy", c, n.At), listener)
	case is(n, "redis_proxy", "RedisProxy"):
		f.redis(f.Section("redis_proxy", c, n.At), listener)
	}
}

var managerKeys = []string{
	"codec_type", "stat_prefix", "rds", "route_config", "scoped_routes", "http_filters", "add_user_agent", "tracing",
	"common_http_protocol_options", "http1_safe_max_connection_duration", "http_protocol_options", "http2_protocol_options",
	"http3_protocol_options", "server_name", "server_header_transformation", "scheme_header_transformation", "max_request_headers_kb",
	"stream_idle_timeout", "stream_flush_timeout", "request_timeout", "request_headers_timeout", "drain_timeout",
	"delayed_close_timeout", "access_log", "access_log_flush_interval", "flush_access_log_on_new_request", "access_log_options",
	"use_remote_address", "xff_num_trusted_hops", "original_ip_detection_extensions", "early_header_mutation_extensions",
	"internal_address_config", "skip_xff_append", "via", "generate_request_id", "preserve_external_request_id",
	"always_set_request_id_in_response", "forward_client_cert_details", "set_current_client_cert_details", "proxy_100_continue",
	"represent_ipv4_remote_address_as_ipv4_mapped_ipv6", "upgrade_configs", "normalize_path", "merge_slashes",
	"path_with_escaped_slashes_action", "request_id_extension", "local_reply_config", "strip_matching_host_port",
	"strip_any_host_port", "stream_error_on_invalid_http_message", "path_normalization_options", "strip_trailing_host_dot",
	"proxy_status_config", "typed_header_validation_config", "append_x_forwarded_port", "append_local_overload",
	"add_proxy_protocol_connection_state", "idle_timeout", "forward_client_cert_matcher", "http1_max_connection_duration",
}

// manager reads an HTTP connection manager: how its listener takes requests, and its
// routes.
func (f *file) manager(s field.Section, listener string, svc *model.Service) {
	s.Known(managerKeys...)
	common := s.Sub("downstream", "common_http_protocol_options")
	l := &svc.Listen
	l.Idle = field.ZeroIsNone(common.Duration("idle_timeout"))
	if old := s.Field("idle_timeout"); old.Present() && !l.Idle.IsSet() {
		l.Idle = field.ZeroIsNone(s.Duration("idle_timeout"))
	}
	l.KeepRequests = field.ZeroIsNone(common.Count("max_requests_per_connection"))
	l.Header = field.ZeroIsNone(s.Duration("request_headers_timeout"))
	l.Body = field.ZeroIsNone(s.Duration("request_timeout"))
	l.GapRead = field.ZeroIsNone(s.Duration("stream_idle_timeout"))
	if common.Field("max_stream_duration").Present() {
		svc.Exec.Total = field.ZeroIsNone(common.Duration("max_stream_duration"))
	}
	for _, key := range []string{"drain_timeout", "delayed_close_timeout"} {
		svc.Extra[key] = s.Duration(key)
	}
	m := &manager{name: listener, gap: l.GapRead}
	for _, filter := range items(s.Field("http_filters")) {
		f.httpFilter(filter, m, svc)
	}
	if routes := s.Field("route_config"); routes.Present() {
		f.routes(routes, m)
	}
}
