// Package goproc judges a Go process by its profiles: whether requests pile up in
// it, where they wait, how many are served at once, and what each costs.
//
// A goroutine profile tells more than what is running: a request is a goroutine
// with its server's function on the stack, and one that stands at a channel, a
// lock or a pool waits for its turn, while those past that point in the same
// function have had theirs. Both counts, and so the limit of concurrency, are in
// one profile. What it cannot tell it says: whether a select waits for a turn or
// for an event, and how long (the text of debug=2 has that, in minutes).
//
// Which functions serve, wait or merely help is a table, table.yaml, to which users
// add rows.
package goproc
