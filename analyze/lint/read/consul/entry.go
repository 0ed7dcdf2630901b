package consul

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

func maps(n *tree.Node) []*tree.Node {
	var out []*tree.Node
	for c := range n.Items() {
		if c.Kind == tree.Map {
			out = append(out, c)
		}
	}
	return out
}

var destinationKeys = []string{
	"service", "serviceSubset", "namespace", "partition", "prefixRewrite", "requestTimeout", "idleTimeout", "numRetries",
	"retryOnConnectFailure", "retryOnStatusCodes", "retryOn", "requestHeaders", "responseHeaders",
}

// router adds a hop for each route of a service-router.
func router(e entry, o object) {
	for i, n := range maps(o.get("routes")) {
		route := object{o.Section.Section("route", n, n.At)}
		d := route.sub("destination", "destination")
		d.known(destinationKeys...)
		to := d.get("service").String()
		if to == "" {
			to = e.name
		}
		h := &model.Hop{Layer: model.Sidecar, At: n.At, To: to, Match: match(route), Name: fmt.Sprintf("service-router %s route %d", e.name, i+1)}
		h.Total = zeroIsDefault(d, "requestTimeout", h)
		if d.get("idleTimeout").Present() {
			h.GapRead = d.duration("idleTimeout")
		}
		retries(d, h)
		if methods := route.sub("match", "match").sub("http", "http").get("methods"); methods.Present() && h.Retry.Retries() {
			h.Retry.AllMethods = model.Value{}
			for m := range methods.Items() {
				h.Retry.Methods = append(h.Retry.Methods, model.Method{Name: m.String(), At: m.At})
			}
		}
		o.Hop(h)
	}
}

// match writes which paths a route takes.
func match(route object) string {
	http := route.sub("match", "match").sub("http", "http")
	for _, key := range []string{"pathExact", "pathPrefix", "pathRegex"} {
		if text := http.get(key).String(); text != "" {
			return text
		}
	}
	return ""
}

// zeroIsDefault is a limit that a 0 does not set; the 0 is kept beside.
func zeroIsDefault(o object, key string, h *model.Hop) model.Value {
	v := o.duration(key)
	if !v.IsSet() || v.Amount != 0 {
		return v
	}
	if h.Extra == nil {
		h.Extra = map[string]model.Value{}
	}
	h.Extra["zero "+key] = v
	return o.Default(key)
}

// retries reads retries of a route or a filter; naming any cause switches them on.
func retries(o object, h *model.Hop) {
	number := o.get("numRetries")
	var on []model.Condition
	if n := o.get("retryOnConnectFailure"); n.Is("true") {
		on = append(on, model.Condition{Cause: model.ConnectFailure, Word: "retryOnConnectFailure", At: n.At})
	}
	for _, key := range []string{"retryOn", "retryOnStatusCodes"} {
		for n := range o.get(key).Items() {
			c, ok := field.Condition(strings.TrimSpace(n.String()), n.At)
			if ok {
				on = append(on, c)
			} else if n.Hole == nil {
				o.Ignored(n.At, "", "%s: Envoy knows no %q", key, n.String())
			}
		}
	}
	if !number.Present() && len(on) == 0 {
		h.Retry = field.NoRetry(o.At, "no retries are set: Consul's proxy tries once")
		return
	}
	written := o.count("numRetries")
	if !number.Present() {
		written = o.Section.Section("retry", nil, o.At).Default("numRetries")
	}
	field.Tries(&h.Retry, written)
	h.Retry.On = on
	if !h.Retry.Retries() && !written.IsHole() {
		return
	}
	fixed := o.Section.Section("retry", nil, o.At)
	h.Retry.AllMethods = fixed.Default("all_methods")
	h.Backoff = field.Backoff(fixed, "baseInterval", "")
	h.Caps.Retries = fixed.Default("max_retries")
	h.PerTry = field.WholeCall("perTryTimeout", h.Total, o.At)
	h.Budget = model.Budget{Scope: model.PerCluster}
}

// resolver adds the hop of a service-resolver, and where its failover leads.
func resolver(e entry, o object) {
	o.known("kind", "name", "namespace", "partition", "meta", "defaultSubset", "subsets", "redirect", "failover", "connectTimeout", "requestTimeout", "loadBalancer", "prioritizeByLocality")
	h := &model.Hop{Name: "service-resolver " + e.name, To: e.name, Layer: model.Sidecar, At: e.at, Extra: map[string]model.Value{}}
	h.Connect = zeroIsDefault(o, "connectTimeout", h)
	if o.get("requestTimeout").Present() {
		h.Total = zeroIsDefault(o, "requestTimeout", h)
	}
	for _, n := range o.get("failover").Fields() {
		targets := 0
		for _, key := range []string{"datacenters", "targets"} {
			for range loose(n, key).Items() {
				targets++
			}
		}
		if targets == 0 && loose(n, "service").Present() {
			targets = 1
		}
		if targets > 0 && !h.Extra["failover"].Present() {
			h.Extra["failover"] = model.Value{Key: "failover", Raw: n.Key, Unit: model.Count, Amount: float64(targets), Origin: model.Set, At: n.KeyAt}
		}
	}
	o.Hop(h)
}

// serviceDefaults adds the hops of a service's upstream settings, and the service's own
// limits.
func serviceDefaults(e entry, o object) {
	upstreams := o.sub("upstreamConfig", "upstreamConfig")
	if d := upstreams.sub("upstream", "defaults"); d.Node.Present() {
		upstream("service-defaults "+e.name+" upstreams", "", d)
	}
	for _, n := range maps(upstreams.get("overrides")) {
		u := object{o.Section.Section("upstream", n, n.At)}
		upstream("service-defaults "+e.name+" upstream "+u.get("name").String(), u.get("name").String(), u)
	}
	svc := &model.Service{Name: "service-defaults " + e.name, At: e.at}
	if o.get("maxInboundConnections").Present() {
		svc.Listen.MaxConnections = field.ZeroIsNone(o.count("maxInboundConnections"))
	}
	if o.get("localRequestTimeoutMs").Present() {
		svc.Exec.Total = field.ZeroIsNone(millis(o).duration("localRequestTimeoutMs"))
	}
	if svc.Listen.MaxConnections.Present() || svc.Exec.Total.Present() {
		o.Service(svc)
	}
}

// millis reads numbers without a unit as milliseconds.
func millis(o object) object {
	r := *o.Reader
	r.Style = field.Millis
	o.Reader = &r
	return o
}

func upstream(name, to string, u object) {
	u.known("name", "namespace", "partition", "peer", "envoyListenerJSON", "envoyClusterJSON", "protocol", "connectTimeoutMs", "limits", "passiveHealthCheck", "meshGateway", "balanceOutboundConnections")
	h := &model.Hop{Name: name, To: to, Layer: model.Sidecar, At: u.At}
	h.Connect = zeroIsDefault(millis(u), "connectTimeoutMs", h)
	limits := u.sub("limits", "limits")
	h.Caps = model.Caps{
		Connections: limits.count("maxConnections"), Pending: limits.count("maxPendingRequests"), Requests: limits.count("maxConcurrentRequests"),
	}
	if p := u.sub("passiveHealthCheck", "passiveHealthCheck"); p.Node.Present() {
		h.Breaker = model.Breaker{Errors: p.count("maxFailures"), Window: p.duration("interval"), Open: p.duration("baseEjectionTime")}
		if n := p.get("maxEjectionPercent"); n.Present() {
			h.Breaker.MaxEjected = p.In.Share(n, "maxEjectionPercent", true)
		} else {
			h.Breaker.MaxEjected = p.Default("maxEjectionPercent")
		}
	}
	u.Hop(h)
}
