package linkerd

import (
	"math"
	"regexp"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

const profileGroup = "linkerd.io"

// Reader reads ServiceProfiles and annotations of Linkerd 2.
var Reader = read.Object{
	Name: "linkerd", Gate: []string{"linkerd.io/"},
	Recognise: func(_ string, root *tree.Node) bool {
		for _, o := range kube.All(root) {
			if isProfile(o) || annotated(o) {
				return true
			}
		}
		return false
	},
	Read: readLinkerd,
}

func isProfile(o kube.Object) bool { return o.Group == profileGroup && o.Kind == "ServiceProfile" }

func readLinkerd(in *read.Input, root *tree.Node) []*model.Document {
	r := field.New(in, root, "linkerd", "linkerd", "Linkerd", field.Go)
	for _, o := range kube.All(root) {
		switch {
		case isProfile(o):
			profile(r, o)
		case annotated(o):
			annotations(r, o)
		}
	}
	return r.Documents()
}

// profile adds a hop for each route of a ServiceProfile.
func profile(r *field.Reader, o kube.Object) {
	s := r.Section("profile", o.Spec, o.At())
	s.Known("routes", "retryBudget", "dstOverrides", "opaquePorts")
	budget := profileBudget(s)
	for _, n := range maps(s.Field("routes")) {
		route := r.Section("route", n, n.At)
		route.At = n.At
		route.Known("name", "condition", "timeout", "isRetryable", "responseClasses")
		h := &model.Hop{
			Name: o.Title() + " route " + n.Get("name").String(), To: o.Name, Layer: model.Sidecar, At: route.At,
			Match:   strings.TrimSpace(condition(n.Get("condition"), "method").String() + " " + condition(n.Get("condition"), "pathRegex").String()),
			Total:   field.ZeroIsNone(route.Duration("timeout")),
			Backoff: model.Backoff{None: true},
		}
		if route.Flag("isRetryable").On() {
			h.Retry = byBudget(route.Flag("isRetryable"))
			h.Retry.On = []model.Condition{{Cause: model.ServerFault, Word: "isRetryable", At: h.Retry.Written.At}}
			h.Retry.Methods = methods(n)
			h.Budget = budget
		} else {
			h.Retry = field.NoRetry(h.At, "isRetryable is not set: Linkerd tries once")
		}
		r.Hop(h)
	}
}

// byBudget is a retry whose number nothing but the budget bounds.
func byBudget(written model.Value) model.Retry {
	tries := model.Of(model.Count, math.Inf(1), "as many as the budget allows")
	tries.Key, tries.At = written.Key, written.At
	return model.Retry{Tries: tries, Written: written, Dialect: model.ExtraTries}
}

func profileBudget(s field.Section) model.Budget {
	b := s.Sub("retryBudget", "retryBudget")
	b.Known("retryRatio", "minRetriesPerSecond", "ttl")
	out := model.Budget{Scope: model.PerService, Supported: true, Ratio: b.Share("retryRatio", false), Window: b.Duration("ttl")}
	out.Floor = b.Count("minRetriesPerSecond")
	out.Floor.Unit = model.PerSecond
	return out
}

// rpc is a path of gRPC, as a profile writes it: /package\.Service/Method.
var rpc = regexp.MustCompile(`^/[A-Za-z0-9_\\.]+\.[A-Za-z0-9_]+/([A-Za-z0-9_]+)$`)

// methods are what a route calls: a call of gRPC by its own name, since all of them
// are POST, otherwise the method and the path.
func methods(route *tree.Node) []model.Method {
	path, method := condition(route.Get("condition"), "pathRegex"), condition(route.Get("condition"), "method")
	if m := rpc.FindStringSubmatch(path.String()); m != nil {
		return []model.Method{{Name: m[1], At: path.At}}
	}
	var out []model.Method
	for _, n := range []*tree.Node{method, path} {
		if n.String() != "" {
			out = append(out, model.Method{Name: n.Text, At: n.At})
		}
	}
	return out
}

// condition finds what a route's condition asks of a key, in it or in all of several.
func condition(c *tree.Node, key string) *tree.Node {
	if n := c.Get(key); n.Present() {
		return n
	}
	for part := range c.Get("all").Items() {
		if n := part.Get(key); n.Present() {
			return n
		}
	}
	return nil
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

// profileOf returns the timeout that a ServiceProfile in the same file sets for a
// service, on any route, or its kind if it sets none; Linkerd then ignores the
// service's annotations.
func profileOf(r *field.Reader, o kube.Object) (model.Value, bool) {
	all := r.In.Memo("linkerd profiles", func() any { return profiles(r.In.Roots) }).(map[string]kube.Object)
	p, ok := all[o.Name+"."+namespace(o)]
	if !ok {
		return model.Value{}, false
	}
	for _, n := range maps(p.Spec.Get("routes")) {
		if t := n.Get("timeout"); t.Present() {
			quiet := field.New(r.In, p.Node, "linkerd", "linkerd", "Linkerd", field.Go)
			return quiet.DurationOf(t, "timeout"), true
		}
	}
	return r.In.Text(p.Node.Get("kind"), "kind"), true
}

// profiles are the ServiceProfiles of a file by the service's name and namespace.
func profiles(roots []*tree.Node) map[string]kube.Object {
	out := map[string]kube.Object{}
	for _, o := range kube.Of(roots, profileGroup) {
		parts := strings.Split(o.Name, ".")
		if isProfile(o) && len(parts) > 1 {
			out[parts[0]+"."+parts[1]] = o
		}
	}
	return out
}

// namespace is the one that a resource is in, as far as the file tells.
func namespace(o kube.Object) string {
	if o.Namespace == "" {
		return "default"
	}
	return o.Namespace
}
