package loadgen

import (
	"context"
	"time"

	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
)

// Arrivals is the law of the gaps between planned instants.
type Arrivals uint8

const (
	// Poisson draws exponential gaps: independent users. The default, since
	// constant spacing hides queueing.
	Poisson Arrivals = iota
	// Constant spaces planned instants evenly.
	Constant
	// Closed plans nothing: a request is due whenever a connection is free, up to
	// Offer.MaxConns of them, as long as the rate is over 0. It measures the
	// client itself; it says nothing about a service's capacity, since it slows
	// down with the service.
	Closed
	// Replay plans the instants of Offer.Trace and no others. The pilot's first rate
	// over 0 starts it, and the rates after that change nothing; the run ends with
	// the trace, or with the pilot. PeakRate has to be the trace's own.
	Replay
)

// Offer says how a run is to be offered, apart from its rate.
type Offer struct {
	// Timeout is the client's deadline, counted from the planned instant.
	Timeout time.Duration
	// Thresholds are the latencies against which late answers are counted, at
	// most outcome.MaxThresholds, each at most Timeout.
	Thresholds []time.Duration
	Arrivals   Arrivals
	// Trace has the arrivals of [Replay].
	Trace Trace
	// PeakRate is the highest rate the pilot will ask for; it bounds the
	// connections at 1.5 × PeakRate × Timeout, and a higher step is cut to it.
	PeakRate float64
	// MaxConns overrides that bound when it is over 0.
	MaxConns int
	// ProbeShare of the requests are patient probes with ProbeDeadline in
	// place of Timeout. They are planned requests like any other and end as
	// timed out when they miss Timeout, but their wait is measured to the end.
	ProbeShare    float64
	ProbeDeadline time.Duration
	// Retries is how often a failed, shed or timed-out request is sent again,
	// RetryAfter after it ended. Retries have an account of their own.
	Retries    int
	RetryAfter time.Duration
	Seed       uint64
}

// Offerer offers load: the HTTP client of this package, or a simulation of one
// against a simulated service.
type Offerer interface {
	// Offer runs until the pilot stops it, or until ctx ends; then the result
	// so far comes with ctx's cause as the error.
	Offer(ctx context.Context, o Offer, p Pilot) (*Result, error)
}

// Result is what a run leaves.
type Result struct {
	Segments []Segment
	Timeline Timeline
	// Retries is the account of requests sent again by the client; they are not
	// planned requests and are in no segment's Counts.
	Retries outcome.Counts
	// Conns is how many connections were opened, ConnsPeak how many stood at once.
	Conns, ConnsPeak uint64
	// ConnsPerSecond counts the connections opened, or tried, in each second of the
	// run.
	ConnsPerSecond []uint64
	// Addresses is the account by address of the service, in the order of
	// [Client.Addresses].
	Addresses []AddressAccount
	// Session is what was spoken; of the first connection that was made.
	Session Session
	// CPUShare is the generator's own CPU time, TLS handshakes included, over the run's wall time and the
	// number of its loops; 0 when it was not measured.
	CPUShare float64
	// Strays counts kept connections on which the service sent bytes that no
	// request had asked for; they were dropped, and no request was charged.
	Strays uint64
	// Resent counts how often a request was sent again, on another connection,
	// because an HTTP/2 service went away without having processed it. That is no
	// retry: the request stays one planned request, with its own planned instant,
	// and the service has done its work once.
	Resent uint64
	// Hints tells whether Retry-After hints were honest.
	Hints Hints
	// Limits names the generator's own limits that the run met (EMFILE,
	// EADDRNOTAVAIL, connection bound), with counts.
	Limits map[string]uint64
	// Targets are the accounts of the kinds of requests, the heaviest first, where
	// there are several.
	Targets []Target
}

// Segment is the account of the requests planned under one segment number.
type Segment struct {
	// Start is when the segment's first step took effect, Duration how long its
	// steps were in force in all.
	Start, Duration time.Duration
	Counts          outcome.Counts
	// Causes counts requests of class failed by cause.
	Causes map[string]uint64
	// When tells when requests ended in trouble: failed ones by their cause, those of
	// the classes shed and timed out by the class's name.
	When map[string]*Spells
	// RetryAfterSum is the sum of Retry-After hints of shed answers, in seconds,
	// and RetryAfterN how many had one.
	RetryAfterSum float64
	RetryAfterN   uint64
	// Latency is the time from the planned instant to the end, in ns, by class;
	// entries of classes without a latency stay empty.
	Latency [outcome.NumClasses]hist.Hist
	// Service is the time from the actual send to the end of the answer,
	// SendLag from the planned instant to the actual send, in ns. A request that
	// needs a new connection counts as sent when the client begins to open it:
	// connecting is the service's time, not the generator's.
	Service, SendLag hist.Hist
	// Probes is the time from the planned instant to the end for patient
	// probes with a success answer, whether in time or not; ProbesLost counts
	// those that met ProbeDeadline or lost their connection past Timeout.
	Probes     hist.Hist
	ProbesLost uint64
	// Void says why the generator makes the segment worthless as a measurement;
	// empty when it is sound.
	Void string
}
