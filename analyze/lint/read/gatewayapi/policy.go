package gatewayapi

import (
	"math"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

const envoyGroup = "gateway.envoyproxy.io"

// EnvoyGateway reads Envoy Gateway's policies.
var EnvoyGateway = read.Object{
	Name: "envoy-gateway", Gate: []string{envoyGroup},
	Recognise: func(_ string, root *tree.Node) bool { return len(policies(root)) > 0 },
	Read:      readPolicies,
}

func policies(root *tree.Node) []kube.Object {
	var out []kube.Object
	for _, o := range kube.Objects(root, envoyGroup) {
		if o.Kind == "BackendTrafficPolicy" || o.Kind == "ClientTrafficPolicy" {
			out = append(out, o)
		}
	}
	return out
}

func readPolicies(in *read.Input, root *tree.Node) []*model.Document {
	r := field.New(in, root, "envoy-gateway", "envoy-gateway", "Envoy Gateway", field.Gateway)
	for _, o := range policies(root) {
		s := r.Section("spec", o.Spec, o.At())
		s.At = o.At()
		if o.Kind == "ClientTrafficPolicy" {
			clientPolicy(o, s)
		} else {
			backendPolicy(o, s)
		}
	}
	return r.Documents()
}

var backendKeys = []string{
	"targetRef", "targetRefs", "targetSelectors", "mergeType", "rateLimit", "loadBalancer", "proxyProtocol", "tcpKeepalive",
	"healthCheck", "faultInjection", "circuitBreaker", "retry", "useClientProtocol", "timeout", "connection", "dns", "http2",
	"compression", "compressor", "responseOverride", "httpUpgrade", "requestBuffer", "telemetry", "routingType", "admissionControl",
	"bandwidthLimit", "dnsLookup",
}

// target names what a policy attaches to.
func target(o kube.Object) string {
	var out []string
	for _, key := range []string{"targetRef", "targetRefs"} {
		for ref := range o.Spec.Get(key).Items() {
			out = append(out, strings.TrimSpace(ref.Get("kind").String()+" "+ref.Get("name").String()))
		}
	}
	return strings.Join(out, ", ")
}

// backendPolicy adds the hop of a BackendTrafficPolicy.
func backendPolicy(o kube.Object, s field.Section) {
	s.Known(backendKeys...)
	timeout := s.Sub("timeout", "timeout")
	tcp, http := timeout.Sub("timeout.tcp", "tcp"), timeout.Sub("timeout.http", "http")
	tcp.Known("connectTimeout")
	http.Known("connectionIdleTimeout", "maxConnectionDuration", "requestTimeout", "maxStreamDuration", "streamIdleTimeout")
	h := &model.Hop{
		Name: o.Title(), To: target(o), Layer: model.Gateway, At: s.At, Connect: tcp.Duration("connectTimeout"),
		Idle: field.ZeroIsNone(http.Duration("connectionIdleTimeout")), Extra: map[string]model.Value{},
	}
	if http.Field("requestTimeout").Present() {
		h.Total = field.ZeroIsNone(http.Duration("requestTimeout"))
	}
	if http.Field("maxConnectionDuration").Present() {
		h.Pool.Lifetime = field.ZeroIsNone(http.Duration("maxConnectionDuration"))
	}
	breaker(s, h)
	if s.Field("retry").Present() {
		policyRetries(s.Sub("retry", "retry"), h)
	}
	checks(s, h)
	faults(s, h)
	s.Hop(h)
}

// breaker reads the circuit breaker; without one, each of its limits has a default.
func breaker(s field.Section, h *model.Hop) {
	c := s.Sub("circuitBreaker", "circuitBreaker")
	c.Known("maxConnections", "maxPendingRequests", "maxParallelRequests", "maxParallelRetries", "maxRequestsPerConnection", "perEndpoint", "retryBudget")
	h.Caps = model.Caps{
		Connections: unlimited(c.Count("maxConnections")), Pending: unlimited(c.Count("maxPendingRequests")),
		Requests: unlimited(c.Count("maxParallelRequests")),
	}
	if s.Field("retry").Present() || c.Field("maxParallelRetries").Present() {
		h.Caps.Retries = unlimited(c.Count("maxParallelRetries"))
	}
	if c.Field("maxRequestsPerConnection").Present() {
		h.Pool.Requests = unlimited(field.ZeroIsNone(c.Count("maxRequestsPerConnection")))
	}
	h.Budget = model.Budget{Scope: model.PerCluster, Supported: true, Concurrent: h.Caps.Retries}
	if b := c.Sub("retryBudget", "retryBudget"); b.Node.Present() {
		h.Budget.Concurrent = model.Value{}
		h.Caps.Retries = model.Value{Key: "maxParallelRetries"} // the budget takes its place
		h.Budget.Ratio = fraction(b.Sub("retryBudget", "percent"), b.Default("percent"))
		h.Extra["minRetryConcurrency"] = b.Count("minRetryConcurrency")
	}
}

func unlimited(v model.Value) model.Value {
	if v.Finite() && v.Amount >= math.MaxUint32 {
		return read.Unlimited(v, v.Amount)
	}
	return v
}

// fraction reads a share such as {numerator: 10, denominator: 100}.
func fraction(s field.Section, otherwise model.Value) model.Value {
	if !s.Field("numerator").Present() {
		return otherwise
	}
	v := s.Count("numerator")
	v.Key, v.Unit = "percent", model.Ratio
	of := 100.0
	if d := s.Field("denominator"); d.Present() {
		if n := s.Count("denominator"); n.Finite() && n.Amount > 0 {
			of = n.Amount
		}
	}
	v.Amount /= of
	return v
}

func policyRetries(r field.Section, h *model.Hop) {
	r.Known("numRetries", "numAttemptsPerPriority", "retryOn", "perRetry")
	field.Tries(&h.Retry, r.Count("numRetries"))
	on := r.Sub("retry", "retryOn")
	on.Known("triggers", "httpStatusCodes")
	if !on.Node.Present() {
		h.Retry.On, _ = field.Conditions(r.Default("retryOn"))
	}
	listed := false
	for t := range on.Field("triggers").Items() {
		listed = listed || t.Is("retriable-status-codes")
		if c, ok := field.Condition(t.String(), t.At); ok && c.Word != "retriable-status-codes" {
			h.Retry.On = append(h.Retry.On, c)
		}
	}
	for c := range on.Field("httpStatusCodes").Items() {
		if cond, ok := field.Condition(c.String(), c.At); ok && listed {
			h.Retry.On = append(h.Retry.On, cond)
		}
	}
	if codes := on.Field("httpStatusCodes"); codes.Present() && !listed {
		r.Ignored(codes.At, "triggers: [retriable-status-codes]", "httpStatusCodes without the trigger retriable-status-codes")
	}
	per := r.Sub("perRetry", "perRetry")
	per.Known("timeout", "backOff")
	if per.Field("timeout").Present() {
		h.PerTry = field.ZeroIsNone(per.Duration("timeout"))
	} else {
		h.PerTry = field.WholeCall("perRetry.timeout", h.Total, per.At)
	}
	wait := per.Sub("backOff", "backOff")
	wait.Known("baseInterval", "maxInterval")
	h.Backoff = field.Backoff(wait, "baseInterval", "maxInterval")
	h.Retry.AllMethods = r.Default("all_methods")
}

// checks reads active and passive health checks, whose durations are as Go writes them.
func checks(s field.Section, h *model.Hop) {
	c := goStyle(s).Sub("healthCheck", "healthCheck")
	if a := c.Sub("active", "active"); a.Node.Present() {
		a.Known("timeout", "interval", "initialJitter", "unhealthyThreshold", "healthyThreshold", "type", "http", "tcp", "grpc", "overrides", "healthCheckLog")
		h.Checks = append(h.Checks, model.Check{
			Kind: "health", At: a.At, Interval: a.Duration("interval"), Timeout: a.Duration("timeout"), Failures: a.Count("unhealthyThreshold"),
			Rises: a.Count("healthyThreshold"), Target: strings.ToLower(a.Field("type").String()) + " " + a.Field("http").Get("path").String(), Serves: true,
		})
	}
	p := c.Sub("passive", "passive")
	if !p.Node.Present() {
		return
	}
	h.Breaker = model.Breaker{
		Errors: p.Count("consecutive5XxErrors"), Window: p.Duration("interval"), Open: p.Duration("baseEjectionTime"), MaxEjected: p.Share("maxEjectionPercent", true),
	}
	h.Extra["healthy_panic_threshold"] = c.Share("panicThreshold", true)
}

// goStyle reads durations as Go writes them.
func goStyle(s field.Section) field.Section {
	r := *s.Reader
	r.Style = field.Go
	s.Reader = &r
	return s
}

// faults reads injected faults, whose durations are as Go writes them.
func faults(s field.Section, h *model.Hop) {
	f := goStyle(s).Sub("faultInjection", "faultInjection")
	if d := f.Sub("faultInjection.delay", "delay"); d.Node.Present() {
		h.Faults = append(h.Faults, model.Fault{Kind: "delay", At: d.At, Delay: d.Duration("fixedDelay"), Share: d.Share("percentage", true)})
	}
	if a := f.Sub("faultInjection.abort", "abort"); a.Node.Present() {
		h.Faults = append(h.Faults, model.Fault{Kind: "abort", At: a.At, Share: a.Share("percentage", true)})
	}
}

// clientPolicy adds the service of a ClientTrafficPolicy.
func clientPolicy(o kube.Object, s field.Section) {
	http := s.Sub("client.http", "timeout", "http")
	http.Known("requestReceivedTimeout", "requestHeadersReceivedTimeout", "idleTimeout", "streamIdleTimeout")
	c := s.Sub("client.connection", "connection")
	svc := &model.Service{Name: o.Title() + " for " + target(o), At: s.At}
	svc.Listen.Body = field.ZeroIsNone(http.Duration("requestReceivedTimeout"))
	if http.Field("requestHeadersReceivedTimeout").Present() {
		svc.Listen.Header = field.ZeroIsNone(http.Duration("requestHeadersReceivedTimeout"))
	}
	svc.Listen.Idle = field.ZeroIsNone(http.Duration("idleTimeout"))
	svc.Listen.GapRead = field.ZeroIsNone(http.Duration("streamIdleTimeout"))
	limit := c.Sub("client.connectionLimit", "connectionLimit")
	if limit.Field("value").Present() {
		svc.Listen.MaxConnections = limit.Count("value")
	}
	if limit.Field("maxRequestsPerConnection").Present() {
		svc.Listen.KeepRequests = limit.Count("maxRequestsPerConnection")
	}
	s.Service(svc)
}
