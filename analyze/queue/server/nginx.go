package server

import "fmt"

var nginx = dialect{
	name: "nginx", title: "nginx", versions: "1.19 and later (open source)",
	write: writeNginx,
}

const nginxDoc = "nginx.org/en/docs/http/"

// writeNginx bounds the requests in the system, since nginx without a licence
// has no queue in front of an upstream: max_conns refuses at once.
func writeNginx(v Values) ([]Item, []Snippet, []string) {
	items := []Item{
		{Kind: Queue, Key: "limit_conn", Value: count(v.inSystem()), Unit: "requests in the system", Default: "no limit", Source: nginxDoc + "ngx_http_limit_conn_module.html",
			Note: fmt.Sprintf("running and waiting together; with NGINX Plus instead 'queue %d timeout=%dms' in upstream", v.Queue, millis(v.QueueWait))},
		v.workersItem(Item{Key: "server max_conns, in upstream (NGINX Plus, with its queue)", Unit: "connections", Default: "0, no limit", Since: "1.11.5", Source: nginxDoc + "ngx_http_upstream_module.html",
			Note: "without Plus it refuses what exceeds it, so leave it out"}),
		{Kind: AcceptQueue, Key: "listen backlog", Value: count(v.AcceptQueue), Unit: "connections", Default: "511", Source: nginxDoc + "ngx_http_core_module.html"},
		v.poolItem(Item{Key: "keepalive, in upstream", Unit: "idle connections per worker process", Default: "none before 1.29.7, then 32", Source: nginxDoc + "ngx_http_upstream_module.html"}),
		{Kind: RateLimit, Key: "limit_req_zone rate, limit_req burst", Value: fmt.Sprintf("%dr/s, %d", v.Rate, v.Burst), Unit: "requests per second, requests", Default: "no limit", Source: nginxDoc + "ngx_http_limit_req_module.html"},
	}
	keepalive := ""
	if v.PoolMax > 0 {
		keepalive = fmt.Sprintf("    keepalive %d;\n", v.PoolMax)
	}
	code := fmt.Sprintf(`limit_conn_zone $server_port zone=in_system:1m;
limit_req_zone $server_port zone=arrivals:1m rate=%dr/s;

upstream service {
    server 127.0.0.1:8081;
%s}

server {
    listen 8080 backlog=%d;

    location / {
        limit_conn in_system %d;
        limit_conn_status 503;
        limit_req zone=arrivals burst=%d nodelay;
        limit_req_status 429;
        proxy_pass http://service;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_connect_timeout %dms;
        proxy_read_timeout %dms;
        proxy_next_upstream_timeout %dms;
        proxy_next_upstream_tries 2;
    }
}
`, v.Rate, keepalive, v.AcceptQueue, v.inSystem(), v.Burst, min(millis(v.Timeout), 1000), millis(v.Timeout), millis(v.Timeout))
	return items, []Snippet{{File: "conf.d/service.conf, inside http", Lang: "nginx", Code: code}}, []string{
		"The zones count for the port of the server block; give each service a key of its own where several share a port.",
	}
}
