package link

import (
	"bytes"
	"path"
	"strings"

	"example.com/kneeline/analyze/lint/tree"
)

func extension(name string) string {
	name = strings.ToLower(name)
	for _, suffix := range []string{".tmpl", ".tpl", ".j2", ".template", ".example", ".sample"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return path.Ext(name)
}

// maxFactDepth is how deep objects are looked for in others.
const maxFactDepth = 24

type factWalker struct {
	name string
	data []byte
	out  []Fact
}

func (w *factWalker) walk(n *tree.Node, depth int) {
	if n == nil || depth > maxFactDepth || len(w.out) >= maxFacts {
		return
	}
	if n.Kind == tree.Map {
		w.object(n)
	}
	for _, c := range n.Children {
		if c.Kind != tree.Scalar {
			w.walk(c, depth+1)
		}
	}
}

// workloads have Pods, whose template is at a path.
var workloads = map[string][]string{
	"Deployment": {"spec", "template"}, "StatefulSet": {"spec", "template"}, "DaemonSet": {"spec", "template"}, "ReplicaSet": {"spec", "template"},
	"Rollout": {"spec", "template"}, "Job": {"spec", "template"}, "CronJob": {"spec", "jobTemplate", "spec", "template"}, "Pod": {},
}

func (w *factWalker) object(n *tree.Node) {
	if n.Get("load_assignment").Present() || n.Get("lb_policy").Present() && n.Get("hosts").Present() {
		w.cluster(n)
		return
	}
	name := n.Get("metadata", "name").String()
	if name == "" {
		return
	}
	kind := n.Get("kind").String()
	f := Fact{At: n.At, Last: w.lastLine(n), Name: name, Namespace: n.Get("metadata", "namespace").String()}
	template, runs := workloads[kind]
	switch {
	case kind == "Service":
		f.Kind, f.Labels = Selects, labels(n.Get("spec", "selector"))
		if len(f.Labels) == 0 {
			return
		}
	case kind == "ConfigMap":
		f.Kind = Holds
	case runs:
		t := n.Get(template...)
		if kind == "Pod" {
			t = n
		}
		f.Kind, f.Labels = Runs, labels(t.Get("metadata", "labels"))
		f.To = configMaps(t.Get("spec"))
	default:
		return
	}
	w.out = append(w.out, f)
}

// lastLine is the line in which an object ends.
func (w *factWalker) lastLine(n *tree.Node) int {
	from, to := n.At.Offset, n.At.End
	if from < 0 || to > len(w.data) || to <= from {
		return n.At.Line
	}
	return n.At.Line + bytes.Count(w.data[from:to], []byte("\n"))
}

func labels(n *tree.Node) map[string]string {
	out := map[string]string{}
	for key, c := range n.Fields() {
		if c.Kind == tree.Scalar {
			out[key] = c.Text
		}
	}
	return out
}

// configMaps are those that a Pod mounts or takes its environment from.
func configMaps(spec *tree.Node) []string {
	var out []string
	add := func(n *tree.Node) {
		if n.String() != "" {
			out = append(out, n.String())
		}
	}
	for v := range spec.Get("volumes").Items() {
		add(v.Get("configMap", "name"))
		for s := range v.Get("projected", "sources").Items() {
			add(s.Get("configMap", "name"))
		}
	}
	for c := range spec.Get("containers").Items() {
		for e := range c.Get("envFrom").Items() {
			add(e.Get("configMapRef", "name"))
		}
		for e := range c.Get("env").Items() {
			add(e.Get("valueFrom", "configMapKeyRef", "name"))
		}
	}
	return out
}

// cluster is one of Envoy: its name stands for the addresses of its endpoints.
func (w *factWalker) cluster(n *tree.Node) {
	f := Fact{Kind: StandsFor, At: n.At, Name: n.Get("name").String()}
	var addresses func(*tree.Node, int)
	addresses = func(n *tree.Node, depth int) {
		if n == nil || depth > maxFactDepth || len(f.To) >= maxAddresses {
			return
		}
		if s := n.Get("socket_address", "address"); s.String() != "" {
			f.To = append(f.To, s.String())
		}
		for _, c := range n.Children {
			addresses(c, depth+1)
		}
	}
	addresses(n.Get("load_assignment"), 0)
	addresses(n.Get("hosts"), 0)
	if f.Name != "" && len(f.To) > 0 {
		w.out = append(w.out, f)
	}
}
