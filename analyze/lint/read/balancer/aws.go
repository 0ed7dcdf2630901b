package balancer

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

const (
	service = "service.beta.kubernetes.io/aws-load-balancer-"
	ingress = "alb.ingress.kubernetes.io/"
	// The attributes of load balancers and of their groups of targets.
	idle  = "idle_timeout.timeout_seconds"
	delay = "deregistration_delay.timeout_seconds"
)

// AWS reads the annotations of Services and Ingresses.
var AWS = read.Object{
	Name: "aws-load-balancer",
	Gate: []string{service + "connection-", service + "attributes", service + "target-group-attributes", ingress + "load-balancer-attributes", ingress + "target-group-attributes"},
	Recognise: func(_ string, root *tree.Node) bool {
		for _, o := range kube.All(root) {
			if isService(o) || isIngress(o) {
				return true
			}
		}
		return false
	},
	Read: func(in *read.Input, root *tree.Node) []*model.Document {
		r := field.New(in, root, "aws-load-balancer", "aws-load-balancer", "the AWS load balancer", field.WholeSeconds)
		for _, o := range kube.All(root) {
			switch {
			case isService(o) && isClassic(o):
				classic(r, o)
			case isService(o):
				attributes(r, o, service, "attributes")
			case isIngress(o):
				attributes(r, o, ingress, "load-balancer-attributes")
			}
		}
		return r.Documents()
	},
}

func isService(o kube.Object) bool {
	return o.Group == "" && o.Kind == "Service" && (has(o, service, "connection-idle-timeout", "connection-draining-enabled", "connection-draining-timeout", "attributes", "target-group-attributes"))
}

func isIngress(o kube.Object) bool {
	return o.Kind == "Ingress" && has(o, ingress, "load-balancer-attributes", "target-group-attributes")
}

func has(o kube.Object, prefix string, keys ...string) bool {
	for _, key := range keys {
		if o.Annotations.Get(prefix + key).Present() {
			return true
		}
	}
	return false
}

// isClassic reports whether a Service has a classic load balancer: no word of a network
// load balancer is said.
func isClassic(o kube.Object) bool {
	return !has(o, service, "type", "attributes", "target-group-attributes", "nlb-target-type")
}

// place is where a missing annotation is missing.
func place(o kube.Object) model.Position {
	if n := o.Node.Get("metadata", "name"); n.Present() {
		return n.KeyAt
	}
	return o.At()
}

// classic reads the annotations of a classic load balancer. What it writes about idle
// connections bounds an answer too: it closes those that carry nothing.
func classic(r *field.Reader, o kube.Object) {
	s := field.Section{Reader: r, Name: "classic", Node: o.Annotations, At: place(o)}
	wait := s.Duration(service + "connection-idle-timeout")
	hop(r, o, wait)
	svc := &model.Service{Name: o.Title(), At: s.At}
	enabled := s.Flag(service + "connection-draining-enabled")
	svc.Drain.Balancer = s.Duration(service + "connection-draining-timeout")
	switch {
	case enabled.IsHole():
		svc.Drain.Balancer = enabled
	case enabled.Off(): // the timeout is not used
		off := enabled
		off.Key, off.Unit, off.Amount = service+"connection-draining-timeout", model.Seconds, 0
		svc.Drain.Balancer = off
	}
	r.Service(svc)
}

// attributes reads the two lists of attributes of an application or network load
// balancer.
func attributes(r *field.Reader, o kube.Object, prefix, balancer string) {
	at := place(o)
	s := field.Section{Reader: r, Name: "attributes", At: at}
	wait, set := attribute(r, o.Annotations.Get(prefix+balancer), idle)
	if !set && prefix == ingress {
		wait = s.Default(idle)
	}
	hop(r, o, wait)
	svc := &model.Service{Name: o.Title(), At: at}
	if svc.Drain.Balancer, set = attribute(r, o.Annotations.Get(prefix+"target-group-attributes"), delay); !set {
		svc.Drain.Balancer = s.Default(delay)
	}
	r.Service(svc)
}

// attribute is one of a list of attributes with commas.
func attribute(r *field.Reader, n *tree.Node, key string) (model.Value, bool) {
	for _, part := range strings.Split(n.String(), ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || strings.TrimSpace(name) != key {
			continue
		}
		one := *n
		one.Text = strings.TrimSpace(value)
		if n.Hole != nil && !strings.Contains(one.Text, "QQ") && !strings.Contains(one.Text, "$") {
			one.Hole = nil // it is in another attribute
		}
		return r.DurationOf(&one, key), true
	}
	return model.Value{}, false
}

// hop adds the way through the balancer. Where nothing is said of idle connections the
// default holds, which is not for an object of other settings to answer for. It is how long
// a silent connection to a server is kept as well.
func hop(r *field.Reader, o kube.Object, wait model.Value) {
	h := &model.Hop{Name: o.Title(), From: "AWS load balancer", To: o.Name, Layer: model.Balancer, At: place(o), GapRead: wait, Idle: wait}
	if wait.Origin == model.Default {
		h.GapRead, h.Extra = model.Value{}, map[string]model.Value{wait.Key: wait}
	}
	if wait.Present() {
		r.Hop(h)
	}
}
