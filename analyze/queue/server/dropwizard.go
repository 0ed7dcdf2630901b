package server

import "fmt"

var dropwizard = dialect{
	name: "dropwizard", title: "Dropwizard", versions: "1.x to 5",
	threads: 1024, write: writeDropwizard,
}

const dropwizardDoc = "Dropwizard manual, Configuration Reference (dropwizard/dropwizard, docs/source/manual/configuration.rst)"

func writeDropwizard(v Values) ([]Item, []Snippet, []string) {
	threads, queue := v.threadPool(1024, jettyOwn)
	items := []Item{
		{Kind: Queue, Key: "server.maxQueuedRequests", Value: count(queue), Unit: "jobs", Default: "1024", Source: dropwizardDoc},
		v.workersItem(Item{Key: "server.maxThreads", Unit: "threads", Default: "1024", Source: dropwizardDoc,
			Note: fmt.Sprintf("Jetty needs some %d threads of the pool for itself; the snippet adds them", jettyOwn)}),
		{Kind: AcceptQueue, Key: "server.applicationConnectors[].acceptQueueSize", Value: count(v.AcceptQueue), Unit: "connections", Default: "the system's, which in Java is 50", Source: dropwizardDoc},
		v.poolItem(Item{Key: "httpClient.maxConnectionsPerRoute", Unit: "connections per client", Default: "1024", Source: dropwizardDoc}),
		{Kind: RateLimit, Note: fmt.Sprintf("no such setting; put one in front at %d/s, burst %d", v.Rate, v.Burst), Source: dropwizardDoc},
	}
	code := fmt.Sprintf("server:\n  maxThreads: %d\n  minThreads: %d\n", threads, min(threads, 8)) +
		fmt.Sprintf("  maxQueuedRequests: %d\n  applicationConnectors:\n    - type: http\n      port: 8080\n      acceptQueueSize: %d\n", queue, v.AcceptQueue)
	if v.PoolMax > 0 {
		code += fmt.Sprintf("httpClient: # of the clients of this server\n  maxConnectionsPerRoute: %d\n  timeout: %dms\n  connectionRequestTimeout: %dms\n", v.PoolMax, millis(v.Timeout), millis(v.Timeout/4))
	}
	return items, []Snippet{{File: "config.yml", Lang: "yaml", Code: code}}, []string{
		"A full queue makes Jetty, which serves underneath, close the connection without an answer.",
	}
}
