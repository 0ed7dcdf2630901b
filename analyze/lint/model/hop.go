package model

// Layer is where on the way from caller to callee a hop's settings apply.
type Layer uint8

// The layers, from the caller's code outwards.
const (
	LayerUnknown Layer = iota
	App
	Library
	Sidecar
	Gateway
	Balancer
)

var layerNames = [...]string{"unknown", "application", "library", "sidecar", "gateway", "balancer"}

// String returns the layer as reports write it.
func (l Layer) String() string {
	if int(l) < len(layerNames) {
		return layerNames[l]
	}
	return "unknown"
}

// MarshalText writes the layer as a word.
func (l Layer) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Hop is how one program calls another, as one object of a file sets it: a location
// with proxy_pass, a route, a client, a connection pool.
type Hop struct {
	// Name is how reports call it, such as "location /api".
	Name string
	// From and To name caller and callee where the file tells.
	From, To string
	Layer    Layer
	At       Position
	// Match is which requests take it, as the format writes it.
	Match string
	// Streams marks a hop of long-lived streams (WebSocket, server-sent events,
	// gRPC streams), whose limits are no limits of a request.
	Streams bool
	// Test marks a hop in a file whose path or content says that it is no production
	// setting, such as an example of fault injection.
	Test bool

	// Limits of time. A reader puts a setting into the one that means it, and sets the
	// others from defaults or leaves them absent where the format has none.
	Connect  Value // to have a connection
	PerTry   Value // one try, whole
	Total    Value // the call with all of its tries
	GapRead  Value // between two reads: no limit of the whole
	GapSend  Value // between two writes
	Idle     Value // a connection that is kept and carries nothing
	StartTry Value // after it no further try is begun

	Retry   Retry
	Backoff Backoff
	Hedge   Hedge
	Budget  Budget
	Pool    Pool
	Caps    Caps
	Breaker Breaker
	Checks  []Check
	Faults  []Fault
	// CancelsWork says whether the end of the limit ends the callee's work.
	CancelsWork Value
	// CarriesDeadline says that the program tells the callee, and so all behind it, when it
	// gives up: gRPC sends its deadline along, and resets the stream.
	CarriesDeadline bool
	// CallerOverrides is a setting that lets callers change limits.
	CallerOverrides Value
	// SideCalls are the limits of calls that are made before the hop's own: external
	// authorization, rate limiting, token exchange.
	SideCalls []Value
	// Doubles are settings that are written twice for this hop: the one that wins and
	// then the one that does not.
	Doubles [][2]Value
	// Extra holds what only rules of one format read, by the setting's key.
	Extra map[string]Value
}

// Dialect is what the number of a retry setting counts.
type Dialect uint8

// The dialects.
const (
	TotalTries Dialect = iota // the first try is one of them
	ExtraTries                // the first try comes on top
	ProductOf                 // two settings multiply
)

// Retry is when a call is tried again.
type Retry struct {
	// Tries is how many tries a call takes at most, the first one included, +Inf for
	// no bound: what every dialect comes down to.
	Tries Value
	// Written is the setting as the file has it, in its dialect.
	Written Value
	Dialect Dialect
	// On is on what a call is tried again.
	On []Condition
	// Methods are the HTTP methods or names of calls that are tried again; nil with
	// AllMethods false stands for idempotent ones only.
	Methods    []Method
	AllMethods Value
	// MethodList says that Methods are the items of a list of what is tried again, each
	// of which can be taken out without a change of anything else.
	MethodList bool
	// SameHost says whether a further try may go to the host that failed.
	SameHost Value
	// Implicit marks retries that nobody wrote: a default of the program or the mesh.
	Implicit bool
	// Servers is how many servers a call can walk through, where the file lists them;
	// 0 is unknown.
	Servers int
}

// Method is a method or call that is tried again.
type Method struct {
	Name string
	At   Position
}

// Cause is what a further try answers to.
type Cause uint8

// The causes.
const (
	OtherCause     Cause = iota
	ConnectFailure       // no connection: nothing was sent
	Refused              // the server said that it had not begun (refused stream)
	Reset                // the connection broke: work may have been done
	TimedOut             // the limit of the try has passed
	DeadlineSpent        // the whole call's deadline has passed
	Shed                 // the callee is overloaded: 429, 503, RESOURCE_EXHAUSTED
	ServerFault          // 500, INTERNAL, UNKNOWN, DATA_LOSS: it will fail again
	Unavailable          // 502, 504, UNAVAILABLE: it may work elsewhere
	ClientFault          // 4xx other than 408, 425, 429: it will fail again
)

// Condition is one cause as the file writes it.
type Condition struct {
	Cause Cause
	// Word is the format's own, such as http_503 or 5xx.
	Word string
	At   Position
	// Default marks a condition that nobody wrote.
	Default bool
}

// Retries reports whether a call may be tried more than once, as far as is known.
func (r Retry) Retries() bool { return r.Tries.Known() && r.Tries.Amount > 1 }

// Backoff is the wait between tries.
type Backoff struct {
	Base       Value // before the second try
	Multiplier Value // by which it grows from try to try
	Max        Value
	// Jitter is the share of the wait that is random, 1 for all of it.
	Jitter Value
	// Hint says whether the callee's own wish (Retry-After, pushback) is honoured.
	Hint Value
	// None marks a format in which no wait can be set.
	None bool
	// Refused says that there is a wait only after a connection that was refused, not
	// after a limit of time has passed and not after an answer.
	Refused bool
}

// Hedge is a second request that is sent before the first has failed.
type Hedge struct {
	Delay Value
	Max   Value // requests in all
	// Ignored says that the program that reads the file does not hedge, and why.
	Ignored string
}

// Scope is over what a budget is kept.
type Scope uint8

// The scopes.
const (
	ScopeUnknown Scope = iota
	PerHost
	PerCluster
	PerService
	PerProcess
	Global
)

var scopeNames = [...]string{"unknown", "host", "cluster", "service", "process", "global"}

// String returns the scope as reports write it.
func (s Scope) String() string {
	if int(s) < len(scopeNames) {
		return scopeNames[s]
	}
	return "unknown"
}

// Budget bounds how many tries are further ones.
type Budget struct {
	Ratio      Value // of the calls
	Tokens     Value // of a token bucket
	Concurrent Value // further tries at once
	Floor      Value // per second, whatever the ratio says
	Window     Value
	Scope      Scope
	// Supported says that the format has a setting for a budget.
	Supported bool
}

// Bounded reports whether any budget is known to hold.
func (b Budget) Bounded() bool { return b.Ratio.Finite() || b.Tokens.Finite() || b.Concurrent.Finite() }

// Pool is a pool of connections.
type Pool struct {
	Min, Max Value
	// PerServer says that Min and Max hold for each host of the callee apart.
	PerServer bool
	// Waiters is how many callers may wait for a connection.
	Waiters Value
	// Wait is how long one waits.
	Wait       Value
	Lifetime   Value
	Validation Value
	IdleEvict  Value
	// Requests is after how many requests a connection is closed.
	Requests Value
	// KeepAlive says whether connections are kept at all.
	KeepAlive Value
}

// Caps bound what is under way to the callee.
type Caps struct {
	Connections Value
	Pending     Value // requests that wait for a connection
	Requests    Value
	Retries     Value
	// PerServer says that Connections holds for each server apart.
	PerServer bool
	// Queue is how many requests may wait for a server with no slot free, QueueWait
	// how long.
	Queue, QueueWait Value
}

// Breaker is when a callee is left alone.
type Breaker struct {
	// Errors opens it: a count in a row, or within Window.
	Errors Value
	// Rate opens it: a share of calls, of at least MinCalls.
	Rate     Value
	MinCalls Value
	Window   Value
	Open     Value // how long it stays open
	// MaxEjected is the share of hosts that may be left out at once.
	MaxEjected Value
	// Off says that checks by traffic are switched off.
	Off Value
}

// Check is an active health check or a probe.
type Check struct {
	// Kind is liveness, readiness, startup or health.
	Kind     string
	At       Position
	Interval Value
	Timeout  Value
	Failures Value // until it counts as down
	Rises    Value // until it counts as up
	Delay    Value // before the first
	// Target is what it asks, such as "http :8080 /healthz".
	Target string
	// Serves says that the port serves requests too, as far as the file tells.
	Serves bool
}

// Fault is a fault that is injected on purpose.
type Fault struct {
	Kind  string // delay or abort
	Share Value
	Delay Value
	At    Position
}
