package ingressnginx

import (
	"fmt"
	"math"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/field"
	"example.com/kneeline/analyze/lint/read/kube"
	"example.com/kneeline/analyze/lint/tree"
	"example.com/kneeline/internal/nearest"
)

type reader struct{ *field.Reader }

// settings are the keys of one object and how they stand in it.
type settings struct {
	*reader
	node   *tree.Node
	prefix string
	at     model.Position
}

// absent is the default of a setting that the object lacks.
func (s settings) absent(key string) model.Value {
	v := s.In.Defaults.Lookup(product, key, s.at)
	v.Key = s.prefix + key
	return v
}

func (s settings) field(key string) *tree.Node { return s.node.Get(s.prefix + key) }

// seconds is a number of seconds, which ingress-nginx takes without a unit.
func (s settings) seconds(key string) model.Value {
	n := s.field(key)
	if !n.Present() {
		return s.absent(key)
	}
	v := s.DurationOf(n, s.prefix+key)
	if v.IsSet() && v.Bare && v.Amount >= 1000 && math.Mod(v.Amount, 1000) == 0 && math.Mod(v.Amount, 1800) != 0 {
		s.Doc.Units = append(s.Doc.Units, model.Slip{
			Value: v, Fix: fmt.Sprintf("%s: %q", key, fmt.Sprintf("%g", math.Ceil(v.Amount/1000))), Write: fmt.Sprintf("%g", math.Ceil(v.Amount/1000)),
			Why: fmt.Sprintf("%s counts seconds: %s is %s; as milliseconds it would be %s", key, v.Raw, v, fmt.Sprintf("%gs", v.Amount/1000)),
		})
	}
	return v
}

// time is a duration as nginx takes it, with its unit.
func (s settings) time(key string) model.Value {
	n := s.field(key)
	if !n.Present() {
		return s.absent(key)
	}
	v := s.In.Duration(n, s.prefix+key, read.BareSeconds)
	s.Hole(v)
	return v
}

func (s settings) count(key string) model.Value {
	if n := s.field(key); n.Present() {
		return s.CountOf(n, s.prefix+key)
	}
	return s.absent(key)
}

// ingress adds the hop of an Ingress.
func (r *reader) ingress(o kube.Object) {
	s := settings{r, o.Annotations, prefix, o.At()}
	h := r.Hop(&model.Hop{Name: o.Title(), From: "ingress-nginx", To: backends(o.Spec), Layer: model.Gateway, At: o.At(), Match: hosts(o.Spec), Extra: map[string]model.Value{}})
	s.limits(h)
	if s.field("service-upstream").Is("true") {
		h.Retry.Servers = 1
		h.Retry.Tries = model.Of(model.Count, 1, "service-upstream leaves one address")
		h.Retry.Tries.At = s.field("service-upstream").Position()
	}
	if n := s.field("auth-url"); n.Present() {
		v := r.In.Defaults.Lookup(product, "auth-url", n.At)
		h.SideCalls = append(h.SideCalls, v)
	}
	if n := s.field("backend-protocol"); n.Present() {
		h.Extra["backend-protocol"] = r.In.Text(n, prefix+"backend-protocol")
	}
	s.sheds(o)
	s.unknown("annotations", annotations)
}

// limits fills in what annotations and the ConfigMap set alike.
func (s settings) limits(h *model.Hop) {
	h.Connect, h.GapRead, h.GapSend = s.seconds("proxy-connect-timeout"), s.seconds("proxy-read-timeout"), s.seconds("proxy-send-timeout")
	h.StartTry = field.ZeroIsNone(s.seconds("proxy-next-upstream-timeout"))
	tries := field.ZeroIsNone(s.count("proxy-next-upstream-tries"))
	h.Retry.Written, h.Retry.Tries = tries, tries
	h.Retry.SameHost = model.Of(model.Flag, 0, "nginx goes on to the next server")
	h.Backoff.None = true
	s.conditions(h)
	h.Retry.Implicit = !tries.IsSet() && !s.field("proxy-next-upstream").Present()
}

var causes = map[string]model.Cause{
	"error": model.Reset, "timeout": model.TimedOut, "invalid_header": model.Unavailable, "http_500": model.ServerFault, "http_502": model.Unavailable,
	"http_503": model.Shed, "http_504": model.Unavailable, "http_403": model.ClientFault, "http_404": model.ClientFault, "http_429": model.Shed,
}

// conditions are on what a request is passed to the next server.
func (s settings) conditions(h *model.Hop) {
	const key = "proxy-next-upstream"
	v := s.absent(key)
	if n := s.field(key); n.Present() {
		v = s.In.Text(n, s.prefix+key)
		s.Hole(v)
	}
	h.Retry.AllMethods = model.Of(model.Flag, 0, key+" is without non_idempotent")
	if v.IsHole() {
		h.Retry.AllMethods = v
		return
	}
	for _, w := range strings.Fields(v.Text) {
		switch w {
		case "off":
			h.Retry.Tries = v
			h.Retry.Tries.Unit, h.Retry.Tries.Amount = model.Count, 1
		case "non_idempotent":
			h.Retry.AllMethods = model.Value{Key: s.prefix + key, Raw: w, Unit: model.Flag, Amount: 1, Origin: model.Set, At: v.At}
		default:
			h.Retry.On = append(h.Retry.On, model.Condition{Cause: causes[w], Word: w, At: v.At, Default: v.Origin == model.Default})
		}
	}
}

// sheds adds limits over which requests of one client address are refused.
func (s settings) sheds(o kube.Object) {
	svc := &model.Service{Name: o.Title(), At: s.at}
	for _, l := range []struct {
		key string
		per float64
	}{{"limit-rps", 1}, {"limit-rpm", 60}} {
		if n := s.field(l.key); n.Present() {
			v := s.CountOf(n, s.prefix+l.key)
			v.Unit, v.Amount, v.Text = model.PerSecond, v.Amount/l.per, "$binary_remote_addr"
			svc.SheddingLimits = append(svc.SheddingLimits, v)
		}
	}
	if n := s.field("limit-connections"); n.Present() {
		v := s.CountOf(n, s.prefix+"limit-connections")
		v.Text = "$binary_remote_addr"
		svc.SheddingLimits = append(svc.SheddingLimits, v)
	}
	if len(svc.SheddingLimits) > 0 {
		s.Service(svc)
	}
}

// unknown notes keys that are near misses.
func (s settings) unknown(in string, known []string) {
	for key, c := range s.node.Fields() {
		name, ok := strings.CutPrefix(key, s.prefix)
		if !ok || strings.Contains(name, "QQ") {
			continue
		}
		if near, ok := nearest.To(name, known); ok && near != name && nearest.Distance(name, near) <= 2 && !s.field(near).Present() {
			s.Doc.Unknown = append(s.Doc.Unknown, model.UnknownKey{Key: key, In: in, Nearest: s.prefix + near, At: c.KeyAt})
		}
	}
}

// maxNamed bounds how many backends and hosts a hop is named after.
const maxNamed = 5

// backends are the services that an Ingress leads to.
func backends(spec *tree.Node) string {
	var out []string
	add := func(b *tree.Node) {
		name := b.Get("service", "name")
		if name == nil {
			name = b.Get("serviceName")
		}
		out = named(out, name)
	}
	add(spec.Get("defaultBackend"))
	for rule := range spec.Get("rules").Items() {
		for path := range rule.Get("http", "paths").Items() {
			add(path.Get("backend"))
		}
	}
	return strings.Join(out, ", ")
}

func hosts(spec *tree.Node) string {
	var out []string
	for rule := range spec.Get("rules").Items() {
		out = named(out, rule.Get("host"))
	}
	return strings.Join(out, ", ")
}

// named adds a name that is not there yet. A hole is shown as it stands in the file.
func named(out []string, n *tree.Node) []string {
	name := n.String()
	if n != nil && n.Hole != nil {
		name = n.Hole.Raw
	}
	for _, have := range out {
		if have == name {
			return out
		}
	}
	if name == "" || len(out) >= maxNamed {
		return out
	}
	return append(out, name)
}
