package envoy

import (
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

// httpFilter reads what a filter does to every request of a connection manager: calls
// of its own, limits of rate, faults.
func (f *file) httpFilter(n *tree.Node, m *manager, svc *model.Service) {
	c := config(n)
	s := f.Section("filter", c, n.At)
	side := func(key string, v model.Value) {
		if v.Present() {
			v.Key = key
			m.sideCalls = append(m.sideCalls, field.ZeroIsNone(v))
		}
	}
	switch {
	case is(n, "ext_authz", "ExtAuthz"):
		s.Name = "ext_authz"
		service := s.Sub("ext_authz", "grpc_service")
		if s.Field("http_service").Present() {
			service = s.Sub("ext_authz.http_service", "http_service", "server_uri")
		}
		side("ext_authz timeout", service.Duration("timeout"))
	case is(n, "ratelimit", "RateLimit"):
		s.Name = "ratelimit"
		side("ratelimit timeout", s.Duration("timeout"))
	case is(n, "ext_proc", "ExternalProcessor"):
		s.Name = "ext_proc"
		side("ext_proc message_timeout", s.Duration("message_timeout"))
	case is(n, "oauth2", "OAuth2"):
		if t := s.Sub("oauth2", "config", "token_endpoint"); t.Field("timeout").Present() {
			side("oauth2 token_endpoint timeout", t.Duration("timeout"))
		}
	case is(n, "local_ratelimit", "LocalRateLimit"):
		f.tokens(s, svc)
	case is(n, "fault", "HTTPFault"):
		m.faults = append(m.faults, f.faults(s)...)
	}
}

// tokens adds the rate of a token bucket.
func (f *file) tokens(s field.Section, svc *model.Service) {
	b := s.Sub("token_bucket", "token_bucket")
	if !b.Node.Present() {
		return
	}
	perFill, every := b.Count("tokens_per_fill"), b.Duration("fill_interval")
	if perFill.Finite() && every.Finite() && every.Amount > 0 {
		v := model.Of(model.PerSecond, perFill.Amount/every.Amount, "tokens_per_fill / fill_interval")
		v.Key, v.At = "local_ratelimit token_bucket", b.At
		svc.SheddingLimits = append(svc.SheddingLimits, v)
	}
}

// faults reads the faults that a filter injects itself; those that callers ask for by
// header are theirs.
func (f *file) faults(s field.Section) []model.Fault {
	var out []model.Fault
	if d := s.Sub("fault.delay", "delay"); d.Field("fixed_delay").Present() {
		out = append(out, model.Fault{Kind: "delay", At: d.Field("fixed_delay").At, Delay: d.Duration("fixed_delay"), Share: f.percentage(d)})
	}
	if a := s.Sub("fault.abort", "abort"); a.Field("http_status").Present() || a.Field("grpc_status").Present() {
		out = append(out, model.Fault{Kind: "abort", At: a.At, Share: f.percentage(a)})
	}
	return out
}

// percentage reads a fraction such as {numerator: 5, denominator: TEN_THOUSAND}.
func (f *file) percentage(s field.Section) model.Value {
	p := s.Sub("percentage", "percentage")
	n := p.Field("numerator")
	if !n.Present() {
		return s.Default("percentage")
	}
	v := p.Count("numerator")
	v.Key, v.Unit = "percentage", model.Ratio
	switch p.Field("denominator").String() {
	case "TEN_THOUSAND":
		v.Amount /= 1e4
	case "MILLION":
		v.Amount /= 1e6
	default:
		v.Amount /= 100
	}
	return v
}

// tcp adds the hop of a TCP proxy, whose connections are as long as their users like.
func (f *file) tcp(s field.Section, listener string) {
	to := field.Label(s.Field("cluster"))
	h := &model.Hop{
		Name: "tcp proxy to " + to, From: listener, To: to, Layer: model.Gateway, At: s.At, Streams: true,
		Idle: field.ZeroIsNone(s.Duration("idle_timeout")),
	}
	if s.Field("max_downstream_connection_duration").Present() {
		h.Pool.Lifetime = field.ZeroIsNone(s.Duration("max_downstream_connection_duration"))
	}
	field.TotalTries(&h.Retry, s.Count("max_connect_attempts"))
	if h.Retry.Retries() {
		h.Retry.On = []model.Condition{{Cause: model.ConnectFailure, Word: "max_connect_attempts", At: h.Retry.Written.At}}
	}
	if c := f.clusters[to]; c != nil {
		c.raw = true
		h.Connect = c.s.Duration("connect_timeout")
	}
	f.Hop(h)
}

// redis adds the hop of a Redis proxy. Its op_timeout is of one command, and no limit
// of a request over HTTP.
func (f *file) redis(s field.Section, listener string) {
	routes := s.Sub("prefix_routes", "prefix_routes")
	to := routes.Field("catch_all_route").Get("cluster").String()
	h := &model.Hop{Name: "redis proxy to " + to, From: listener, To: to, Layer: model.Gateway, At: s.At, Extra: map[string]model.Value{}}
	if settings := s.Sub("redis_proxy", "settings"); settings.Field("op_timeout").Present() {
		h.Extra["op_timeout"] = settings.Duration("op_timeout")
	}
	if c := f.clusters[to]; c != nil {
		c.raw = true
	}
	f.Hop(h)
}
