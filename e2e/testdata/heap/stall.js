// A server of Node that answers some requests and keeps others, and makes outgoing
// requests of its own, then writes a heap snapshot and what it knows to be true.
//
// node stall.js OUT PENDING [more]
//
// Clients run in a second process, so that none of their objects are in the heap. With
// "more" it goes on: as many requests again, and a second snapshot OUT.2.
'use strict';
const http = require('http');
const http2 = require('http2');
const v8 = require('v8');
const fs = require('fs');
const { spawn } = require('child_process');

const [, , out, count, more] = process.argv;
const pending = +count;
const idle = 120, sent = 40, outgoing = 130, sockets = 4, streams = 140, sessions = 2, timers = 700, ticks = 2500;

class Admission {
  constructor() { this.backlog = []; }
  take(req, res) { this.backlog.push({ req, res, at: Date.now() }); }
}

const admission = new Admission();
const open = [];
let answered = 0, begun = 0, kept = 0;

const server = http.createServer((req, res) => {
  if (req.url === '/idle') { answered++; res.end('ok'); return; }
  if (req.url === '/stream') { begun++; res.writeHead(200); res.write('begun'); return; }
  if (req.url === '/own') { kept++; res.socket.keepHere = res; return; }
  admission.take(req, res);
});
for (const t of ['timeout', 'requestTimeout', 'headersTimeout', 'keepAliveTimeout']) server[t] = 0;

const second = http2.createServer();
second.on('stream', (s) => { open.push(s); });

const client = `
const net = require('net'), http2 = require('http2');
const [port, port2, pending, idle, sent, streams, sessions] = process.argv.slice(1).map(Number);
function ask(n, path) {
  for (let i = 0; i < n; i++) {
    const c = net.connect(port, '127.0.0.1', () => c.write('GET ' + path + ' HTTP/1.1\\r\\nHost: test\\r\\n\\r\\n'));
    c.on('error', () => {}); c.on('data', () => {});
  }
}
ask(idle, '/idle'); ask(sent, '/stream'); ask(pending, '/wait');
for (let s = 0; s < sessions; s++) {
  const c = http2.connect('http://127.0.0.1:' + port2);
  c.on('error', () => {});
  for (let i = 0; i < streams / sessions; i++) { const r = c.request({ ':path': '/' }); r.on('error', () => {}); r.end(); }
}
process.stdin.on('data', () => ask(pending, '/wait'));
process.stdin.on('end', () => process.exit());
`;

function truth() {
  return { open: admission.backlog.length + kept + open.length, array: admission.backlog.length, http1: admission.backlog.length + kept,
    begun, http2: open.length, outgoing: outgoing - sockets, timers, ticks };
}

function snapshot(path) {
  v8.writeHeapSnapshot(path);
  fs.writeFileSync(path + '.truth.json', JSON.stringify(truth()));
}

function when(ready, then) {
  const poll = setInterval(() => { if (ready()) { clearInterval(poll); then(); } }, 20);
}

server.listen(0, '127.0.0.1', () => second.listen(0, '127.0.0.1', () => {
  const port = server.address().port;
  const child = spawn(process.execPath, ['-e', client, port, second.address().port, pending, idle, sent, streams, sessions].map(String), { stdio: ['pipe', 'inherit', 'inherit'] });
  setTimeout(() => { console.error('not all requests came'); child.kill(); process.exit(1); }, 40000).unref();
  const agent = new http.Agent({ maxSockets: sockets });
  for (let i = 0; i < outgoing; i++) http.get({ port, host: '127.0.0.1', path: '/own', agent }).on('error', () => {});
  const came = (n) => admission.backlog.length >= n && answered >= idle && begun >= sent && open.length >= streams && kept >= sockets;
  when(() => came(pending), () => {
    for (let i = 0; i < timers; i++) setTimeout(() => {}, 600000).unref();
    for (let i = 0; i < ticks; i++) process.nextTick(() => {});
    snapshot(out);
    const end = () => { child.stdin.end(); setTimeout(() => process.exit(0), 50); };
    if (!more) { end(); return; }
    child.stdin.write('more');
    when(() => came(2 * pending), () => { snapshot(out + '.2'); end(); });
  });
}));
