// Package target is a service whose capacity is known: workers, a service-time
// law, a queue and the settings that make overload better or worse. It exists
// to try load tests on, and as the built-in demo.
//
// One model has two clocks. [Sim] runs it in virtual time, millions of requests
// a second; [Server] runs the same model on the wall clock behind net/http.
// [Truth] says which arrival rate the model really takes.
//
// The package neither offers load nor judges it: it must not know of the load
// generator.
package target
