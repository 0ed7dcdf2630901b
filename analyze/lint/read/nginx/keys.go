package nginx

import (
	"strings"

	near "example.com/kneeline/internal/nearest"
)

// families are the modules that pass requests on. Their settings have the same names
// behind the family's own: proxy_read_timeout, fastcgi_read_timeout.
var families = []string{"proxy", "fastcgi", "uwsgi", "scgi", "grpc", "memcached"}

// suffixes are the settings of a family that are read.
var suffixes = []string{
	"_pass", "_connect_timeout", "_read_timeout", "_send_timeout",
	"_next_upstream", "_next_upstream_tries", "_next_upstream_timeout",
}

// plain are the other settings that are read.
var plain = []string{
	"proxy_timeout", "proxy_http_version", "proxy_ignore_client_abort", "fastcgi_ignore_client_abort", "uwsgi_ignore_client_abort", "scgi_ignore_client_abort",
	"client_header_timeout", "client_body_timeout", "send_timeout", "keepalive_timeout", "keepalive_requests", "keepalive_time",
	"lingering_timeout", "resolver_timeout", "auth_request", "health_check", "limit_req", "limit_conn", "limit_req_zone", "limit_conn_zone",
	"worker_connections", "worker_processes", "worker_shutdown_timeout", "preread_timeout", "proxy_protocol_timeout", "fastcgi_keep_conn",
	"proxy_upload_rate", "proxy_download_rate",
}

// others are real directives that are near to one that is read, or read as a whole, and
// so are no slips of the pen.
var others = []string{
	"proxy_bind", "proxy_cache", "proxy_hide_header", "proxy_pass_header", "proxy_pass_request_body", "proxy_pass_request_headers", "proxy_send_lowat",
	"proxy_set_header", "proxy_set_body", "proxy_headers_hash_max_size", "proxy_session_drop", "proxy_cache_lock_timeout", "proxy_cache_lock_age",
	"fastcgi_cache_lock_timeout", "uwsgi_cache_lock_timeout", "scgi_cache_lock_timeout", "fastcgi_pass_header", "uwsgi_pass_header", "scgi_pass_header", "grpc_pass_header",
	"ssl_session_timeout", "ssl_handshake_timeout", "reset_timedout_connection", "lingering_close", "lingering_time", "keepalive_disable", "keepalive_min_timeout",
	"limit_rate", "limit_except", "limit_rate_after", "limit_req_status", "limit_req_log_level", "limit_req_dry_run", "limit_conn_status", "limit_conn_log_level", "limit_conn_dry_run",
	"auth_request_set", "auth_delay", "resolver", "worker_priority", "worker_rlimit_nofile", "worker_rlimit_core", "worker_cpu_affinity", "client_max_body_size",
	"http2_recv_timeout", "http2_idle_timeout", "imap_client_buffer", "timeout", "send_lowat", "read_ahead", "postpone_output", "redis2_read_timeout", "redis2_send_timeout",
	"srcache_fetch", "lua_socket_read_timeout", "lua_socket_send_timeout", "lua_socket_connect_timeout", "lua_socket_keepalive_timeout", "tunnel_read_timeout",
	"tunnel_pass", "tunnel_send_timeout", "tunnel_connect_timeout", "tunnel_next_upstream", "tunnel_next_upstream_tries", "tunnel_next_upstream_timeout",
}

// read names the settings that are read, known those that are no slips of the pen.
var readKeys, knownKeys = keySets()

func keySets() (reads, known map[string]bool) {
	reads, known = map[string]bool{}, map[string]bool{}
	for _, f := range families {
		for _, s := range suffixes {
			reads[f+s] = true
		}
	}
	for _, k := range plain {
		reads[k] = true
	}
	for k := range reads {
		known[k] = true
	}
	for _, k := range others {
		known[k] = true
	}
	return reads, known
}

// nearest returns the setting whose name differs from an unknown one by at most two
// letters, empty if there is none.
func nearest(key string) string {
	if knownKeys[key] || len(key) < 9 || len(key) > 64 || !strings.Contains(key, "_") {
		return ""
	}
	best, at := "", 3
	for k := range readKeys {
		if len(key)-len(k) > 2 || len(k)-len(key) > 2 {
			continue
		}
		if d := near.Distance(key, k); d < at || d == at && k < best {
			best, at = k, d
		}
	}
	if at > 2 {
		return ""
	}
	return best
}
