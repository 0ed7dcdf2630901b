package spring

import "example.com/kneeline/analyze/lint/tree"

// near are objects with keys of their own, in which a key that is nearly the same as a
// known one is a slip.
var near = map[string][]string{
	"tomcat": {
		"threads", "accept-count", "max-connections", "connection-timeout", "keep-alive-timeout", "max-keep-alive-requests", "max-threads", "min-spare-threads",
		"accesslog", "additional-tld-skip-patterns", "background-processor-delay", "basedir", "max-http-form-post-size", "max-http-post-size", "max-swallow-size",
		"max-http-response-header-size", "max-parameter-count", "max-part-count", "max-part-header-size", "mbeanregistry", "processor-cache", "redirect-context-root", "relaxed-path-chars",
		"relaxed-query-chars", "remoteip", "resource", "uri-encoding", "use-apr", "use-relative-redirects", "reject-illegal-header", "max-http-header-size", "internal-proxies", "servlet",
		"protocol-header", "remote-ip-header", "port-header",
	},
	"tomcat.threads": {"max", "min-spare", "max-queue-capacity"},
	"jetty": {
		"threads", "connection-idle-timeout", "max-connections", "accesslog", "max-http-form-post-size", "max-http-post-size", "max-form-keys", "max-http-response-header-size",
		"max-threads", "min-threads", "max-queue-capacity", "thread-idle-timeout", "acceptors", "selectors",
	},
	"jetty.threads":    {"max", "min", "max-queue-capacity", "idle-timeout", "acceptors", "selectors"},
	"undertow.threads": {"worker", "io"},
}

// knownServer notes keys of the embedded servers that there are none of.
func (r *reader) knownServer(server *settings) {
	for _, object := range []string{"tomcat", "tomcat.threads", "jetty", "jetty.threads", "undertow.threads"} {
		r.known(server.get(object), "server."+object, near[object])
	}
}

// known notes the keys below n that are not among those given.
func (r *reader) known(n *settings, object string, keys []string) {
	if !n.own() {
		return
	}
	relaxed := map[string]bool{}
	for _, k := range keys {
		relaxed[tree.Relaxed(k)] = true
	}
	for _, k := range n.below() {
		if k.mine && !relaxed[tree.Relaxed(k.name)] {
			r.Unknown(k.name, object, keys, k.at)
		}
	}
}
