package pending

// KindGoroutines is the kind of a [Queue] whose entries are goroutines that wait at
// one place. There is no queue as an object: the runtime keeps who waits at a
// channel or a lock.
const KindGoroutines = "goroutines"

// ClockMinutes is the clock of an [Age] in whole minutes, as the text of all
// goroutines has it: an age of 0 is below a minute.
const ClockMinutes = "minutes"

// Go is what only the profiles of a Go process tell.
type Go struct {
	// Processes is how many snapshots were added up.
	Processes  int64 `json:"process_count"`
	Goroutines int64 `json:"goroutine_count"`
	// States counts all goroutines by what they wait for.
	States      []GoState     `json:"states"`
	Requests    GoRequests    `json:"requests"`
	Connections GoConnections `json:"connections"`
	Memory      *GoMemory     `json:"memory,omitempty"`
	// Contention is what block and mutex profiles tell of waits that ended.
	Contention []GoContention `json:"contention,omitempty"`
	// Base is what has changed since the base.
	Base *GoBase `json:"base,omitempty"`
}

// GoState is the goroutines in one state, in the runtime's words.
type GoState struct {
	State string `json:"state"`
	Count int64  `json:"count"`
}

// GoRequests are the requests in their handlers, without the one that fetched the
// profile.
type GoRequests struct {
	Total int64 `json:"request_count"`
	// Waiting are those that wait for their turn, Served those that are past, Unclear
	// those that wait for a turn, a result or an event, which a profile cannot tell.
	Waiting int64 `json:"waiting_count"`
	Served  int64 `json:"served_count"`
	Unclear int64 `json:"unclear_count"`
	// Downstream are those of Served that wait for another service, Client those
	// that wait for their client.
	Downstream int64 `json:"downstream_count"`
	Client     int64 `json:"client_count"`
	// Abandoned are handlers that work on though http.TimeoutHandler has answered.
	Abandoned int64 `json:"abandoned_count"`
	// LongLived are websockets and such, which are not in Total.
	LongLived int64 `json:"long_lived_count"`
	// Protocols counts Total.
	Protocols []GoProtocol `json:"protocols"`
}

// GoProtocol is the requests or connections of one protocol.
type GoProtocol struct {
	Protocol string `json:"protocol"`
	Count    int64  `json:"count"`
}

// GoConnections are the connections of servers.
type GoConnections struct {
	// Idle are kept alive without a request; Reading have sent no whole request yet.
	Idle    int64 `json:"idle_count"`
	Reading int64 `json:"reading_count"`
	// Multiplexed are those of HTTP/2 and gRPC, which carry any number of requests.
	Multiplexed int64 `json:"multiplexed_count"`
	// Blocked are those of Multiplexed that take no further requests, as the handlers
	// they may have run already.
	Blocked int64 `json:"blocked_count,omitempty"`
	// AcceptBlocked is true when a limited listener takes no more.
	AcceptBlocked bool `json:"accept_blocked,omitempty"`
}

// GoMemory is what the heap profile says of requests and connections. It is an
// estimate from samples, as of the last garbage collection that ended.
type GoMemory struct {
	// Bytes is all that is in use.
	Bytes int64 `json:"in_use_bytes"`
	// Period is the mean of bytes between two samples.
	Period int64 `json:"sampling_period_bytes,omitempty"`
	// Connections and Requests are what the servers themselves allocated for them;
	// Handlers is what handlers allocated, which may outlive the request.
	Connections int64 `json:"connection_bytes"`
	Requests    int64 `json:"request_bytes"`
	Handlers    int64 `json:"handler_bytes"`
	// EachConnection and EachRequest are the mean of one.
	EachConnection *float64 `json:"each_connection_bytes,omitempty"`
	EachRequest    *float64 `json:"each_request_bytes,omitempty"`
	// Error is how far Connections and Requests together may be off, as a share:
	// two standard deviations of the sampling.
	Error *float64 `json:"error_ratio,omitempty"`
	// Stacks is the memory of stacks, which is not in Bytes: as runtime.MemStats has
	// it where the text form of the profile was given.
	Stacks *int64 `json:"stack_bytes,omitempty"`
}

// GoContention is the waits at one place that ended.
type GoContention struct {
	Place string `json:"place"`
	// Profile is "block", at the place that waits, or "mutex", at the place that let
	// others go on.
	Profile string  `json:"profile"`
	Count   int64   `json:"wait_count"`
	Seconds float64 `json:"wait_seconds"`
	// Mean is Seconds of Count.
	Mean float64 `json:"mean_wait_seconds"`
	// Rate is waits per second, known of profiles over a time (?seconds=N).
	Rate *float64 `json:"wait_per_second,omitempty"`
}

// GoBase is the change since the base.
type GoBase struct {
	// Seconds is the time between the two; absent where a profile does not tell.
	Seconds    *float64 `json:"elapsed_seconds,omitempty"`
	Goroutines int64    `json:"goroutine_change"`
	Requests   int64    `json:"request_change"`
	Bytes      *int64   `json:"in_use_change_bytes,omitempty"`
	// Places are those that changed most.
	Places []GoChange `json:"places"`
}

// GoChange is the change at one place.
type GoChange struct {
	Place  string `json:"place"`
	State  string `json:"state,omitempty"`
	Change int64  `json:"goroutine_change"`
	// Rate is goroutines per second.
	Rate *float64 `json:"goroutine_change_per_second,omitempty"`
}

// FromBlock is a throughput that follows from a block profile over a time: the
// waits at that place that ended.
const FromBlock = "block profile"
