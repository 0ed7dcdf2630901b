package workload

import (
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

const product = "kubernetes"

// groups are those of workloads now and in the past, and of two that took their place
// in clusters of OpenShift and Argo.
var groups = []string{"", "apps", "extensions", "batch", "apps.openshift.io", "argoproj.io"}

// kind is where a kind of workload describes its Pods, and whether they serve.
type kind struct {
	template []string // what has metadata and spec of a Pod
	replicas bool
	surge    bool
	// ends marks Pods that are meant to end by themselves.
	ends bool
}

var kinds = map[string]kind{
	"Pod":                   {},
	"Deployment":            {template: []string{"spec", "template"}, replicas: true, surge: true},
	"DeploymentConfig":      {template: []string{"spec", "template"}, replicas: true},
	"Rollout":               {template: []string{"spec", "template"}, replicas: true},
	"ReplicaSet":            {template: []string{"spec", "template"}, replicas: true},
	"ReplicationController": {template: []string{"spec", "template"}, replicas: true},
	"StatefulSet":           {template: []string{"spec", "template"}, replicas: true},
	"DaemonSet":             {template: []string{"spec", "template"}},
	"Job":                   {template: []string{"spec", "template"}, ends: true},
	"CronJob":               {template: []string{"spec", "jobTemplate", "spec", "template"}, ends: true},
}

// Reader reads workloads that have a setting of probes, hooks or grace.
var Reader = read.Object{
	Name: "kubernetes",
	// Services of the file say what port serves requests.
	Gate: []string{"livenessProbe", "readinessProbe", "startupProbe", "preStop", "terminationGracePeriodSeconds", "kind: Service\n", "kind: Service\r"},
	Recognise: func(_ string, root *tree.Node) bool {
		for _, o := range kube.Objects(root, groups...) {
			if _, ok := podOf(o); ok {
				return true
			}
		}
		return false
	},
	Read: func(in *read.Input, root *tree.Node) []*model.Document {
		r := field.New(in, root, "kubernetes", product, "Kubernetes", field.WholeSeconds)
		for _, o := range kube.Objects(root, groups...) {
			if p, ok := podOf(o); ok {
				p.Reader, p.targets = r, targets(in, o.Namespace, p.labels)
				p.read()
			}
		}
		return r.Documents()
	},
}

// pod is the description of the Pods of one object.
type pod struct {
	*field.Reader
	object kube.Object
	kind   kind
	labels *tree.Node
	spec   field.Section
	// targets are the ports that Services of the file lead to.
	targets []target
}

// podOf returns the description of an object's Pods, if it has one.
func podOf(o kube.Object) (*pod, bool) {
	k, ok := kinds[o.Kind]
	if !ok {
		return nil, false
	}
	t := o.Node.Get(k.template...)
	spec := t.Get("spec")
	if c := spec.Get("containers"); c == nil || c.Kind != tree.List {
		return nil, false
	}
	return &pod{object: o, kind: k, labels: t.Get("metadata", "labels"), spec: field.Section{Name: "pod", Node: spec, At: o.At()}}, true
}

// read adds a service for each container.
func (p *pod) read() {
	p.spec.Reader = p.Reader
	all := p.containers()
	grace := p.spec.Duration("terminationGracePeriodSeconds")
	told := false
	for _, c := range all {
		s := &model.Service{Name: p.object.Title(), At: c.At}
		if name := field.Label(c.Get("name")); name != "" && len(all) > 1 {
			s.Name += " container " + name
		}
		p.scale(s)
		p.probes(s, c)
		s.Drain.PreStop = p.hook(c)
		// One setting of all containers is one container's to answer for, unless hooks
		// of several need it.
		if s.Drain.PreStop.Present() || !told && !p.kind.ends && p.serves(c) {
			s.Drain.Grace, told = grace, true
		}
		if len(s.Probes) > 0 || s.Drain.Grace.Present() || s.Replicas.IsSet() {
			p.Service(s)
		}
	}
}

// maxContainers bounds the containers of one Pod.
const maxContainers = 1000

// containers are those that run side by side: of the ones that run first, those that
// stay.
func (p *pod) containers() []*tree.Node {
	var out []*tree.Node
	add := func(list *tree.Node, all bool) {
		for c := range list.Items() {
			if c.Kind == tree.Map && len(out) < maxContainers && (all || c.Get("restartPolicy").Is("Always")) {
				out = append(out, c)
			}
		}
	}
	add(p.spec.Node.Get("containers"), true)
	add(p.spec.Node.Get("initContainers"), false)
	return out
}

// scale adds how many Pods there are, and how many more while they are replaced.
func (p *pod) scale(s *model.Service) {
	if !p.kind.replicas {
		return
	}
	w := p.Section("workload", p.object.Spec, p.object.At())
	w.At = p.object.At()
	s.Replicas = w.Count("replicas")
	if !p.kind.surge || p.object.Spec.Get("strategy", "type").Is("Recreate") {
		return
	}
	u := p.Section("rollingUpdate", p.object.Spec.Get("strategy", "rollingUpdate"), p.object.At())
	for _, key := range []string{"maxSurge", "maxUnavailable"} {
		n := u.Field(key)
		if !n.Present() {
			continue // a map a service for what nearly none sets is memory for nothing
		}
		if s.Extra == nil {
			s.Extra = map[string]model.Value{}
		}
		if n.Hole == nil && !isShare(n.Text) {
			s.Extra[key] = u.Count(key)
			continue
		}
		s.Extra[key] = u.Share(key, false)
	}
}

func isShare(text string) bool { return len(text) > 0 && text[len(text)-1] == '%' }
