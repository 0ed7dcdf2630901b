package server

import (
	"cmp"
	"fmt"
)

var tomcat = dialect{
	name: "tomcat", title: "Apache Tomcat", versions: "9.0, 10.1 and 11",
	threads: 200, write: writeTomcat,
}

const (
	tomcatExecutor  = "Tomcat configuration reference, The Executor"
	tomcatConnector = "Tomcat configuration reference, The HTTP Connector"
	tomcatFilters   = "Tomcat configuration reference, Container Provided Filters"
)

// writeTomcat bounds the executor's queue. Tomcat's queue hands a task to a new
// thread before it lets it wait, so the bound counts waiting requests alone.
func writeTomcat(v Values) ([]Item, []Snippet, []string) {
	threads, queue := v.threadPool(200, 0)
	if v.Threads > 0 {
		threads = v.Threads
	}
	least := min(threads, 10)
	if v.MinThreads > 0 {
		least = min(threads, v.MinThreads)
	}
	items := []Item{
		{Kind: Queue, Key: "Executor maxQueueSize", Value: count(queue), Unit: "requests", Default: "2147483647", Source: tomcatExecutor,
			Note: "the same as maxQueueSize of the Connector's own executor, which 10.1 has from 10.1.25 on"},
		v.workersItem(Item{Key: "Executor maxThreads", Unit: "threads", Default: "200", Source: tomcatExecutor}),
		{Kind: AcceptQueue, Key: "Connector acceptCount", Value: count(v.AcceptQueue), Unit: "connections", Default: "100", Source: tomcatConnector,
			Note: "it fills when maxConnections (default 8192) are open"},
		v.totalItem(Item{Key: "Connector maxConnections", Unit: "connections of all clients", Default: "8192", Source: tomcatConnector}),
		{Kind: RateLimit, Note: fmt.Sprintf("no limit for the whole server; RateLimitFilter limits each client address. The limit to set in front is %d/s, burst %d", v.Rate, v.Burst),
			Source: tomcatFilters},
	}
	code := fmt.Sprintf(`<Executor name="requests" namePrefix="request-"
          maxThreads="%d" minSpareThreads="%d" maxQueueSize="%d"/>
<Connector port="8080" protocol="HTTP/1.1" executor="requests"
           acceptCount="%d" maxConnections="%d" connectionTimeout="20000"/>
`, threads, least, queue, cmp.Or(v.AcceptQueue, 100), v.connections(8192))
	return items, []Snippet{{File: "conf/server.xml, inside <Service>", Lang: "xml", Code: code}}, []string{
		"A request that finds the executor's queue full has its connection closed without an answer, which clients see as a reset.",
	}
}

// connections is the limit on connections of all clients: theirs where their
// number is known, no less than what runs and waits, else the default.
func (v Values) connections(otherwise int64) int64 {
	if v.PoolMax == 0 {
		return max(otherwise, v.inSystem())
	}
	return max(v.PoolMax*v.Clients, v.inSystem())
}

var springBoot = dialect{
	name: "spring-boot", title: "Spring Boot with Tomcat", versions: "3.3 to 4; 2.3 and later without the queue",
	threads: 200, write: writeSpringBoot,
}

const springProperties = "Spring Boot reference, Common Application Properties, server.tomcat"

func writeSpringBoot(v Values) ([]Item, []Snippet, []string) {
	threads, queue := v.threadPool(200, 0)
	items := []Item{
		{Kind: Queue, Key: "server.tomcat.threads.max-queue-capacity", Value: count(queue), Unit: "requests", Default: "2147483647", Since: "3.3", Source: springProperties,
			Note: "must be over 0; added by spring-boot#36087"},
		v.workersItem(Item{Key: "server.tomcat.threads.max", Unit: "threads", Default: "200", Source: springProperties}),
		{Kind: AcceptQueue, Key: "server.tomcat.accept-count", Value: count(v.AcceptQueue), Unit: "connections", Default: "100", Source: springProperties},
		v.totalItem(Item{Key: "server.tomcat.max-connections", Unit: "connections of all clients", Default: "8192", Source: springProperties}),
		{Kind: RateLimit, Key: "resilience4j.ratelimiter.instances.NAME.limit-for-period", Value: count(v.Rate), Unit: "requests per limit-refresh-period",
			Default: "50 per 500 ns", Source: "Resilience4j documentation, RateLimiter", Note: "needs resilience4j-spring-boot; timeout-duration 0 refuses at once"},
	}
	code := fmt.Sprintf("server:\n  tomcat:\n    threads:\n      max: %d\n      min-spare: %d\n", threads, min(threads, 10)) +
		fmt.Sprintf("      max-queue-capacity: %d\n    accept-count: %d\n    max-connections: %d\n", queue, v.AcceptQueue, v.connections(8192)) +
		fmt.Sprintf("resilience4j:\n  ratelimiter:\n    instances:\n      inbound:\n        limit-for-period: %d\n        limit-refresh-period: 1s\n        timeout-duration: 0s\n", v.Rate)
	return items, []Snippet{{File: "application.yaml", Lang: "yaml", Code: code}}, []string{
		"With Jetty in place of Tomcat the keys are server.jetty.threads.max and server.jetty.threads.max-queue-capacity; there is none for the accept queue.",
	}
}
