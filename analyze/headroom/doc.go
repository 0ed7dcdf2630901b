// Package headroom finds how much load a service takes before it breaks its
// service-level objective, and what happens past that.
//
// Capacity is the highest rate of Poisson arrivals at which, in steady state,
// every clause of the SLO holds. The package does not look for it by trial
// and error: a short trial near capacity says little, since a queue at 99 %
// utilisation takes half a minute to settle and a trial that begins with an
// empty queue looks better than steady state. It holds the service just
// saturated instead, with a feedback pilot, so that every completion is a
// sample of what the service can do while almost no request is late; then it
// plays Poisson arrivals against the measured completions in a virtual queue
// and solves for the rate at which the SLO's budget is spent. See
// docs/methods/capacity.md.
//
// The package does not offer load itself ([loadgen.Offerer] does), does not
// print, and reads no clock: on a virtual Offerer a whole search runs in a
// test.
package headroom
