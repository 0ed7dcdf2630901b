package ingressnginx

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

const (
	product = "ingress-nginx"
	prefix  = "nginx.ingress.kubernetes.io/"
)

// groups are those of Ingresses now and in the past, and of ConfigMaps.
var groups = []string{"networking.k8s.io", "extensions", ""}

// Reader reads what ingress-nginx reads.
var Reader = read.Object{
	Name: "ingress-nginx",
	Gate: []string{prefix, "ingressClassName", "kubernetes.io/ingress.class", "keep-alive", "proxy-connect-timeout", "proxy-read-timeout", "proxy-send-timeout", "proxy-next-upstream", "worker-shutdown-timeout",
		"upstream-keepalive-", "client-header-timeout", "client-body-timeout", "retry-non-idempotent", "proxy-stream-", "max-worker-connections"},
	Recognise: func(_ string, root *tree.Node) bool {
		return isOurs(root) || chart(root) != nil
	},
	Read: readRoot,
}

// isOurs reports whether a document has an object for ingress-nginx.
func isOurs(root *tree.Node) bool {
	for _, o := range kube.Objects(root, groups...) {
		if isIngress(o) || isConfig(o) {
			return true
		}
	}
	return false
}

// isIngress reports whether an object is an Ingress that ingress-nginx serves, as far
// as it says so itself.
func isIngress(o kube.Object) bool {
	if o.Kind != "Ingress" {
		return false
	}
	if o.Spec.Get("ingressClassName").Is("nginx") || o.Annotations.Get("kubernetes.io/ingress.class").Is("nginx") {
		return true
	}
	for key := range o.Annotations.Fields() {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// isConfig reports whether an object is the controller's ConfigMap: it has its name or
// its label, and one of its keys.
func isConfig(o kube.Object) bool {
	if o.Kind != "ConfigMap" || !hasKey(o.Node.Get("data")) {
		return false
	}
	if o.Node.Get("metadata", "labels", "app.kubernetes.io/name").Is("ingress-nginx") {
		return true
	}
	return strings.Contains(o.Name, "ingress-nginx") || strings.Contains(o.Name, "nginx-ingress") || o.Name == "nginx-configuration"
}

func hasKey(data *tree.Node) bool {
	for key := range data.Fields() {
		if configKeys[key] {
			return true
		}
	}
	return false
}

// chart is the controller's configuration in the values of its chart, nil for none.
func chart(root *tree.Node) *tree.Node {
	for _, path := range [][]string{{"controller", "config"}, {"ingress-nginx", "controller", "config"}, {"nginx-ingress", "controller", "config"}} {
		if n := root.Get(path...); hasKey(n) {
			return n
		}
	}
	return nil
}

func readRoot(in *read.Input, root *tree.Node) []*model.Document {
	r := &reader{field.New(in, root, "ingress-nginx", product, "ingress-nginx", field.WholeSeconds)}
	var nested []*model.Document
	for _, o := range kube.Objects(root, groups...) {
		switch {
		case isIngress(o):
			r.ingress(o)
			nested = append(nested, snippets(in, o.Annotations)...)
		case isConfig(o):
			r.config("ConfigMap "+o.Name, o.Node.Get("data"), o.At())
			nested = append(nested, snippets(in, o.Node.Get("data"))...)
		}
	}
	if n := chart(root); n != nil {
		r.config("controller.config", n, n.KeyAt)
	}
	return append(r.Documents(), nested...)
}

// snippets reads what is nginx's own configuration.
func snippets(in *read.Input, n *tree.Node) []*model.Document {
	var out []*model.Document
	for key, c := range n.Fields() {
		if strings.HasSuffix(key, "-snippet") && c.Kind == tree.Scalar && in.Nested != nil {
			name := key[strings.LastIndexByte(key, '/')+1:]
			from, to := in.Block(c)
			out = append(out, in.Nested("nginx/"+name+".conf", from, to)...)
		}
	}
	return out
}
