package ingressnginx

import (
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

// annotations are those of Ingresses that are read, and real ones near to them.
var annotations = []string{
	"proxy-connect-timeout", "proxy-read-timeout", "proxy-send-timeout", "proxy-next-upstream", "proxy-next-upstream-timeout", "proxy-next-upstream-tries",
	"service-upstream", "auth-url", "backend-protocol", "limit-rps", "limit-rpm", "limit-connections", "configuration-snippet", "server-snippet", "stream-snippet", "auth-snippet",
	"limit-rate", "limit-rate-after", "proxy-buffering", "proxy-buffer-size", "proxy-body-size", "auth-realm", "auth-type", "auth-method", "auth-signin", "limit-whitelist", "limit-allowlist",
	"proxy-ssl-name", "proxy-ssl-secret", "proxy-http-version",
}

// configKeys are the keys of the ConfigMap that are read.
var configKeys = map[string]bool{
	"proxy-connect-timeout": true, "proxy-read-timeout": true, "proxy-send-timeout": true, "proxy-next-upstream": true, "proxy-next-upstream-timeout": true, "proxy-next-upstream-tries": true,
	"keep-alive": true, "keep-alive-requests": true, "client-header-timeout": true, "client-body-timeout": true, "worker-shutdown-timeout": true, "max-worker-connections": true,
	"upstream-keepalive-connections": true, "upstream-keepalive-timeout": true, "upstream-keepalive-requests": true, "upstream-keepalive-time": true, "retry-non-idempotent": true,
	"proxy-stream-timeout": true, "proxy-stream-next-upstream-tries": true, "proxy-stream-next-upstream-timeout": true,
}

// config adds what holds for all Ingresses: a hop to the upstreams and the service
// that listens.
func (r *reader) config(name string, data *tree.Node, at model.Position) {
	s := settings{r, data, "", at}
	h := r.Hop(&model.Hop{Name: name, From: "ingress-nginx", Layer: model.Gateway, At: at, Extra: map[string]model.Value{}})
	s.limits(h)
	if n := s.field("retry-non-idempotent"); n.Present() {
		h.Retry.AllMethods = r.In.Flag(n, "retry-non-idempotent")
	}
	h.Idle = s.seconds("upstream-keepalive-timeout")
	h.Pool.Requests = s.count("upstream-keepalive-requests")
	h.Pool.Lifetime = s.time("upstream-keepalive-time")
	kept := s.count("upstream-keepalive-connections")
	h.Extra["upstream-keepalive-connections"] = kept
	if kept.Finite() {
		h.Pool.KeepAlive = kept
		h.Pool.KeepAlive.Unit, h.Pool.KeepAlive.Amount = model.Flag, min(kept.Amount, 1)
	}
	svc := &model.Service{Name: name, At: at, Extra: map[string]model.Value{}}
	svc.Listen.Idle = s.seconds("keep-alive")
	svc.Listen.KeepRequests = s.count("keep-alive-requests")
	svc.Listen.Header = s.seconds("client-header-timeout")
	svc.Listen.GapRead = s.seconds("client-body-timeout")
	svc.Drain.Stop = s.time("worker-shutdown-timeout")
	svc.Extra["max-worker-connections"] = s.count("max-worker-connections")
	r.Service(svc)
	s.stream(name)
	known := make([]string, 0, len(configKeys))
	for key := range configKeys {
		known = append(known, key)
	}
	s.unknown(name, append(known, "keep-alive-min-timeout", "proxy-stream-responses", "upstream-hash-by", "proxy-protocol-header-timeout"))
}

// stream adds a hop for relayed bytes where one of its settings is written.
func (s settings) stream(name string) {
	if !s.field("proxy-stream-timeout").Present() && !s.field("proxy-stream-next-upstream-tries").Present() && !s.field("proxy-stream-next-upstream-timeout").Present() {
		return
	}
	h := s.Hop(&model.Hop{Name: name + " stream", From: "ingress-nginx", Layer: model.Gateway, At: s.at})
	h.GapRead = s.time("proxy-stream-timeout")
	h.GapSend = h.GapRead
	h.StartTry = field.ZeroIsNone(s.time("proxy-stream-next-upstream-timeout"))
	h.Retry.Written = field.ZeroIsNone(s.count("proxy-stream-next-upstream-tries"))
	h.Retry.Tries = h.Retry.Written
	h.Backoff.None = true
}
