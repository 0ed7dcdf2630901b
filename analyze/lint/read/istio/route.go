package istio

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

var routeKeys = []string{
	"name", "match", "route", "redirect", "directResponse", "delegate", "rewrite", "timeout", "retries", "fault", "mirror", "mirrors",
	"mirrorPercent", "mirror_percent", "mirrorPercentage", "corsPolicy", "headers", "appendHeaders", "removeResponseHeaders", "websocketUpgrade",
}

func (f *file) virtualService(o kube.Object) {
	layer := model.Sidecar
	for g := range o.Spec.Get("gateways").Items() {
		if !g.Is("mesh") {
			layer = model.Gateway
		}
	}
	for _, n := range maps(o.Spec.Get("http")) {
		s := f.Section("http", n, n.At)
		s.At = n.At
		s.Known(routeKeys...)
		if s.Field("redirect").Present() || s.Field("directResponse").Present() || s.Field("delegate").Present() && !s.Field("route").Present() {
			continue
		}
		f.route(o, s, layer)
	}
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

// route adds the hop of one route of HTTP.
func (f *file) route(o kube.Object, s field.Section, layer model.Layer) {
	h := &model.Hop{
		From: firstText(o.Spec.Get("hosts")), Layer: layer, At: s.At, Match: match(s), Extra: map[string]model.Value{},
		Total: field.ZeroIsNone(s.Duration("timeout")), CancelsWork: s.Default("cancels_work"),
	}
	h.Name = name(o, s, h.Match)
	var hosts []string
	for r := range s.Field("route").Items() {
		if host := field.Label(r.Get("destination", "host")); host != "" {
			hosts = append(hosts, host)
		}
	}
	h.To = strings.Join(hosts, ", ")
	h.Streams = s.Field("websocketUpgrade").Is("true")
	f.retries(o, s, h)
	f.faults(s, h)
	f.Hop(h)
}

func firstText(n *tree.Node) string {
	for c := range n.Items() {
		return field.Label(c)
	}
	return ""
}

// name tells the routes of a VirtualService apart by their own names or by what they
// take.
func name(o kube.Object, s field.Section, match string) string {
	out := o.Title()
	switch n := s.Field("name").String(); {
	case n != "":
		return out + " route " + n
	case match != "":
		return out + " " + match
	case len(o.Spec.Get("http").Children) > 1:
		for i, c := range o.Spec.Get("http").Children {
			if c == s.Node {
				return fmt.Sprintf("%s route %d", out, i+1)
			}
		}
	}
	return out
}

// match writes which requests a route takes.
func match(s field.Section) string {
	var out []string
	for m := range s.Field("match").Items() {
		text := m.Get("method", "exact").String()
		for _, kind := range []string{"exact", "prefix", "regex"} {
			if u := m.Get("uri", kind).String(); u != "" {
				if kind == "regex" {
					u = "~ " + u
				}
				text = strings.TrimSpace(text + " " + u)
			}
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ")
}

var retryKeys = []string{"attempts", "perTryTimeout", "retryOn", "retryRemoteLocalities", "retryIgnorePreviousHosts", "backoff"}

// retries reads a route's retries; without any, those of the mesh apply.
func (f *file) retries(o kube.Object, s field.Section, h *model.Hop) {
	p := s.Sub("retries", "retries")
	p.Known(retryKeys...)
	if p.Node.Present() && !p.Field("attempts").Present() {
		f.Ignored(p.At, "attempts: 2", "retries without attempts switch retries off")
		h.Retry = field.NoRetry(p.At, "retries without attempts: Istio tries once")
		return
	}
	h.Retry.Implicit = !p.Node.Present()
	attempts := p.Count("attempts")
	field.Tries(&h.Retry, attempts)
	if attempts.Finite() && attempts.Amount <= 0 {
		return
	}
	known, unknown := field.Conditions(p.Text("retryOn"))
	h.Retry.On = known
	for _, w := range unknown {
		f.Ignored(p.Field("retryOn").At, "", "retryOn: Envoy knows no %q", w)
	}
	h.PerTry = field.ZeroIsNone(p.Duration("perTryTimeout"))
	if !h.PerTry.Present() && h.Total.Finite() {
		h.PerTry = field.WholeCall("perTryTimeout", h.Total, p.At)
	}
	h.Retry.SameHost = p.Default("same_host")
	if n := p.Field("retryIgnorePreviousHosts"); n.Present() {
		v := p.Flag("retryIgnorePreviousHosts")
		if v.Unit == model.Flag && v.IsSet() {
			v.Amount = 1 - v.Amount
		}
		h.Retry.SameHost = v
	}
	if h.Retry.Methods = methods(s); h.Retry.Methods == nil {
		h.Retry.AllMethods = p.Default("all_methods")
	}
	h.Backoff = field.Backoff(p, "backoff", "")
	h.Budget = f.budgetOf(o, h)
}

// methods are the methods that all matches of a route name, nil for all.
func methods(s field.Section) []model.Method {
	var out []model.Method
	for m := range s.Field("match").Items() {
		exact := m.Get("method", "exact")
		if exact.String() == "" {
			return nil
		}
		out = append(out, model.Method{Name: exact.Text, At: exact.At})
	}
	return out
}

// budgetOf is the bound on retries to a route's destination: of a DestinationRule in
// the same file, or of the mesh.
func (f *file) budgetOf(o kube.Object, h *model.Hop) model.Budget {
	host, _, _ := strings.Cut(h.To, ", ")
	if rule, ok := f.rules[fullName(host, o.Namespace)]; ok {
		quiet := &file{Reader: field.New(f.In, rule.Node, "istio", "istio", "Istio", field.Go)}
		policy := quiet.Section("trafficPolicy", rule.Spec.Get("trafficPolicy"), rule.At())
		budget, _, _ := quiet.budget(policy)
		return budget
	}
	none := f.Section("http_pool", nil, h.At)
	return model.Budget{Scope: model.PerCluster, Supported: true, Concurrent: none.Default("maxRetries")}
}

// faults reads faults that are injected on purpose.
func (f *file) faults(s field.Section, h *model.Hop) {
	fault := s.Sub("fault", "fault")
	fault.Known("delay", "abort")
	if d := fault.Sub("fault.delay", "delay"); d.Node.Present() {
		d.Known("fixedDelay", "percentage", "percent", "exponentialDelay")
		h.Faults = append(h.Faults, model.Fault{Kind: "delay", At: d.At, Delay: d.Duration("fixedDelay"), Share: percentage(d)})
	}
	if a := fault.Sub("fault.abort", "abort"); a.Node.Present() {
		a.Known("httpStatus", "grpcStatus", "http2Error", "percentage", "percent")
		h.Faults = append(h.Faults, model.Fault{Kind: "abort", At: a.At, Share: percentage(a)})
	}
}

func percentage(s field.Section) model.Value {
	if p := s.Sub(s.Name, "percentage"); p.Field("value").Present() {
		v := p.Share("value", true)
		v.Key = "percentage"
		return v
	}
	return s.Share("percent", true)
}
