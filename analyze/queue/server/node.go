package server

import "fmt"

var node = dialect{
	name: "node", title: "Node.js", versions: "18 and later",
	write: writeNode,
}

const (
	nodeNet  = "Node.js documentation, net: server.listen"
	nodeHTTP = "Node.js documentation, http"
)

// writeNode limits in front of the handler: the event loop has no queue to
// bound.
func writeNode(v Values) ([]Item, []Snippet, []string) {
	running := v.running()
	items := []Item{
		{Kind: Queue, Key: "(listener) places", Value: count(v.inSystem()), Unit: "requests in the system", Default: "no limit", Source: nodeHTTP,
			Note: "server.maxConnections bounds connections, idle ones too"},
		v.workersItem(Item{Key: "(listener) running", Unit: "requests at once", Default: "no limit", Source: nodeHTTP,
			Note: "for requests that wait for something; what computes has one thread a process"}),
		{Kind: AcceptQueue, Key: "server.listen({ backlog })", Value: count(v.AcceptQueue), Unit: "connections", Default: "511", Source: nodeNet},
		v.poolItem(Item{Key: "http.Agent maxSockets", Unit: "connections per client process", Default: "Infinity", Source: nodeHTTP + ".Agent"}),
		{Kind: RateLimit, Key: "(listener) perSecond, burst", Value: fmt.Sprintf("%d, %d", v.Rate, v.Burst), Unit: "requests per second, requests", Default: "no limit", Source: nodeHTTP},
	}
	head := ""
	if v.Workers == 0 {
		head = "// " + allRun + "\n"
	}
	code := fmt.Sprintf(`'use strict';
const http = require('node:http');

%sconst places = %d; // requests that run or wait
const running = %d; // requests that run
const maxWait = %d; // ms
const perSecond = %d;
const burst = %d;

let active = 0;
const waiting = [];
let tokens = burst;
let last = performance.now();

function allowed() {
  const now = performance.now();
  tokens = Math.min(tokens + ((now - last) / 1000) * perSecond, burst);
  last = now;
  if (tokens < 1) return false;
  tokens--;
  return true;
}

// limit refuses at once what would be answered too late.
function limit(handler) {
  const start = (req, res) => {
    active++;
    res.once('close', () => {
      active--;
      next();
    });
    handler(req, res);
  };
  const next = () => {
    while (active < running && waiting.length > 0) {
      const { req, res, since } = waiting.shift();
      if (res.destroyed) continue;
      if (performance.now() - since > maxWait) {
        res.writeHead(503).end('waited too long\n');
        continue;
      }
      start(req, res);
    }
  };
  return (req, res) => {
    if (!allowed()) return res.writeHead(429).end('over the rate limit\n');
    if (active < running) return start(req, res);
    if (active + waiting.length >= places) return res.writeHead(503).end('queue is full\n');
    waiting.push({ req, res, since: performance.now() });
  };
}

const server = http.createServer(limit((req, res) => res.end('ok\n')));
server.listen({ port: Number(process.env.PORT ?? 8080), host: '127.0.0.1', backlog: %d });
`, head, v.inSystem(), running, millis(v.QueueWait), v.Rate, v.Burst, v.AcceptQueue)
	snippets := []Snippet{{File: "server.js", Lang: "js", Code: code}}
	if v.PoolMax > 0 {
		snippets = append(snippets, Snippet{File: "agent.js, in the clients", Lang: "js", Code: fmt.Sprintf(
			"const agent = new (require('node:http').Agent)({ keepAlive: true, maxSockets: %d, maxFreeSockets: %d, timeout: %d });\n", v.PoolMax, v.PoolMax, millis(v.Timeout))})
	}
	return items, snippets, nil
}
