package kube

import (
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

// Object is one resource.
type Object struct {
	// Group is the API's group without its version, such as networking.istio.io.
	Group, Kind     string
	Name, Namespace string
	// Annotations and Spec are nil where the resource has none.
	Annotations, Spec *tree.Node
	Node              *tree.Node
}

// At is where the resource begins.
func (o Object) At() model.Position { return o.Node.At }

// Title is the resource as reports call it.
func (o Object) Title() string { return o.Kind + " " + o.Name }

// maxListed bounds how many resources a document is searched for.
const maxListed = 100_000

// Objects returns the resources of a document whose group is one of these.
func Objects(root *tree.Node, groups ...string) []Object {
	var out []Object
	walk(root, 0, func(o Object) {
		if len(out) < maxListed && slices.Contains(groups, o.Group) {
			out = append(out, o)
		}
	})
	return out
}

// All returns the resources of a document, of whatever group.
func All(root *tree.Node) []Object {
	var out []Object
	walk(root, 0, func(o Object) {
		if len(out) < maxListed {
			out = append(out, o)
		}
	})
	return out
}

// Of returns the resources of all documents of a file.
func Of(roots []*tree.Node, groups ...string) []Object {
	var out []Object
	for _, root := range roots {
		out = append(out, Objects(root, groups...)...)
	}
	return out
}

// Has reports whether a document has a resource of one of these groups.
func Has(root *tree.Node, groups ...string) bool { return len(Objects(root, groups...)) > 0 }

// walk visits the resource that a node is, or those in its lists.
func walk(n *tree.Node, depth int, visit func(Object)) {
	if n == nil || depth > 3 {
		return
	}
	if kind := n.Get("kind"); kind.String() != "" && n.Get("apiVersion").String() != "" {
		if n.Get("items") != nil && strings.HasSuffix(kind.String(), "List") {
			walk(n.Get("items"), depth+1, visit)
			return
		}
		visit(object(n))
		return
	}
	for _, c := range n.Children {
		if c.Kind == tree.List || n.Kind == tree.List && c.Kind == tree.Map {
			walk(c, depth+1, visit)
		}
	}
}

func object(n *tree.Node) Object {
	group, _, ok := strings.Cut(n.Get("apiVersion").String(), "/")
	if !ok {
		group = ""
	}
	meta := n.Get("metadata")
	return Object{
		Group: group, Kind: n.Get("kind").String(), Name: field.Label(meta.Get("name")), Namespace: field.Label(meta.Get("namespace")),
		Annotations: meta.Get("annotations"), Spec: n.Get("spec"), Node: n,
	}
}
