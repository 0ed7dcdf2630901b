package contour

import (
	"math"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

const group = "projectcontour.io"

// Reader reads HTTPProxies.
var Reader = read.Object{
	Name: "contour", Gate: []string{group},
	Recognise: func(_ string, root *tree.Node) bool { return len(proxies(root)) > 0 },
	Read:      readProxies,
}

func proxies(root *tree.Node) []kube.Object {
	var out []kube.Object
	for _, o := range kube.Objects(root, group) {
		if o.Kind == "HTTPProxy" {
			out = append(out, o)
		}
	}
	return out
}

// style is Contour's: durations as Go writes them, and words for no limit.
func style(text string) (float64, bool, string) {
	if text == "infinity" || text == "infinite" {
		return math.Inf(1), true, ""
	}
	return field.Go(text)
}

func readProxies(in *read.Input, root *tree.Node) []*model.Document {
	r := field.New(in, root, "contour", "contour", "Contour", style)
	for _, o := range proxies(root) {
		side := sideCall(r, o)
		for i, n := range maps(o.Spec.Get("routes")) {
			s := r.Section("route", n, n.At)
			s.At = n.At
			if s.Field("requestRedirectPolicy").Present() || s.Field("directResponsePolicy").Present() {
				continue
			}
			route(o, s, i, side)
		}
	}
	return r.Documents()
}

func maps(n *tree.Node) []*tree.Node {
	var out []*tree.Node
	for c := range n.Items() {
		if c.Kind == tree.Map {
			out = append(out, c)
		}
	}
	return out
}

// sideCall is the limit of external authorization, where it is set.
func sideCall(r *field.Reader, o kube.Object) []model.Value {
	a := r.Section("authorization", o.Spec.Get("virtualhost", "authorization"), o.At())
	if !a.Field("responseTimeout").Present() {
		return nil
	}
	v := a.Duration("responseTimeout")
	v.Key = "authorization responseTimeout"
	return []model.Value{v}
}

var routeKeys = []string{
	"conditions", "services", "permitInsecure", "authPolicy", "timeoutPolicy", "retryPolicy", "healthCheckPolicy", "loadBalancerPolicy",
	"pathRewritePolicy", "requestHeadersPolicy", "responseHeadersPolicy", "cookieRewritePolicies", "rateLimitPolicy", "requestRedirectPolicy",
	"directResponsePolicy", "internalRedirectPolicy", "enableWebsockets", "jwtVerificationPolicy", "ipAllowPolicy", "ipDenyPolicy", "grpcHealthCheckPolicy",
}

// route adds the hop of one route.
func route(o kube.Object, s field.Section, index int, side []model.Value) {
	s.Known(routeKeys...)
	t := s.Sub("timeoutPolicy", "timeoutPolicy")
	t.Known("response", "idle", "idleConnection")
	h := &model.Hop{
		Layer: model.Gateway, At: s.At, Match: match(s), To: services(s), SideCalls: side, Streams: s.Field("enableWebsockets").Is("true"),
	}
	h.Total = t.ZeroIsDefault("response", h)
	h.Name = o.Title() + " " + h.Match
	if h.Match == "" {
		h.Name = o.Title() + " route " + strconv.Itoa(index+1)
	}
	if t.Field("idle").Present() || h.Total.Unlimited() {
		h.GapRead = t.ZeroIsDefault("idle", h)
	}
	if t.Field("idleConnection").Present() {
		h.Idle = t.ZeroIsDefault("idleConnection", h)
	}
	retries(s, h)
	if c := s.Sub("healthCheckPolicy", "healthCheckPolicy"); c.Node.Present() {
		h.Checks = append(h.Checks, check(c))
	}
	s.Hop(h)
}

func retries(s field.Section, h *model.Hop) {
	p := s.Sub("retryPolicy", "retryPolicy")
	p.Known("count", "perTryTimeout", "retryOn", "retriableStatusCodes")
	if !p.Node.Present() {
		h.Retry = field.NoRetry(s.At, "no retryPolicy: Contour's proxy tries once")
		return
	}
	count := p.Count("count")
	switch {
	case count.IsSet() && count.Amount == 0:
		field.Tries(&h.Retry, p.Default("count"))
		h.Retry.Written = count
	case count.IsSet() && count.Amount < 0:
		field.Tries(&h.Retry, count)
		return
	default:
		field.Tries(&h.Retry, count)
	}
	causes(p, h)
	if h.PerTry = p.ZeroIsDefault("perTryTimeout", h); !h.PerTry.Present() || h.PerTry.Unlimited() {
		h.PerTry = field.WholeCall("perTryTimeout", h.Total, p.At)
	}
	h.Retry.AllMethods = p.Default("all_methods")
	h.Backoff = field.Backoff(p, "backoff", "")
	h.Budget = model.Budget{Scope: model.PerCluster, Concurrent: p.Default("max_retries")}
}

// causes reads on what a route retries. Codes need a word of their own.
func causes(p field.Section, h *model.Hop) {
	on, codes := p.Field("retryOn"), p.Field("retriableStatusCodes")
	if !on.Present() {
		h.Retry.On, _ = field.Conditions(p.Default("retryOn"))
	}
	listed := false
	for w := range on.Items() {
		listed = listed || w.Is("retriable-status-codes")
		if c, ok := field.Condition(w.String(), w.At); ok && c.Word != "retriable-status-codes" {
			h.Retry.On = append(h.Retry.On, c)
		}
	}
	if codes.Present() && !listed {
		p.Ignored(codes.At, "retryOn: [retriable-status-codes]", "retriableStatusCodes without retriable-status-codes in retryOn")
		return
	}
	for w := range codes.Items() {
		if c, ok := field.Condition(w.String(), w.At); ok {
			h.Retry.On = append(h.Retry.On, c)
		}
	}
}

// check reads a health check, whose numbers are seconds.
func check(c field.Section) model.Check {
	c.Known("path", "host", "intervalSeconds", "timeoutSeconds", "unhealthyThresholdCount", "healthyThresholdCount", "expectedStatuses")
	seconds := *c.Reader
	seconds.Style = field.WholeSeconds
	c.Reader = &seconds
	return model.Check{
		Kind: "health", At: c.At, Interval: c.Duration("intervalSeconds"), Timeout: c.Duration("timeoutSeconds"),
		Failures: c.Count("unhealthyThresholdCount"), Rises: c.Count("healthyThresholdCount"), Target: "http " + c.Field("path").String(), Serves: true,
	}
}

func match(s field.Section) string {
	var out []string
	for c := range s.Field("conditions").Items() {
		for _, kind := range []string{"prefix", "exact", "regex"} {
			if text := c.Get(kind).String(); text != "" {
				out = append(out, text)
			}
		}
	}
	return strings.Join(out, " ")
}

func services(s field.Section) string {
	var out []string
	for c := range s.Field("services").Items() {
		if name := c.Get("name").String(); name != "" {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}
