package traefik

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
)

var groups = []string{"traefik.io", "traefik.containo.us"}

// Reader reads Traefik's files and resources.
var Reader = read.Object{
	Name: "traefik", Gate: []string{"entryPoints", "entrypoints", "middlewares", "loadBalancer", "erversTransport", "traefik"},
	Recognise: func(_ string, root *tree.Node) bool {
		return (isStatic(root) || isDynamic(root) || len(resources(root)) > 0) && !placeholder(root)
	},
	Read: readTraefik,
}

func isStatic(root *tree.Node) bool {
	for _, e := range field.Folded(root, "entryPoints").Fields() {
		if field.Folded(e, "address").Present() {
			return true
		}
	}
	return field.Folded(root, "serversTransport", "forwardingTimeouts").Present()
}

func isDynamic(root *tree.Node) bool {
	http := field.Folded(root, "http")
	if http == nil || http.Kind != tree.Map {
		return false
	}
	for _, s := range field.Folded(http, "services").Fields() {
		if field.Folded(s, "loadBalancer").Present() {
			return true
		}
	}
	for _, m := range field.Folded(http, "middlewares").Fields() {
		if m.Kind == tree.Map {
			return true
		}
	}
	return field.Folded(http, "serversTransports").Present()
}

// manyPlaceholders is from how many values called foobar on a file is Traefik's own
// reference, in which no value means anything.
const manyPlaceholders = 5

func placeholder(root *tree.Node) bool {
	n := 0
	var walk func(*tree.Node)
	walk = func(c *tree.Node) {
		if c.Is("foobar") {
			n++
		}
		for _, x := range c.Children {
			if n < manyPlaceholders {
				walk(x)
			}
		}
	}
	walk(root)
	return n >= manyPlaceholders
}

func resources(root *tree.Node) []kube.Object {
	var out []kube.Object
	for _, o := range kube.Objects(root, groups...) {
		if o.Kind == "Middleware" || o.Kind == "ServersTransport" {
			out = append(out, o)
		}
	}
	return out
}

// file is one document on its way to the model.
type file struct {
	*field.Reader
	root *tree.Node
	// used are the middlewares that a hop has taken in.
	used map[string]bool
}

func readTraefik(in *read.Input, root *tree.Node) []*model.Document {
	f := &file{Reader: field.New(in, root, "traefik", "traefik", "Traefik", field.Seconds), root: root, used: map[string]bool{}}
	f.Fold = true
	for name, n := range field.Folded(root, "entryPoints").Fields() {
		f.entryPoint(name, f.Section("entryPoint", n, n.At))
	}
	http := field.Folded(root, "http")
	for name, n := range field.Folded(http, "services").Fields() {
		if lb := field.Folded(n, "loadBalancer"); lb.Present() {
			f.service(name, f.Section("loadBalancer", lb, n.At))
		}
	}
	for name, n := range field.Folded(http, "middlewares").Fields() {
		f.middleware("middleware "+name, name, n)
	}
	for _, o := range resources(root) {
		if o.Kind == "Middleware" {
			f.middleware(o.Title(), o.Name, o.Spec)
			continue
		}
		h := &model.Hop{Name: o.Title(), Layer: model.Gateway, At: o.At()}
		f.transport(f.Section("serversTransport", o.Spec, o.At()), h)
		f.Hop(h)
	}
	return f.Documents()
}

// middleware adds what one middleware does that no hop has taken in: its retries, and
// its limits of load.
func (f *file) middleware(title, name string, n *tree.Node) {
	s := f.Section("middleware", n, n.Position())
	if r := s.Sub("retry", "retry"); r.Node.Present() && !f.used[name] {
		h := &model.Hop{Name: title, Layer: model.Gateway, At: s.At}
		f.retries(r, h)
		f.Hop(h)
	}
	svc := &model.Service{Name: title, At: s.At}
	if a := s.Sub("inFlightReq", "inFlightReq"); a.Field("amount").Present() {
		svc.SheddingLimits = append(svc.SheddingLimits, a.Count("amount"))
	}
	if l := s.Sub("rateLimit", "rateLimit"); l.Field("average").Present() {
		svc.SheddingLimits = append(svc.SheddingLimits, rate(l))
	}
	if len(svc.SheddingLimits) > 0 {
		f.Service(svc)
	}
}

// rate is an average in a period.
func rate(s field.Section) model.Value {
	average, period := s.Count("average"), s.Duration("period")
	if average.Finite() && period.Finite() && period.Amount > 0 {
		average.Unit, average.Amount = model.PerSecond, average.Amount/period.Amount
	}
	return average
}

// entryPoint adds the service of an entry point.
func (f *file) entryPoint(name string, s field.Section) {
	address := s.Field("address").String()
	if strings.HasSuffix(address, "/udp") {
		return
	}
	t := s.Sub("transport", "transport")
	t.Known("lifeCycle", "respondingTimeouts", "keepAliveMaxTime", "keepAliveMaxRequests")
	timeouts, life := t.Sub("respondingTimeouts", "respondingTimeouts"), t.Sub("lifeCycle", "lifeCycle")
	timeouts.Known("readTimeout", "writeTimeout", "idleTimeout")
	life.Known("requestAcceptGraceTimeout", "graceTimeOut")
	svc := &model.Service{Name: "entry point " + name, At: s.At}
	svc.Listen = model.Listen{
		Address: address, Body: field.ZeroIsNone(timeouts.Duration("readTimeout")), Write: field.ZeroIsNone(timeouts.Duration("writeTimeout")),
		Idle: field.ZeroIsNone(timeouts.Duration("idleTimeout")),
	}
	if t.Field("keepAliveMaxRequests").Present() {
		svc.Listen.KeepRequests = field.ZeroIsNone(t.Count("keepAliveMaxRequests"))
	}
	svc.Drain.Stop = life.Duration("graceTimeOut")
	if life.Field("requestAcceptGraceTimeout").Present() {
		svc.Drain.PreStop = life.Duration("requestAcceptGraceTimeout")
	}
	f.Service(svc)
}
