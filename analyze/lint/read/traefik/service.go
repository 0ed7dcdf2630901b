package traefik

import (
	"math"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

// service adds the hop of a load-balanced service.
func (f *file) service(name string, s field.Section) {
	s.Known("sticky", "servers", "healthCheck", "passHostHeader", "responseForwarding", "serversTransport", "strategy", "passiveHealthCheck", "server", "terminationDelay", "proxyProtocol")
	h := &model.Hop{Name: "service " + name, To: name, Layer: model.Gateway, At: s.At}
	transport := f.Section("serversTransport", field.Folded(f.root, "serversTransport"), s.At)
	if named := s.Field("serversTransport").String(); named != "" {
		transport = f.Section("serversTransport", field.Folded(f.root, "http", "serversTransports").Get(bare(named)), s.At)
	}
	f.transport(transport, h)
	h.Retry = field.NoRetry(s.At, "no retry middleware on its routers: Traefik tries once")
	if r, ok := f.retryOf(name); ok {
		f.retries(r, h)
	}
	for range s.Field("servers").Items() {
		h.Retry.Servers++
	}
	if c := s.Sub("healthCheck", "healthCheck"); c.Node.Present() {
		c.Known("scheme", "mode", "path", "method", "status", "port", "interval", "unhealthyInterval", "timeout", "hostname", "followRedirects", "headers")
		h.Checks = append(h.Checks, model.Check{
			Kind: "health", At: c.At, Interval: c.Duration("interval"), Timeout: c.Duration("timeout"), Target: "http " + c.Field("path").String(), Serves: true,
		})
	}
	if p := s.Sub("passiveHealthCheck", "passiveHealthCheck"); p.Node.Present() {
		h.Breaker.Errors, h.Breaker.Window = p.Count("maxFailedAttempts"), p.Duration("failureWindow")
	}
	f.Hop(h)
}

// bare is a name without its provider: name@file.
func bare(name string) string {
	out, _, _ := strings.Cut(name, "@")
	return out
}

// transport reads how connections to servers are made.
func (f *file) transport(s field.Section, h *model.Hop) {
	t := s.Sub("forwardingTimeouts", "forwardingTimeouts")
	t.Known("dialTimeout", "responseHeaderTimeout", "idleConnTimeout", "readIdleTimeout", "pingTimeout")
	h.Connect = field.ZeroIsNone(t.Duration("dialTimeout"))
	h.PerTry = field.ZeroIsNone(t.Duration("responseHeaderTimeout"))
	h.Idle = field.ZeroIsNone(t.Duration("idleConnTimeout"))
	h.Total = t.Default("total")
	if s.Field("maxIdleConnsPerHost").Present() {
		h.Pool.Max = s.Count("maxIdleConnsPerHost")
		if h.Pool.Max.Finite() && h.Pool.Max.Amount <= 0 {
			h.Pool.Max = model.Value{Key: "maxIdleConnsPerHost"}
		}
	}
}

// retryOf is the retry middleware on the routers of a service.
func (f *file) retryOf(service string) (field.Section, bool) {
	for _, r := range field.Folded(f.root, "http", "routers").Fields() {
		if bare(field.Folded(r, "service").String()) != service {
			continue
		}
		if s, ok := f.retryAmong(field.Folded(r, "middlewares"), 0); ok {
			return s, true
		}
	}
	return field.Section{}, false
}

// maxChain is how deep chains of middlewares are followed.
const maxChain = 5

func (f *file) retryAmong(names *tree.Node, depth int) (field.Section, bool) {
	if depth > maxChain {
		return field.Section{}, false
	}
	for n := range names.Items() {
		name := bare(n.String())
		m := field.Folded(f.root, "http", "middlewares").Get(name)
		if r := field.Folded(m, "retry"); r.Present() {
			f.used[name] = true
			return f.Section("retry", r, m.At), true
		}
		if s, ok := f.retryAmong(field.Folded(m, "chain", "middlewares"), depth+1); ok {
			return s, true
		}
	}
	return field.Section{}, false
}

// retries reads a retry middleware, whose attempts count the first try.
func (f *file) retries(r field.Section, h *model.Hop) {
	r.Known("attempts", "initialInterval", "timeout", "maxRequestBodyBytes", "status", "disableRetryOnNetworkError", "retryNonIdempotentMethod")
	servers := h.Retry.Servers
	h.Retry = model.Retry{Servers: servers}
	attempts := r.Count("attempts")
	field.TotalTries(&h.Retry, attempts)
	if !attempts.Present() || attempts.IsSet() && attempts.Amount <= 0 {
		r.Reject(r.At, "attempts: 2", "retry needs attempts over 0")
	}
	if !r.Field("disableRetryOnNetworkError").Is("true") {
		h.Retry.On = append(h.Retry.On, model.Condition{Cause: model.ConnectFailure, Word: "network error", At: r.At, Default: true})
	}
	for c := range r.Field("status").Items() {
		first, _, _ := strings.Cut(c.String(), "-")
		if code, err := strconv.Atoi(first); err == nil {
			h.Retry.On = append(h.Retry.On, model.Condition{Cause: field.Status(code), Word: c.String(), At: c.At})
		}
	}
	if r.Field("retryNonIdempotentMethod").Present() {
		h.Retry.AllMethods = r.Flag("retryNonIdempotentMethod")
	}
	if r.Field("timeout").Present() {
		h.StartTry = field.ZeroIsNone(r.Duration("timeout"))
	}
	f.backoff(r, h)
}

// backoff is a series that grows to twice the first wait.
func (f *file) backoff(r field.Section, h *model.Hop) {
	h.Backoff.Base = r.Duration("initialInterval")
	if !h.Backoff.Base.Finite() || h.Backoff.Base.Amount <= 0 {
		return
	}
	h.Backoff.Jitter = r.Default("jitter")
	h.Backoff.Max = model.Of(model.Seconds, 2*h.Backoff.Base.Amount, "twice initialInterval")
	h.Backoff.Max.Key, h.Backoff.Max.At = "initialInterval", h.Backoff.Base.At
	if n := h.Retry.Tries; n.Finite() && n.Amount > 1 {
		h.Backoff.Multiplier = model.Of(model.Count, math.Pow(2, 1/(n.Amount-1)), "2 to the power of 1/(attempts-1)")
		h.Backoff.Multiplier.Key, h.Backoff.Multiplier.At = "initialInterval", h.Backoff.Base.At
	}
}
