package istio

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

const group = "networking.istio.io"

// Reader reads Istio's resources for traffic.
var Reader = read.Object{
	Name:      "istio",
	Gate:      []string{group},
	Recognise: func(_ string, root *tree.Node) bool { return len(objects(root)) > 0 },
	Read:      readDocument,
}

// objects are the resources of a document that are read.
func objects(root *tree.Node) []kube.Object {
	var out []kube.Object
	for _, o := range kube.Objects(root, group) {
		if o.Kind == "VirtualService" || o.Kind == "DestinationRule" {
			out = append(out, o)
		}
	}
	return out
}

// file is one document on its way to the model.
type file struct {
	*field.Reader
	// rules are the DestinationRules of the whole file by the full names of their hosts.
	rules map[string]kube.Object
}

func readDocument(in *read.Input, root *tree.Node) []*model.Document {
	f := &file{Reader: field.New(in, root, "istio", "istio", "Istio", field.Go)}
	f.rules = in.Memo("istio rules", func() any { return rulesByHost(in.Roots) }).(map[string]kube.Object)
	for _, o := range objects(root) {
		if o.Kind == "VirtualService" {
			f.virtualService(o)
		} else {
			f.destinationRule(o)
		}
	}
	return f.Documents()
}

// rulesByHost are the DestinationRules of a file. The first for a host holds.
func rulesByHost(roots []*tree.Node) map[string]kube.Object {
	out := map[string]kube.Object{}
	for _, o := range kube.Of(roots, group) {
		host := fullName(o.Spec.Get("host").String(), o.Namespace)
		if _, ok := out[host]; !ok && o.Kind == "DestinationRule" {
			out[host] = o
		}
	}
	return out
}

// fullName is a host with the parts that Istio adds to a short one.
func fullName(host, namespace string) string {
	if namespace == "" {
		namespace = "default"
	}
	switch strings.Count(host, ".") {
	case 0:
		return host + "." + namespace + ".svc.cluster.local"
	default:
		return host
	}
}
