package flagger

import (
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

const group = "flagger.app"

// Reader reads canaries.
var Reader = read.Object{
	Name: "flagger", Gate: []string{group},
	Recognise: func(_ string, root *tree.Node) bool { return len(canaries(root)) > 0 },
	Read:      readCanaries,
}

func canaries(root *tree.Node) []kube.Object {
	var out []kube.Object
	for _, o := range kube.Objects(root, group) {
		if o.Kind == "Canary" && o.Spec.Get("service").Present() {
			out = append(out, o)
		}
	}
	return out
}

func readCanaries(in *read.Input, root *tree.Node) []*model.Document {
	r := field.New(in, root, "flagger", "istio", "Flagger", field.Go)
	for _, o := range canaries(root) {
		canary(r, o)
	}
	return r.Documents()
}

// canary adds the hop of a canary's service, if it limits or retries anything. The
// retries have the form and the defaults of Istio's.
func canary(r *field.Reader, o kube.Object) {
	s := r.Section("http", o.Spec.Get("service"), o.At())
	retries := s.Sub("retries", "retries")
	if !s.Field("timeout").Present() && !retries.Node.Present() {
		return
	}
	to := s.Field("name").String()
	if to == "" {
		to = o.Spec.Get("targetRef", "name").String()
	}
	h := &model.Hop{Name: o.Title() + " service", To: to, Layer: model.Sidecar, At: s.At}
	if s.Field("timeout").Present() {
		h.Total = field.ZeroIsNone(s.Duration("timeout"))
	}
	if retries.Node.Present() && retries.Field("attempts").Present() {
		retries.Known("attempts", "perTryTimeout", "retryOn", "retryRemoteLocalities", "backoff", "retryIgnorePreviousHosts")
		field.Tries(&h.Retry, retries.Count("attempts"))
		h.Retry.On, _ = field.Conditions(retries.Text("retryOn"))
		h.Retry.AllMethods = retries.Default("all_methods")
		h.PerTry = field.ZeroIsNone(retries.Duration("perTryTimeout"))
		if !h.PerTry.Present() && h.Total.Finite() {
			h.PerTry = field.WholeCall("perTryTimeout", h.Total, retries.At)
		}
		h.Backoff = field.Backoff(retries, "backoff", "")
		provider := o.Spec.Get("provider").String()
		h.Budget = model.Budget{Scope: model.PerCluster, Supported: provider == "" || provider == "istio"}
	}
	r.Hop(h)
}
