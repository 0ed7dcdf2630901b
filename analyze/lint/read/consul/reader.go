package consul

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

const group = "consul.hashicorp.com"

// Reader reads config entries.
var Reader = read.Object{
	Name: "consul", Gate: []string{group, "service-router", "service-resolver", "service-defaults"},
	Recognise: func(_ string, root *tree.Node) bool { return len(entries(root)) > 0 },
	Read:      readEntries,
}

// entry is one config entry, in whichever form.
type entry struct {
	kind, name string
	spec       *tree.Node
	at         model.Position
}

var kinds = map[string]string{
	"ServiceRouter": "service-router", "ServiceResolver": "service-resolver", "ServiceDefaults": "service-defaults",
	"RouteRetryFilter": "retry-filter", "RouteTimeoutFilter": "timeout-filter",
}

// entries are the config entries of a document: a file of one, or resources.
func entries(root *tree.Node) []entry {
	var out []entry
	for _, o := range kube.Objects(root, group) {
		if kind := kinds[o.Kind]; kind != "" && o.Spec.Present() {
			out = append(out, entry{kind, o.Name, o.Spec, o.At()})
		}
	}
	if kind := loose(root, "kind").String(); strings.HasPrefix(kind, "service-") && loose(root, "name").Present() {
		for _, k := range kinds {
			if k == kind {
				out = append(out, entry{kind, loose(root, "name").String(), root, root.At})
			}
		}
	}
	return out
}

// loose returns a field whose name may stand in camel case, capitalised, or in snake
// case, as Consul takes them.
func loose(n *tree.Node, key string) *tree.Node {
	if n == nil || n.Kind != tree.Map {
		return nil
	}
	want := tree.Relaxed(key)
	for i := len(n.Children) - 1; i >= 0; i-- {
		if tree.Relaxed(n.Children[i].Key) == want {
			return n.Children[i]
		}
	}
	return nil
}

// object is a section whose fields are found by loose names. Keys of values and of
// defaults are those of the Kubernetes resources.
type object struct{ field.Section }

func (o object) sub(name, key string) object {
	return object{o.Section.Section(name, loose(o.Node, key), o.At)}
}

func (o object) get(key string) *tree.Node { return loose(o.Node, key) }

func (o object) duration(key string) model.Value {
	if n := o.get(key); n.Present() {
		return o.DurationOf(n, key)
	}
	return o.Default(key)
}

func (o object) count(key string) model.Value {
	if n := o.get(key); n.Present() {
		return o.CountOf(n, key)
	}
	return o.Default(key)
}

// known notes unknown keys of resources; in files any spelling is taken.
func (o object) known(keys ...string) {
	for _, c := range o.Node.Fields() {
		for _, k := range keys {
			if tree.Relaxed(k) == tree.Relaxed(c.Key) {
				keys = append(keys, c.Key)
				break
			}
		}
	}
	o.Known(keys...)
}

func readEntries(in *read.Input, root *tree.Node) []*model.Document {
	r := field.New(in, root, "consul", "consul", "Consul", field.Nanos)
	for _, e := range entries(root) {
		o := object{r.Section(e.kind, e.spec, e.at)}
		o.At = e.at
		switch e.kind {
		case "service-router":
			router(e, o)
		case "service-resolver":
			resolver(e, o)
		case "service-defaults":
			serviceDefaults(e, o)
		case "retry-filter":
			h := &model.Hop{Name: "RouteRetryFilter " + e.name, Layer: model.Gateway, At: e.at}
			retries(o, h)
			r.Hop(h)
		case "timeout-filter":
			h := &model.Hop{Name: "RouteTimeoutFilter " + e.name, Layer: model.Gateway, At: e.at}
			h.Total, h.GapRead = field.ZeroIsNone(o.duration("requestTimeout")), o.duration("idleTimeout")
			r.Hop(h)
		}
	}
	return r.Documents()
}
