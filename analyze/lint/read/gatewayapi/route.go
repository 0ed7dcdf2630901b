package gatewayapi

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

var (
	routeGroups = []string{"gateway.networking.k8s.io", "policy.linkerd.io"}
	extensions  = "gateway.networking.x-k8s.io"
)

// Reader reads HTTPRoutes and GRPCRoutes.
var Reader = read.Object{
	Name: "gateway-api", Gate: routeGroups,
	Recognise: func(_ string, root *tree.Node) bool { return len(routes(root)) > 0 },
	Read:      readRoutes,
}

func routes(root *tree.Node) []kube.Object {
	var out []kube.Object
	for _, o := range kube.Objects(root, routeGroups...) {
		if o.Kind == "HTTPRoute" || o.Kind == "GRPCRoute" {
			out = append(out, o)
		}
	}
	return out
}

func readRoutes(in *read.Input, root *tree.Node) []*model.Document {
	r := field.New(in, root, "gateway-api", "gateway-api", "the Gateway API", field.Gateway)
	beside := in.Memo("gateway-api constraints", func() any { return constraints(in.Roots) }).(map[string]kube.Object)
	for _, o := range routes(root) {
		for i, n := range maps(o.Spec.Get("rules")) {
			s := r.Section("rule", n, n.At)
			s.At = n.At
			if o.Kind == "GRPCRoute" {
				grpcRule(s)
				continue
			}
			s.Known("name", "matches", "filters", "backendRefs", "timeouts", "retry", "sessionPersistence")
			httpRule(o, s, i, beside)
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

// grpcRule notes settings that a GRPCRoute does not have.
func grpcRule(s field.Section) {
	for _, key := range []string{"timeouts", "retry"} {
		if n := s.Field(key); n.Present() {
			s.Reject(n.KeyAt, "", "a GRPCRoute has no %s", key)
		}
	}
}

// httpRule adds the hop of one rule that limits or retries anything.
func httpRule(o kube.Object, s field.Section, index int, beside map[string]kube.Object) {
	timeouts, retry := s.Sub("timeouts", "timeouts"), s.Sub("retry", "retry")
	timeouts.Known("request", "backendRequest")
	if !timeouts.Node.Present() && !retry.Node.Present() {
		return
	}
	h := &model.Hop{Layer: model.Gateway, At: s.At, Match: match(s), To: backends(s)}
	h.Name = o.Title() + " " + h.Match
	if name := s.Field("name").String(); name != "" {
		h.Name = o.Title() + " rule " + name
	} else if h.Match == "" {
		h.Name = fmt.Sprintf("%s rule %d", o.Title(), index+1)
	}
	h.Total = field.ZeroIsNone(timeouts.Duration("request"))
	if timeouts.Field("backendRequest").Present() {
		h.PerTry = field.ZeroIsNone(timeouts.Duration("backendRequest"))
	} else if retry.Node.Present() && h.Total.Finite() {
		h.PerTry = field.WholeCall("backendRequest", h.Total, timeouts.At)
	}
	if h.PerTry.IsSet() && h.Total.IsSet() && h.Total.Finite() && h.PerTry.Amount > h.Total.Amount {
		s.Reject(h.PerTry.At, "backendRequest: "+h.Total.Raw, "backendRequest %s is over request %s", h.PerTry.Raw, h.Total.Raw)
	}
	if retry.Node.Present() {
		retries(s, retry, h, beside)
	}
	s.Hop(h)
}

func retries(s, retry field.Section, h *model.Hop, beside map[string]kube.Object) {
	retry.Known("codes", "attempts", "backoff")
	field.Tries(&h.Retry, retry.Count("attempts"))
	h.Retry.On = []model.Condition{{Cause: model.ConnectFailure, Word: "connection errors", At: retry.At, Default: true}}
	for c := range retry.Field("codes").Items() {
		if cond, ok := field.Condition(c.String(), c.At); ok {
			h.Retry.On = append(h.Retry.On, cond)
		}
	}
	if h.Retry.Methods = methods(s); h.Retry.Methods == nil {
		h.Retry.AllMethods = retry.Default("all_methods")
	}
	h.Backoff.Base = retry.Duration("backoff")
	h.Budget = constraint(s, h.To, beside)
}

// constraints are the XBackendTrafficPolicies of a file by the names of their targets.
func constraints(roots []*tree.Node) map[string]kube.Object {
	out := map[string]kube.Object{}
	for _, o := range kube.Of(roots, extensions) {
		for ref := range o.Spec.Get("targetRefs").Items() {
			if name := ref.Get("name").String(); name != "" && o.Kind == "XBackendTrafficPolicy" {
				out[name] = o
			}
		}
	}
	return out
}

// constraint is the budget that an XBackendTrafficPolicy in the same file sets for the
// first backend that has one.
func constraint(s field.Section, to string, beside map[string]kube.Object) model.Budget {
	out := model.Budget{Scope: model.PerService, Supported: true}
	for _, name := range strings.Split(to, ", ") {
		o, ok := beside[name]
		if !ok {
			continue
		}
		quiet := field.New(s.In, o.Node, "gateway-api", "gateway-api", "the Gateway API", field.Gateway)
		c := quiet.Section("retryConstraint", o.Spec.Get("retryConstraint"), o.At())
		b := c.Sub("retryConstraint.budget", "budget")
		out.Ratio, out.Window = b.Share("percent", true), b.Duration("interval")
		out.Floor = floor(c.Sub("retryConstraint.minRetryRate", "minRetryRate"))
		return out
	}
	return out
}

// floor is a rate that is written as a count in an interval.
func floor(s field.Section) model.Value {
	count, every := s.Count("count"), s.Duration("interval")
	if !count.Finite() || !every.Finite() || every.Amount <= 0 {
		return model.Value{Key: "minRetryRate"}
	}
	v := model.Of(model.PerSecond, count.Amount/every.Amount, "count / interval")
	v.Key, v.At = "minRetryRate", s.At
	return v
}

func backends(s field.Section) string {
	var out []string
	for b := range s.Field("backendRefs").Items() {
		if name := b.Get("name").String(); name != "" {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

func match(s field.Section) string {
	var out []string
	for m := range s.Field("matches").Items() {
		text := strings.TrimSpace(m.Get("method").String() + " " + m.Get("path", "value").String())
		if text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ")
}

// methods are the methods that all matches of a rule name, nil for all.
func methods(s field.Section) []model.Method {
	var out []model.Method
	for m := range s.Field("matches").Items() {
		n := m.Get("method")
		if n.String() == "" {
			return nil
		}
		out = append(out, model.Method{Name: n.Text, At: n.At})
	}
	return out
}
