package server

import (
	"fmt"
	"time"
)

var haproxy = dialect{
	name: "haproxy", title: "HAProxy", versions: "2.4 and later",
	write: writeHAProxy,
}

const haproxyDoc = "HAProxy Configuration Manual (doc/configuration.txt), sections 4.2, 5.2 and 7.3"

func writeHAProxy(v Values) ([]Item, []Snippet, []string) {
	queue := max(v.Queue, 1)
	queueItem := Item{Kind: Queue, Key: "server maxqueue", Value: count(queue), Unit: "requests", Default: "0, no limit", Source: haproxyDoc,
		Note: fmt.Sprintf("needs maxconn; 'timeout queue %dms' bounds the wait of what no server's queue takes", millis(v.QueueWait))}
	if v.Workers == 0 {
		queueItem.Key, queueItem.Value, queueItem.Unit = "server maxconn, in place of maxqueue", count(v.inSystem()), "requests in the system"
	}
	items := []Item{
		queueItem,
		v.workersItem(Item{Key: "server maxconn", Unit: "requests at once", Default: "0, no limit", Source: haproxyDoc}),
		{Kind: AcceptQueue, Key: "backlog", Value: count(v.AcceptQueue), Unit: "connections", Default: "maxconn of the frontend", Source: haproxyDoc},
		v.poolItem(Item{Key: "server pool-max-conn", Unit: "idle connections", Default: "-1, no limit", Source: haproxyDoc}),
		{Kind: RateLimit, Key: "http-request deny deny_status 429 if { fe_req_rate gt n }", Value: count(v.Rate), Unit: "requests per second", Default: "no limit", Source: haproxyDoc,
			Note: "it counts over the last second and has no burst"},
	}
	limits, note := fmt.Sprintf(" maxconn %d maxqueue %d", v.Workers, queue), ""
	if v.Workers == 0 {
		// Without workers HAProxy must not queue; it bounds what it lets in.
		limits = fmt.Sprintf(" maxconn %d", v.inSystem())
		note = "Without the number of workers maxconn lets the whole useful queue wait in the service itself."
	}
	pool := ""
	if v.PoolMax > 0 {
		pool = fmt.Sprintf(" pool-max-conn %d", v.PoolMax)
	}
	code := fmt.Sprintf(`frontend service_in
    mode http
    bind 127.0.0.1:8080
    backlog %d
    timeout client 30s
    http-request deny deny_status 429 if { fe_req_rate gt %d }
    default_backend service

backend service
    mode http
    timeout connect %dms
    timeout server %dms
    timeout queue %dms
    retries 1
    server one 127.0.0.1:8081%s%s
`, v.AcceptQueue, v.Rate, millis(min(v.Timeout, time.Second)), millis(v.Timeout), millis(v.QueueWait), limits, pool)
	notes := []string{"When every server's queue is full a request waits in the backend's own queue, which has no limit but 'timeout queue': keep that short."}
	if note != "" {
		notes = append(notes, note)
	}
	return items, []Snippet{{File: "haproxy.cfg", Lang: "haproxy", Code: code}}, notes
}
