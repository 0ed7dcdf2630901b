package jetty

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// xml reads a file of Configure: the objects that it makes by New, and what it sets on
// those that other files make.
func (r *reader) xml(root *tree.Node) {
	exec, execAt := r.pool(root)
	var drain model.Drain
	for _, c := range children(root, "Configure") {
		drain.Stop = bind.Or(drain.Stop, r.Duration(r.setting(c, "stopTimeout"), "stopTimeout", bind.Millis))
	}
	limits, most, extra := r.limiters(root)
	var services []*model.Service
	root.Each("New", func(n *tree.Node) {
		if class(n) == "ServerConnector" || class(n) == "NetworkTrafficServerConnector" || class(n) == "SelectChannelConnector" {
			services = append(services, r.connector(n))
		}
	})
	for _, c := range children(root, "Configure") {
		if class(c) == "ServerConnector" {
			services = append(services, r.connector(c))
		}
	}
	if len(services) == 0 && (execAt.Line > 0 || drain.Stop.Present() || len(limits) > 0 || most.Present()) {
		at := execAt
		if at.Line == 0 {
			at = first(drain.Stop.At, most.At, root.At)
		}
		services = append(services, &model.Service{Name: "jetty", At: at})
	}
	for _, s := range services {
		s.Exec, s.Drain, s.SheddingLimits, s.Extra = exec, drain, limits, extra
		if most.Present() {
			s.Listen.MaxConnections = most
		}
		if v, ok := extra["maxSuspendedRequestCount"]; ok && !s.Exec.Queue.IsSet() {
			s.Exec.Queue, s.Exec.Wait = v, extra["maxSuspend"]
		}
		r.Service(s)
	}
}

func first(all ...model.Position) model.Position {
	for _, at := range all {
		if at.Line > 0 {
			return at
		}
	}
	return model.Position{}
}

// class is the last part of an element's class.
func class(n *tree.Node) string {
	name := n.Get("class").String()
	return name[strings.LastIndexByte(name, '.')+1:]
}

// children are the elements of a name right below n.
func children(n *tree.Node, name string) []*tree.Node {
	var out []*tree.Node
	if list := n.Get(tree.Elements); list != nil {
		for _, e := range list.Children {
			if e.Key == name {
				out = append(out, e)
			}
		}
	}
	return out
}

// setting returns the value that an object's Set gives to a property, the last one.
func (r *reader) setting(n *tree.Node, name string) *tree.Node {
	var out *tree.Node
	for _, s := range children(n, "Set") {
		if strings.EqualFold(s.Get("name").String(), name) {
			out = firstOf(r.value(s), out)
		}
	}
	return out
}

// args are the values of an object's Arg elements: those with a name, and all in order.
func (r *reader) args(n *tree.Node) (map[string]*tree.Node, []*tree.Node) {
	named := map[string]*tree.Node{}
	list := children(n, "Arg")
	for _, a := range list {
		if name := a.Get("name").String(); name != "" {
			named[name] = a
		}
	}
	return named, list
}

// value is what an element holds: its text, or a property with its default. The
// property's value is taken where the user has given one, and it is a hole where there
// is neither.
func (r *reader) value(n *tree.Node) *tree.Node {
	if n == nil {
		return nil
	}
	if text := n.Get(tree.Content); text.Present() {
		return text
	}
	if name := n.Get("property"); name.Present() && len(children(n, "Property")) == 0 {
		if v, ok := r.lookup(name.Text); ok {
			return &tree.Node{Kind: tree.Scalar, Text: v, At: name.At}
		}
		return nil // set only where the property is
	}
	for _, kind := range []string{"Property", "SystemProperty", "Env"} {
		for _, p := range children(n, kind) {
			return r.propertyOf(p)
		}
	}
	return nil
}

func (r *reader) lookup(name string) (string, bool) {
	if r.In.Lookup == nil {
		return "", false
	}
	return r.In.Lookup(name)
}

func (r *reader) propertyOf(p *tree.Node) *tree.Node {
	name := p.Get("name").String()
	for _, n := range children(p, "Name") {
		name = n.Get(tree.Content).String()
	}
	if v, ok := r.lookup(name); ok {
		return &tree.Node{Kind: tree.Scalar, Text: v, At: p.At}
	}
	if d := p.Get("default"); d.Present() {
		return d
	}
	for _, d := range children(p, "Default") {
		return r.value(d)
	}
	hole := model.Value{Key: name, Raw: name, Origin: model.Hole, Source: name, At: p.At}
	return &tree.Node{Kind: tree.Scalar, Text: name, At: p.At, Hole: &hole}
}

// connector reads one connector.
func (r *reader) connector(n *tree.Node) *model.Service {
	s := &model.Service{Name: "connector", At: n.At}
	if port := r.setting(n, "port"); port.Present() && port.Hole == nil {
		s.Name, s.Listen.Address = "connector "+port.Text, port.Text
	} else if id := n.Get("id").String(); id != "" {
		s.Name = "connector " + id
	}
	idle := firstOf(r.setting(n, "idleTimeout"), r.setting(n, "maxIdleTime"))
	s.Listen.Idle = bind.NoLimitAtMost(bind.Or(r.Duration(idle, "idleTimeout", bind.Millis), r.Default("jetty", "idleTimeout", n.At)))
	s.Listen.Backlog = r.backlog(r.Count(r.setting(n, "acceptQueueSize"), "acceptQueueSize"), n.At)
	return s
}
