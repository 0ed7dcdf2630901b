package kong

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

const (
	group  = "configuration.konghq.com"
	prefix = "konghq.com/"
)

// Reader reads declarative files and Kong's resources and annotations.
var Reader = read.Object{
	Name: "kong", Gate: []string{"_format_version", "konghq.com", "connect_timeout", "read_timeout", "write_timeout"},
	Recognise: func(_ string, root *tree.Node) bool { return declarative(root) || len(resources(root)) > 0 },
	Read:      readKong,
}

var limits = []string{"retries", "connect_timeout", "read_timeout", "write_timeout"}

// declarative reports whether a document is a declarative file: it says so, or has a
// list of services with Kong's own limits.
func declarative(root *tree.Node) bool {
	services := root.Get("services")
	if root.Get("_format_version").Present() {
		return services.Present() || root.Get("upstreams").Present()
	}
	if services == nil || services.Kind != tree.List {
		return false
	}
	for _, s := range maps(services) {
		for _, key := range limits {
			if key != "retries" && s.Get(key).Present() {
				return true
			}
		}
	}
	return false
}

// resources are the KongIngresses of a document and what has Kong's annotations.
func resources(root *tree.Node) []kube.Object {
	var out []kube.Object
	for _, o := range kube.All(root) {
		if o.Group == group && (o.Kind == "KongIngress" || o.Kind == "KongUpstreamPolicy") || annotated(o) {
			out = append(out, o)
		}
	}
	return out
}

var annotationKeys = []string{"retries", "connect-timeout", "read-timeout", "write-timeout"}

func annotated(o kube.Object) bool {
	for _, key := range annotationKeys {
		if o.Annotations.Get(prefix + key).Present() {
			return true
		}
	}
	return false
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

func readKong(in *read.Input, root *tree.Node) []*model.Document {
	r := field.New(in, root, "kong", "kong", "Kong", field.Millis)
	if declarative(root) {
		for _, n := range maps(root.Get("services")) {
			s := r.Section("service", n, n.At)
			s.At = n.At
			s.Known(serviceKeys...)
			service(s, "service "+n.Get("name").String(), target(n))
		}
		for _, n := range maps(root.Get("upstreams")) {
			upstream(r.Section("upstream", n, n.At), "upstream "+n.Get("name").String(), n.Get("name").String())
		}
	}
	for _, o := range resources(root) {
		resource(r, o)
	}
	return r.Documents()
}

var serviceKeys = []string{
	"name", "id", "url", "protocol", "host", "port", "path", "retries", "connect_timeout", "write_timeout", "read_timeout", "tags",
	"client_certificate", "tls_verify", "tls_verify_depth", "tls_sans", "ca_certificates", "enabled", "routes", "plugins", "created_at", "updated_at",
}

// target is what a service sends to.
func target(n *tree.Node) string {
	if h := n.Get("host").String(); h != "" {
		return h
	}
	url := n.Get("url").String()
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url, _, _ = strings.Cut(rest, "/")
	}
	return url
}

// service adds the hop of a service's limits, under keys as the declarative file has
// them.
func service(s field.Section, name, to string) {
	h := &model.Hop{
		Name: name, To: to, Layer: model.Gateway, At: s.At, Connect: s.Duration("connect_timeout"), GapRead: s.Duration("read_timeout"),
		GapSend: s.Duration("write_timeout"), Total: s.Default("total"), Backoff: model.Backoff{None: true},
	}
	for _, v := range []model.Value{h.Connect, h.GapRead, h.GapSend} {
		if v.IsSet() && v.Amount <= 0 {
			s.Reject(v.At, v.Key+": 60000", "%s: expected at least 1 ms, found %s", v.Key, v.Raw)
		}
	}
	field.Tries(&h.Retry, s.Count("retries"))
	h.Retry.On = []model.Condition{
		{Cause: model.ConnectFailure, Word: "error", At: h.Retry.Written.At, Default: true},
		{Cause: model.TimedOut, Word: "timeout", At: h.Retry.Written.At, Default: true},
	}
	s.Hop(h)
}

// resource adds what a KongIngress or annotations set.
func resource(r *field.Reader, o kube.Object) {
	switch {
	case o.Kind == "KongIngress" && o.Group == group:
		if p := r.Section("service", o.Node.Get("proxy"), o.At()); p.Node.Present() {
			p.Known(append([]string{"protocol", "path"}, limits...)...)
			service(p, o.Title(), o.Name)
		}
		if u := r.Section("upstream", o.Node.Get("upstream"), o.At()); u.Node.Present() {
			upstream(u, o.Title(), o.Name)
		}
	case o.Group == group:
		upstream(r.Section("upstream", o.Spec, o.At()), o.Title(), o.Name)
	default:
		own := &tree.Node{Kind: tree.Map, At: o.Annotations.At, KeyAt: o.Annotations.KeyAt}
		for _, key := range annotationKeys {
			if n := o.Annotations.Get(prefix + key); n.Present() {
				c := *n
				c.Key = strings.ReplaceAll(key, "-", "_")
				own.Children = append(own.Children, &c)
			}
		}
		service(r.Section("service", own, o.At()), o.Title(), o.Name)
	}
}
