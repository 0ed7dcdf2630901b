// Package nodeproc judges heap snapshots of V8 processes, above all of Node: how many
// requests are not answered and which array or map they wait in, how many outgoing
// requests wait for a connection, and what waits for the event loop.
//
// Node has no pool of workers with a queue before it: a request that has come is in
// its handler at once, so what piles up are open requests. They are counted by the
// properties that Node's own modules keep (lib/_http_server.js, lib/_http_client.js,
// lib/internal/http2/core.js, lib/internal/fixed_queue.js of nodejs/node): a socket's
// _httpMessage is the response that it waits for, and null once it was sent. A
// snapshot has no numbers and no clocks: ages, limits and rates are not in it.
package nodeproc
