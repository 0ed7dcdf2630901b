package linkerd

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

// known are the annotations that are read, by their prefix.
var known = map[string][]string{
	"retry.linkerd.io/":    {"http", "grpc", "limit", "timeout"},
	"timeout.linkerd.io/":  {"request", "response", "idle"},
	"balancer.linkerd.io/": {"failure-accrual", "failure-accrual-consecutive-max-failures", "failure-accrual-consecutive-min-penalty", "failure-accrual-consecutive-max-penalty", "failure-accrual-consecutive-jitter-ratio"},
}

// annotated reports whether a service or a route has annotations that are read.
func annotated(o kube.Object) bool {
	for key := range o.Annotations.Fields() {
		for prefix := range known {
			if strings.HasPrefix(key, prefix) {
				return true
			}
		}
	}
	return false
}

// annotations adds the hop that a resource's annotations set.
func annotations(r *field.Reader, o kube.Object) {
	s := r.Section("annotation", o.Annotations, o.At())
	unknown(s)
	h := &model.Hop{
		Name: o.Title(), To: o.Name, Layer: model.Sidecar, At: s.At, Total: field.ZeroIsNone(s.Duration("timeout.linkerd.io/request")),
		Backoff: model.Backoff{None: true}, Extra: map[string]model.Value{},
	}
	if s.Field("timeout.linkerd.io/idle").Present() {
		h.GapRead = field.ZeroIsNone(s.Duration("timeout.linkerd.io/idle"))
	}
	if s.Field("timeout.linkerd.io/response").Present() {
		h.Extra["timeout.linkerd.io/response"] = field.ZeroIsNone(s.Duration("timeout.linkerd.io/response"))
	}
	retries(s, h)
	accrual(s, h)
	if p, ok := profileOf(r, o); ok {
		for _, v := range []model.Value{h.Total, h.Retry.Written} {
			if v.IsSet() {
				h.Doubles = append(h.Doubles, [2]model.Value{p, v})
			}
		}
	}
	r.Hop(h)
}

// unknown notes annotations of Linkerd's that are nearly ones that are read.
func unknown(s field.Section) {
	for prefix, names := range known {
		var all []string
		for _, n := range names {
			all = append(all, prefix+n)
		}
		only := &tree.Node{Kind: tree.Map}
		for key, n := range s.Node.Fields() {
			if strings.HasPrefix(key, prefix) {
				only.Children = append(only.Children, n)
			}
		}
		if len(only.Children) > 0 {
			part := s
			part.Node = only
			part.Known(all...)
		}
	}
}

func retries(s field.Section, h *model.Hop) {
	http, grpc := s.Field("retry.linkerd.io/http"), s.Field("retry.linkerd.io/grpc")
	if !http.Present() && !grpc.Present() {
		h.Retry = field.NoRetry(s.At, "neither retry.linkerd.io/http nor retry.linkerd.io/grpc is set: Linkerd tries once")
		return
	}
	field.Tries(&h.Retry, s.Count("retry.linkerd.io/limit"))
	if s.Field("retry.linkerd.io/timeout").Present() {
		h.PerTry = field.ZeroIsNone(s.Duration("retry.linkerd.io/timeout"))
	} else {
		h.PerTry = field.WholeCall("retry.linkerd.io/timeout", h.Total, s.At)
	}
	for _, n := range []*tree.Node{http, grpc} {
		if n.Present() {
			h.Retry.On = append(h.Retry.On, conditions(s, n)...)
		}
	}
	h.Retry.AllMethods = s.Default("all_methods")
	h.Budget = model.Budget{Scope: model.ScopeUnknown}
}

// conditions reads 5xx, gateway-error, codes and ranges of codes.
func conditions(s field.Section, n *tree.Node) []model.Condition {
	var out []model.Condition
	for _, w := range strings.Split(n.String(), ",") {
		w = strings.TrimSpace(w)
		first, _, _ := strings.Cut(w, "-")
		c, ok := field.Condition(w, n.At)
		if !ok {
			c, ok = field.Condition(first, n.At)
			c.Word = w
		}
		if ok {
			out = append(out, c)
		} else if n.Hole == nil && w != "" {
			s.Ignored(n.At, "", "%s: Linkerd knows no %q", n.Key, w)
		}
	}
	return out
}

// accrual reads the breaker.
func accrual(s field.Section, h *model.Hop) {
	if !s.Field("balancer.linkerd.io/failure-accrual").Is("consecutive") {
		return
	}
	h.Breaker = model.Breaker{
		Errors: s.Count("balancer.linkerd.io/failure-accrual-consecutive-max-failures"),
		Open:   s.Duration("balancer.linkerd.io/failure-accrual-consecutive-min-penalty"),
	}
	h.Extra["failure-accrual-consecutive-max-penalty"] = s.Duration("balancer.linkerd.io/failure-accrual-consecutive-max-penalty")
}
