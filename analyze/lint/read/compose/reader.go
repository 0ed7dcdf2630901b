package compose

import (
	"path"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/tree"
)

const product = "docker-compose"

// Reader reads Compose files.
var Reader = read.Object{
	Name:      "docker-compose",
	Gate:      []string{"healthcheck", "stop_grace_period", "replicas"},
	Recognise: recognise,
	Read: func(in *read.Input, root *tree.Node) []*model.Document {
		r := field.New(in, root, "docker-compose", product, "Compose", field.Go)
		for name, n := range root.Get("services").Fields() {
			if isService(n) {
				add(r, name, n)
			}
		}
		return r.Documents()
	},
}

// recognise takes files that are called so, and others whose services all have an image
// or are built.
func recognise(name string, root *tree.Node) bool {
	services := root.Get("services")
	if services == nil || services.Kind != tree.Map || root.Get("apiVersion") != nil {
		return false
	}
	base := strings.ToLower(path.Base(name))
	named := strings.Contains(base, "compose") || strings.HasPrefix(base, "stack.")
	for _, n := range services.Fields() {
		if !isService(n) {
			return false
		}
		if !named && !n.Get("image").Present() && !n.Get("build").Present() {
			return false
		}
	}
	return len(services.Children) > 0
}

func isService(n *tree.Node) bool { return n != nil && n.Kind == tree.Map }

// add reads one service.
func add(r *field.Reader, name string, n *tree.Node) {
	for _, part := range [][]string{{"healthcheck"}, {"stop_grace_period"}, {"deploy", "replicas"}, {"scale"}} {
		fill(r.In, n.Get(part...))
	}
	s := field.Section{Reader: r, Name: "service", Node: n, At: n.KeyAt}
	svc := &model.Service{Name: "service " + name, At: n.KeyAt}
	if n.Get("deploy", "replicas").Present() {
		svc.Replicas = s.Sub("deploy", "deploy").Count("replicas")
	} else if n.Get("scale").Present() {
		svc.Replicas = s.Count("scale")
	}
	if n.Get("ports").Present() || n.Get("expose").Present() || n.Get("stop_grace_period").Present() {
		svc.Drain.Grace = s.Duration("stop_grace_period")
	}
	if c := n.Get("healthcheck"); c != nil && c.Kind == tree.Map && !off(c) {
		svc.Probes = append(svc.Probes, check(s.Sub("healthcheck", "healthcheck")))
	}
	if svc.Replicas.Present() || svc.Drain.Grace.Present() || len(svc.Probes) > 0 {
		r.Service(svc)
	}
}

// off reports whether a health check is switched off.
func off(c *tree.Node) bool {
	if c.Get("disable").Is("true") {
		return true
	}
	for word := range c.Get("test").Items() {
		return word.Is("NONE")
	}
	return false
}

var checkKeys = []string{"test", "interval", "timeout", "retries", "start_period", "start_interval", "disable"}

func check(s field.Section) model.Check {
	s.Known(checkKeys...)
	c := model.Check{
		Kind: "health", At: s.At, Interval: s.Duration("interval"), Timeout: s.Duration("timeout"),
		Failures: s.Count("retries"), Delay: s.Duration("start_period"),
	}
	var words []string
	for w := range s.Field("test").Items() {
		words = append(words, field.Label(w))
	}
	c.Target = strings.Join(strings.Fields(strings.Join(words, " ")), " ")
	return c
}
