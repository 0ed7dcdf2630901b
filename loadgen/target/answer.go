package target

import "time"

// Kind is what the service made of a request.
type Kind uint8

const (
	// Full is a complete answer.
	Full Kind = iota
	// Degraded is a partial answer: status 200 with X-Partial: 1.
	Degraded
	// Shed is a refusal at arrival: queue full or rate limit.
	Shed
	// Dropped is a request given up when its turn came: too old, or its client
	// had left.
	Dropped
)

var kindNames = [...]string{Full: "full", Degraded: "degraded", Shed: "shed", Dropped: "dropped"}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Answer is what the service answers to one request.
type Answer struct {
	Kind Kind
	// Status is the HTTP status.
	Status int
	// RetryAfter is the hint of a refusal; 0 when it gives none.
	RetryAfter time.Duration
	// Wait is the queue wait, from arrival to the begin of service (or to the
	// drop); Service is the time from there to the end, stalls included.
	Wait, Service time.Duration

	// limited tells a refusal by the rate limit from one by the queue.
	limited bool
}
