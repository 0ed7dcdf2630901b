// Package queue judges the settings of one server and its clients: how long the
// queue may be, how many workers and connections there should be, how large the
// accept queue, the rate limit and the retry budget, and what today's values
// cost.
//
// It takes plain numbers and returns a [Result], which is the JSON of the
// command. The theory is that of package queuecalc; the judgement is here. It
// reads no files and measures nothing: where a number comes from is the
// business of its caller. How a server wants its settings written is the
// business of package server below.
package queue
