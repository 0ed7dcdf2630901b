package workload

import (
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

// target is a port to which a Service leads, by number or name.
type target struct {
	port string
	// name is what the Service calls it.
	name string
}

// service is what a Service of the file selects, and where it leads.
type service struct {
	namespace string
	selector  *tree.Node
	targets   []target
}

// targets are the ports of Pods with these labels to which Services of the file lead.
func targets(in *read.Input, namespace string, labels *tree.Node) []target {
	all := in.Memo("workload services", func() any { return services(in.Roots) }).([]service)
	var out []target
	for _, s := range all {
		if s.namespace == namespace && selects(s.selector, labels) {
			out = append(out, s.targets...)
		}
	}
	return out
}

func services(roots []*tree.Node) []service {
	var out []service
	for _, o := range kube.Of(roots, "") {
		if o.Kind != "Service" || o.Spec.Get("selector") == nil {
			continue
		}
		s := service{namespace: o.Namespace, selector: o.Spec.Get("selector")}
		for p := range o.Spec.Get("ports").Items() {
			t := target{port: field.Label(p.Get("targetPort")), name: field.Label(p.Get("name"))}
			if t.port == "" {
				t.port = field.Label(p.Get("port"))
			}
			s.targets = append(s.targets, t)
		}
		out = append(out, s)
	}
	return out
}

// selects reports whether a selector that asks for something fits labels.
func selects(selector, labels *tree.Node) bool {
	asked := false
	for key, want := range selector.Fields() {
		if field.Label(labels.Get(key)) != field.Label(want) {
			return false
		}
		asked = true
	}
	return asked
}

// administrative are parts of the names of ports that serve no requests.
var administrative = []string{"metric", "health", "admin", "probe", "prom", "monitor", "manage", "mgmt", "liveness", "livez", "status", "pprof", "profil", "debug"}

func isAdministrative(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(administrative, func(word string) bool { return strings.Contains(name, word) })
}

// serving reports whether a port of a container, by number or name, serves requests, as
// far as the file tells: a Service leads to it, or where no Service of the file selects
// the Pod the container declares it; and no name says that it is for operators.
func (p *pod) serving(container *tree.Node, port string) bool {
	if port == "" || isAdministrative(port) {
		return false
	}
	names := []string{port}
	declared := false
	for d := range container.Get("ports").Items() {
		name, number := field.Label(d.Get("name")), field.Label(d.Get("containerPort"))
		if port != name && port != number {
			continue
		}
		if isAdministrative(name) {
			return false
		}
		declared = true
		names = append(names, name, number)
	}
	if len(p.targets) == 0 {
		return declared
	}
	return slices.ContainsFunc(p.targets, func(t target) bool {
		return t.port != "" && slices.Contains(names, t.port) && !isAdministrative(t.name)
	})
}

// serves reports whether a container takes requests, as far as the file tells.
func (p *pod) serves(container *tree.Node) bool {
	if container.Get("ports").Present() {
		return true
	}
	for _, probe := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
		for _, how := range []string{"httpGet", "grpc", "tcpSocket"} {
			if container.Get(probe, how).Present() {
				return true
			}
		}
	}
	return false
}
