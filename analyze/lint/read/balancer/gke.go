package balancer

import (
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

// gkeGroups are those of BackendConfig and GCPBackendPolicy.
var gkeGroups = []string{"cloud.google.com", "networking.gke.io"}

// GKE reads BackendConfigs and GCPBackendPolicies.
var GKE = read.Object{
	Name: "gke", Gate: []string{"BackendConfig", "GCPBackendPolicy"},
	Recognise: func(_ string, root *tree.Node) bool {
		for _, o := range kube.Objects(root, gkeGroups...) {
			if _, ok := gkeSpec(o); ok {
				return true
			}
		}
		return false
	},
	Read: func(in *read.Input, root *tree.Node) []*model.Document {
		r := field.New(in, root, "gke", "gke", "GKE", field.WholeSeconds)
		for _, o := range kube.Objects(root, gkeGroups...) {
			if spec, ok := gkeSpec(o); ok {
				readGKE(r, o, spec)
			}
		}
		return r.Documents()
	},
}

// gkeSpec is where an object has the settings of its balancer. It may be absent.
func gkeSpec(o kube.Object) (*tree.Node, bool) {
	switch o.Kind {
	case "BackendConfig":
		return o.Spec, true
	case "GCPBackendPolicy":
		return o.Spec.Get("default"), true
	}
	return nil, false
}

var gkeKeys = []string{
	"iap", "cdn", "securityPolicy", "timeoutSec", "connectionDraining", "sessionAffinity", "customRequestHeaders", "customResponseHeaders",
	"healthCheck", "logging", "maxRatePerEndpoint", "backendPreference", "balancingMode", "preferLocalZone", "locality", "scopes",
}

func readGKE(r *field.Reader, o kube.Object, spec *tree.Node) {
	at := o.At()
	if n := o.Node.Get("metadata", "name"); n.Present() {
		at = n.KeyAt
	}
	s := field.Section{Reader: r, Name: "backend", Node: spec, At: at}
	s.Known(gkeKeys...)
	h := &model.Hop{Name: o.Title(), From: "Google Cloud load balancer", To: gkeTarget(o), Layer: model.Balancer, At: at, Total: s.Duration("timeoutSec")}
	if s.Field("healthCheck").Present() {
		h.Checks = append(h.Checks, gkeCheck(s.Sub("healthCheck", "healthCheck")))
	}
	r.Hop(h)
	drain := s.Sub("connectionDraining", "connectionDraining")
	drain.Known("drainingTimeoutSec")
	drain.At = at
	svc := &model.Service{Name: o.Title(), At: at}
	svc.Drain.Balancer = drain.Duration("drainingTimeoutSec")
	svc.Exec.Total = h.Total
	r.Service(svc)
}

func gkeTarget(o kube.Object) string {
	if ref := o.Spec.Get("targetRef"); ref != nil {
		return field.Label(ref.Get("kind")) + " " + field.Label(ref.Get("name"))
	}
	return ""
}

// gkeCheck is the balancer's own check. What it leaves out comes from the readiness
// probe of the Pods, and is left open here.
func gkeCheck(s field.Section) model.Check {
	s.Known("checkIntervalSec", "timeoutSec", "healthyThreshold", "unhealthyThreshold", "type", "port", "requestPath", "logConfig")
	c := model.Check{Kind: "health", At: s.At, Serves: true}
	if s.Field("checkIntervalSec").Present() {
		c.Interval = s.Duration("checkIntervalSec")
	}
	if s.Field("timeoutSec").Present() {
		c.Timeout = s.Duration("timeoutSec")
	}
	if s.Field("unhealthyThreshold").Present() {
		c.Failures = s.Count("unhealthyThreshold")
	}
	if s.Field("healthyThreshold").Present() {
		c.Rises = s.Count("healthyThreshold")
	}
	c.Target = "http :" + field.Label(s.Field("port")) + " " + field.Label(s.Field("requestPath"))
	return c
}
