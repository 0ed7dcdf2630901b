package istio

import (
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
)

// destinationRule adds the hops of a rule's traffic policies. A subset or port without
// one of its own has the rule's.
func (f *file) destinationRule(o kube.Object) {
	host := field.Label(o.Spec.Get("host"))
	policy := f.Section("trafficPolicy", o.Spec.Get("trafficPolicy"), o.At())
	if policy.Node.Present() {
		f.policy(o.Title(), host, policy)
	}
	for _, subset := range maps(o.Spec.Get("subsets")) {
		s := f.Section("subset", subset, subset.At)
		s.Known("name", "labels", "trafficPolicy")
		if p := s.Sub("trafficPolicy", "trafficPolicy"); matters(p) {
			f.policy(o.Title()+" subset "+subset.Get("name").String(), host, p)
		}
	}
	for _, port := range maps(policy.Field("portLevelSettings")) {
		p := f.Section("trafficPolicy", port, port.At)
		if matters(p) {
			f.policy(o.Title()+" port "+port.Get("port", "number").String(), host, p)
		}
	}
}

// matters reports whether a policy has settings of ours.
func matters(s field.Section) bool {
	return s.Field("connectionPool").Present() || s.Field("outlierDetection").Present() || s.Field("retryBudget").Present()
}

// policy adds the hop of one traffic policy.
func (f *file) policy(name, host string, s field.Section) {
	s.Known("loadBalancer", "connectionPool", "outlierDetection", "tls", "portLevelSettings", "tunnel", "proxyProtocol", "retryBudget", "port")
	pool := s.Sub("connectionPool", "connectionPool")
	pool.Known("tcp", "http")
	tcp, http := pool.Sub("tcp_pool", "tcp"), pool.Sub("http_pool", "http")
	tcp.Known("maxConnections", "connectTimeout", "tcpKeepalive", "maxConnectionDuration", "idleTimeout")
	http.Known("http1MaxPendingRequests", "http2MaxRequests", "maxRequestsPerConnection", "maxRetries", "idleTimeout", "h2UpgradePolicy", "useClientProtocol", "maxConcurrentStreams", "http2KeepAlive")
	h := &model.Hop{Name: name, To: host, Layer: model.Sidecar, At: s.At, Connect: tcp.Duration("connectTimeout"), Extra: map[string]model.Value{}}
	h.Caps = model.Caps{
		Connections: zeroIsDefault(tcp, "maxConnections"), Pending: zeroIsDefault(http, "http1MaxPendingRequests"), Requests: zeroIsDefault(http, "http2MaxRequests"),
	}
	h.Budget, h.Caps.Retries, h.Extra["minRetryConcurrency"] = f.budget(s)
	if !h.Extra["minRetryConcurrency"].Present() {
		delete(h.Extra, "minRetryConcurrency")
	}
	h.Idle = field.ZeroIsNone(http.Duration("idleTimeout"))
	if tcp.Field("idleTimeout").Present() && !h.Idle.IsSet() {
		h.Idle = field.ZeroIsNone(tcp.Duration("idleTimeout"))
	}
	h.Pool.Requests = field.ZeroIsNone(http.Count("maxRequestsPerConnection"))
	if tcp.Field("maxConnectionDuration").Present() {
		h.Pool.Lifetime = field.ZeroIsNone(tcp.Duration("maxConnectionDuration"))
	}
	f.outliers(s, h)
	f.failover(s, h)
	f.Hop(h)
}

// zeroIsDefault is a limit that a 0 does not set.
func zeroIsDefault(s field.Section, key string) model.Value {
	v := s.Count(key)
	if v.IsSet() && v.Amount == 0 {
		return s.Default(key)
	}
	if v.Finite() && v.Amount >= math.MaxInt32 {
		v = read.Unlimited(v, v.Amount)
	}
	return v
}

// budget is the bound on retries of a traffic policy, the fixed cap, and the least
// number of retries at once.
func (f *file) budget(s field.Section) (model.Budget, model.Value, model.Value) {
	http := s.Sub("connectionPool", "connectionPool").Sub("http_pool", "http")
	out := model.Budget{Scope: model.PerCluster, Supported: true}
	rb := s.Sub("retryBudget", "retryBudget")
	rb.Known("percent", "minRetryConcurrency")
	if rb.Node.Present() {
		out.Ratio = rb.Share("percent", true)
		return out, model.Value{Key: "maxRetries"}, rb.Count("minRetryConcurrency")
	}
	out.Concurrent = zeroIsDefault(http, "maxRetries")
	return out, out.Concurrent, model.Value{}
}

var outlierKeys = []string{
	"splitExternalLocalOriginErrors", "consecutiveLocalOriginFailures", "consecutiveGatewayErrors", "consecutive5xxErrors", "consecutiveErrors",
	"interval", "baseEjectionTime", "maxEjectionPercent", "minHealthPercent",
}

func (f *file) outliers(s field.Section, h *model.Hop) {
	o := s.Sub("outlierDetection", "outlierDetection")
	if !o.Node.Present() {
		return
	}
	o.Known(outlierKeys...)
	h.Breaker = model.Breaker{
		Errors: o.Count("consecutive5xxErrors"), Window: o.Duration("interval"), Open: o.Duration("baseEjectionTime"),
		MaxEjected: o.Share("maxEjectionPercent", true),
	}
	switch {
	case o.Field("consecutiveErrors").Present() && !h.Breaker.Errors.IsSet():
		h.Breaker.Errors = o.Count("consecutiveErrors")
	case o.Field("consecutiveGatewayErrors").Present() && !h.Breaker.Errors.IsSet():
		h.Breaker.Errors = o.Count("consecutiveGatewayErrors")
	}
	if h.Breaker.Errors.IsSet() && h.Breaker.Errors.Amount == 0 {
		h.Breaker.Off = h.Breaker.Errors
		h.Breaker.Off.Unit, h.Breaker.Off.Amount = model.Flag, 1
	}
	h.Extra["healthy_panic_threshold"] = o.Share("minHealthPercent", true)
}

// failover notes to how many regions the traffic of one goes when it fails.
func (f *file) failover(s field.Section, h *model.Hop) {
	list := s.Field("loadBalancer").Get("localityLbSetting", "failover")
	targets := map[string]float64{}
	for n := range list.Items() {
		targets[n.Get("from").String()]++
	}
	for n := range list.Items() {
		v := f.In.Text(n.Get("to"), "failover")
		v.Unit, v.Amount = model.Count, targets[n.Get("from").String()]
		h.Extra["failover"] = v
		return
	}
}
