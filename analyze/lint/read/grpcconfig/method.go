package grpcconfig

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// config reads one service config.
func (r *reader) config(n *tree.Node) {
	r.known(n, "service config", "loadBalancingPolicy", "loadBalancingConfig", "methodConfig", "retryThrottling", "healthCheckConfig", "connectionScaling")
	budget := r.throttling(field(n, "retryThrottling"))
	methods := field(n, "methodConfig")
	if methods.Present() && methods.Kind != tree.List {
		r.refuse(methods.At, "write a list", "methodConfig is no list")
	}
	for m := range methods.Items() {
		if m.Kind != tree.Map {
			r.refuse(m.At, "write an object", "an entry of methodConfig is no object")
			continue
		}
		r.method(m, budget)
	}
}

// method reads one entry of methodConfig.
func (r *reader) method(n *tree.Node, budget model.Budget) {
	r.known(n, "methodConfig", "name", "waitForReady", "timeout", "maxRequestMessageBytes", "maxResponseMessageBytes", "retryPolicy", "hedgingPolicy")
	h := &model.Hop{Layer: model.Library, At: n.At, Budget: budget, CarriesDeadline: true}
	names := r.names(field(n, "name"))
	h.Name, h.To, h.Match = title(names), service(names), paths(names)
	if field(n, "name") == nil {
		r.ignored(n.At, "name the service, or write [{}] for all", "a methodConfig without name holds for no method")
	}
	h.Total = bind.Or(r.duration(field(n, "timeout"), "timeout"), r.Default("grpc", "timeout", n.At))
	retry, hedge := field(n, "retryPolicy"), field(n, "hedgingPolicy")
	if retry.Present() {
		r.retry(h, retry, field(n, "name").Present())
	}
	if hedge.Present() {
		r.hedge(h, hedge)
	}
	if retry.Present() && hedge.Present() {
		r.ignored(hedge.KeyAt, "keep one of the two", "retryPolicy and hedgingPolicy exclude each other")
	}
	if retry.Present() || hedge.Present() {
		h.Retry.Methods, h.Retry.AllMethods = methods(names)
	}
	r.Hop(h)
}

// name is one name of a method config.
type name struct {
	service, method string
	at              model.Position
}

// names reads which methods a config is for, and notes what grpc-go refuses among them.
func (r *reader) names(list *tree.Node) []name {
	if list.Present() && list.Kind != tree.List {
		r.refuse(list.At, "write a list", "name is no list")
	}
	var out []name
	for n := range list.Items() {
		r.known(n, "name", "service", "method")
		s, m := field(n, "service"), field(n, "method")
		next := name{service: s.String(), method: m.String(), at: n.At}
		if m.Present() {
			next.at = m.At
		}
		if s != nil && s.Hole != nil || m != nil && m.Hole != nil {
			out = append(out, next)
			continue
		}
		if next.service == "" && next.method != "" {
			r.refuse(next.at, "name the service", "a method without a service")
		}
		path := "/" + next.service + "/" + next.method
		if before, twice := r.paths[path]; twice {
			r.refuse(next.at, "name each method once", fmt.Sprintf("duplicated name %s, which stands on line %d too", shown(next), before.Line))
		} else {
			r.paths[path] = next.at
		}
		out = append(out, next)
	}
	return out
}

func shown(n name) string {
	switch {
	case n.service == "":
		return "all services"
	case n.method == "":
		return n.service
	}
	return n.service + "/" + n.method
}

func title(names []name) string {
	switch len(names) {
	case 0:
		return "no method"
	case 1:
		return shown(names[0])
	}
	return fmt.Sprintf("%s and %d more", shown(names[0]), len(names)-1)
}

func service(names []name) string {
	for _, n := range names {
		if n.service != names[0].service {
			return ""
		}
	}
	if len(names) == 0 {
		return ""
	}
	return names[0].service
}

// maxShown bounds how many names a hop's match lists.
const maxShown = 50

func paths(names []name) string {
	var out []string
	for _, n := range names[:min(len(names), maxShown)] {
		out = append(out, shown(n))
	}
	return strings.Join(out, ", ")
}

// methods returns which methods are tried again. A name without a method stands for all
// of a service.
func methods(names []name) ([]model.Method, model.Value) {
	var out []model.Method
	var all model.Value
	for _, n := range names {
		if n.method != "" {
			out = append(out, model.Method{Name: n.method, At: n.at})
			continue
		}
		all = bind.Or(all, model.Value{Key: "name", Raw: shown(n), Text: shown(n), Unit: model.Flag, Amount: 1, Origin: model.Set, At: n.at})
	}
	return out, all
}
