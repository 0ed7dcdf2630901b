package envoy

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

// Reader reads Envoy's configuration.
var Reader = read.Object{
	Name:      "envoy",
	Gate:      []string{"static_resources", "staticResources", "type.googleapis.com/envoy."},
	Recognise: recognise,
	Read:      readFile,
}

func recognise(_ string, root *tree.Node) bool {
	if static(root) != nil {
		return true
	}
	for r := range root.Get("resources").Items() {
		if strings.Contains(typeOf(r), "envoy.") {
			return true
		}
	}
	return false
}

// static returns the static resources of a bootstrap.
func static(root *tree.Node) *tree.Node {
	n := root.Get("static_resources")
	if n == nil {
		n = root.Get("staticResources")
	}
	if n == nil || n.Kind != tree.Map {
		return nil
	}
	return n
}

// typeOf is the type of a typed object.
func typeOf(n *tree.Node) string { return n.Get("@type").String() }

// file is one bootstrap on its way to a document.
type file struct {
	*field.Reader
	clusters map[string]*cluster
	order    []*cluster
}

func readFile(in *read.Input, root *tree.Node) []*model.Document {
	r := field.New(in, root, "envoy", "envoy", "Envoy", field.Proto)
	r.Camel, r.Structs = true, true
	f := &file{Reader: r, clusters: map[string]*cluster{}}
	var clusters, listeners, routes []*tree.Node
	if n := static(root); n != nil {
		s := f.Section("static_resources", n, root.At)
		clusters, listeners = items(s.Field("clusters")), items(s.Field("listeners"))
	}
	for n := range root.Get("resources").Items() {
		switch t := typeOf(n); {
		case strings.HasSuffix(t, ".Cluster"):
			clusters = append(clusters, n)
		case strings.HasSuffix(t, ".Listener"):
			listeners = append(listeners, n)
		case strings.HasSuffix(t, ".RouteConfiguration"):
			routes = append(routes, n)
		}
	}
	for _, n := range clusters {
		f.cluster(n)
	}
	for _, n := range listeners {
		f.listener(n)
	}
	for _, n := range routes {
		f.routes(n, &manager{})
	}
	for _, c := range f.order {
		f.clusterHop(c)
	}
	return f.Documents()
}

func items(n *tree.Node) []*tree.Node {
	var out []*tree.Node
	for c := range n.Items() {
		if c.Kind == tree.Map {
			out = append(out, c)
		}
	}
	return out
}
