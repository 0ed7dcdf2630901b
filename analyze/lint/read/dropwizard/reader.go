package dropwizard

import (
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/bind"
	"example.com/kneeline/analyze/lint/tree"
)

// Name is the format's name.
const Name = "dropwizard"

// Reader reads Dropwizard's YAML.
var Reader = read.Object{
	Name:      Name,
	Gate:      []string{"applicationConnectors", "adminConnectors", "applicationContextPath", "driverClass", "jerseyClient", "maxQueuedRequests"},
	Recognise: func(_ string, root *tree.Node) bool { return recognise(root) },
	Read:      readRoot,
}

// marks are settings that Dropwizard's server has and others have not.
var marks = []string{"applicationConnectors", "adminConnectors", "applicationContextPath", "adminContextPath", "maxQueuedRequests", "shutdownGracePeriod", "registerDefaultExceptionMappers"}

func recognise(root *tree.Node) bool {
	if root == nil || root.Kind != tree.Map || root.Get("apiVersion").Present() && root.Get("kind").Present() {
		return false
	}
	if isServer(root.Get("server")) || isDatabase(root) || isClient("", root.Get("jerseyClient")) {
		return true
	}
	for _, c := range root.Children {
		if isDatabase(c) {
			return true
		}
	}
	return false
}

func isServer(n *tree.Node) bool {
	for _, key := range marks {
		if n.Get(key).Present() {
			return true
		}
	}
	t := n.Get("connector", "type")
	return t.Is("http") || t.Is("https")
}

// isDatabase tells a pool of connections by its driver and a setting beside it.
func isDatabase(n *tree.Node) bool {
	return n.Get("driverClass").Present() && n.Get("url").Present()
}

// isClient tells a client by its name, or by settings that only one has.
func isClient(key string, n *tree.Node) bool {
	if n == nil || n.Kind != tree.Map {
		return false
	}
	found := 0
	for _, k := range []string{"timeout", "connectionTimeout", "connectionRequestTimeout", "timeToLive", "maxConnections", "maxConnectionsPerRoute", "keepAlive", "retries", "gzipEnabled", "workQueueSize"} {
		if n.Get(k).Present() {
			found++
		}
	}
	switch strings.ToLower(key) {
	case "jerseyclient", "httpclient", "":
		return found > 0
	}
	return found > 1 && (n.Get("connectionTimeout").Present() || n.Get("connectionRequestTimeout").Present() || n.Get("maxConnectionsPerRoute").Present())
}

type reader struct{ *bind.Binder }

func readRoot(in *read.Input, root *tree.Node) []*model.Document {
	r := &reader{bind.New(in, root.At.Line, Name, "dropwizard", "Dropwizard")}
	if s := root.Get("server"); isServer(s) {
		r.server(s)
	}
	r.walk(root, "", 0)
	return r.Documents()
}

// maxDepth bounds how deep a program's own keys nest.
const maxDepth = 6

func (r *reader) walk(n *tree.Node, key string, depth int) {
	switch {
	case n.Kind != tree.Map || depth > maxDepth:
		return
	case isDatabase(n):
		r.database(n)
		return
	case depth > 0 && isClient(key, n):
		r.client(key, n)
		return
	}
	for k, c := range n.Fields() {
		if depth > 0 || k != "server" {
			r.walk(c, k, depth+1)
		}
	}
}

func place(n *tree.Node) model.Position {
	if n.KeyAt.Line > 0 {
		return n.KeyAt
	}
	return n.At
}

func (r *reader) duration(n *tree.Node, group, key string) model.Value {
	return bind.Or(r.Duration(n.Get(key), key, bind.WithUnit), r.Default("dropwizard", group+"."+key, place(n)))
}

func (r *reader) count(n *tree.Node, group, key string) model.Value {
	return bind.Or(r.Count(n.Get(key), key), r.Default("dropwizard", group+"."+key, place(n)))
}

// server reads the connectors of the application; each has the threads of all.
func (r *reader) server(n *tree.Node) {
	exec := model.Exec{Threads: r.count(n, "server", "maxThreads"), Min: r.count(n, "server", "minThreads"), Queue: r.count(n, "server", "maxQueuedRequests")}
	drain := model.Drain{Stop: r.duration(n, "server", "shutdownGracePeriod")}
	connectors := n.Get("applicationConnectors")
	if !connectors.Present() {
		connectors = n.Get("connector")
	}
	found := false
	for c := range connectors.Items() {
		found = true
		s := &model.Service{Name: "connector " + c.Get("port").String(), At: place(c), Exec: exec, Drain: drain}
		s.Listen.Address = c.Get("port").String()
		s.Listen.Idle = r.duration(c, "connector", "idleTimeout")
		s.Listen.Backlog = r.count(c, "connector", "acceptQueueSize")
		r.Service(s)
	}
	if !found {
		s := &model.Service{Name: "server", At: place(n), Exec: exec, Drain: drain}
		s.Listen.Idle = r.Default("dropwizard", "connector.idleTimeout", place(n))
		s.Listen.Backlog = r.Default("dropwizard", "connector.acceptQueueSize", place(n))
		r.Service(s)
	}
	r.known(n, "server", serverKeys)
}

// named is the kind of an object with the keys under which it stands.
func named(kind string, n *tree.Node) string {
	if path := n.Path(); path != "" && path != kind {
		return kind + " " + path
	}
	return kind
}

func (r *reader) database(n *tree.Node) {
	h := &model.Hop{Name: named("database", n), To: "database", Layer: model.Library, At: place(n)}
	p := &h.Pool
	p.Max, p.Min = r.count(n, "database", "maxSize"), r.count(n, "database", "minSize")
	p.Wait = r.duration(n, "database", "maxWaitForConnection")
	p.Validation = r.Duration(n.Get("validationQueryTimeout"), "validationQueryTimeout", bind.WithUnit)
	p.Lifetime = r.Duration(n.Get("maxConnectionAge"), "maxConnectionAge", bind.WithUnit)
	p.IdleEvict = r.duration(n, "database", "minIdleTime")
	r.known(n, "database", databaseKeys)
	r.Hop(h)
}

func (r *reader) client(key string, n *tree.Node) {
	h := &model.Hop{Name: named("client", n), Layer: model.Library, At: place(n)}
	h.Connect = r.duration(n, "client", "connectionTimeout")
	h.GapRead = bind.NoLimitAtMost(r.duration(n, "client", "timeout"))
	h.Pool.Max = r.count(n, "client", "maxConnectionsPerRoute")
	h.Pool.Wait = bind.NoLimitAtMost(r.duration(n, "client", "connectionRequestTimeout"))
	h.Pool.Lifetime = r.duration(n, "client", "timeToLive")
	bind.Set(&h.Extra, r.count(n, "client", "maxConnections"))
	bind.ExtraTries(&h.Retry, r.count(n, "client", "retries"))
	h.Retry.On = []model.Condition{{Cause: model.Reset, Word: "IOException", At: h.At, Default: true}}
	h.Backoff.None = true
	if strings.EqualFold(key, "jerseyClient") || n.Get("workQueueSize").Present() {
		h.Caps.Requests, h.Caps.Queue = r.count(n, "client", "maxThreads"), r.count(n, "client", "workQueueSize")
	}
	r.known(n, "client", clientKeys)
	r.Hop(h)
}

func (r *reader) known(n *tree.Node, object string, keys []string) {
	set := map[string]bool{}
	for _, k := range keys {
		set[k] = true
	}
	for key, c := range n.Fields() {
		if !set[key] {
			r.Unknown(key, object, keys, c.KeyAt)
		}
	}
}
