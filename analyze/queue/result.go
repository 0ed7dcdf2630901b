package queue

import (
	"example.com/kneeline/analyze/queue/server"
	"example.com/kneeline/internal/finding"
)

// Schema names the shape of [Result] as JSON.
const Schema = "kneeline.queuesize/v1"

// Result is the answer, and as JSON the document of the command. Quantities are
// in base SI units, named in the key. A key that is absent was not known or not
// asked for; it is never a zero.
type Result struct {
	Schema string `json:"schema"`
	// Verdict is the answer in one sentence.
	Verdict string `json:"verdict"`
	Input   Input  `json:"input"`
	Advice  Advice `json:"advice"`
	// Today judges the values that were given as today's; absent without any.
	Today *Today `json:"today,omitempty"`
	// Goodput says what queues of some lengths do.
	Goodput []Row `json:"goodput"`
	// Curves are goodput and wait against queue length, one a load.
	Curves   []Curve           `json:"curves"`
	Sweep    *Sweep            `json:"what_if,omitempty"`
	Server   *server.Settings  `json:"server,omitempty"`
	Formulas []Formula         `json:"formulas,omitempty"`
	Findings []finding.Finding `json:"findings"`
	// Missing lists the inputs that were not given and what they would tell.
	Missing []Missing `json:"missing"`
	// Warnings limit what the answer is good for, as sentences.
	Warnings []string `json:"warnings"`
}

// Interval is an estimate with the ends of its confidence interval, which are
// absent where it has none.
type Interval struct {
	Estimate float64  `json:"estimate"`
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`
}

// Input is what the answer was computed from.
type Input struct {
	Capacity Interval `json:"capacity_per_second"`
	Timeout  float64  `json:"timeout_seconds"`
	// Sustained is the rate at which the objective holds, where it is known apart
	// from the capacity.
	Sustained   *Interval `json:"sustained_per_second,omitempty"`
	ServiceTime *float64  `json:"service_time_seconds,omitempty"`
	ServiceP99  *float64  `json:"service_time_p99_seconds,omitempty"`
	// Workers are as given, or by Little's law from the service time.
	Workers        *int     `json:"workers,omitempty"`
	WorkersDerived bool     `json:"workers_derived"`
	HedgeAfter     *float64 `json:"hedge_after_seconds,omitempty"`
	Retries        *int     `json:"retries,omitempty"`
	RetryAfter     *float64 `json:"retry_after_seconds,omitempty"`
	RetryBudget    *float64 `json:"retry_budget_ratio,omitempty"`
	// BudgetOver is how many destinations share one budget.
	BudgetOver      *int64   `json:"retry_budget_destinations,omitempty"`
	Peak            *float64 `json:"peak_per_second,omitempty"`
	BytesPerRequest *int64   `json:"request_bytes,omitempty"`
	Clients         *int64   `json:"clients,omitempty"`
	Pool            *int64   `json:"pool_connections,omitempty"`
	Queue           *int64   `json:"queue_positions,omitempty"`
	QueueUnbounded  bool     `json:"queue_unbounded"`
	AcceptQueue     *int64   `json:"accept_queue,omitempty"`
	Somaxconn       *int64   `json:"somaxconn,omitempty"`
	AcceptPause     *float64 `json:"accept_pause_seconds,omitempty"`
}

// Advice is what to set.
type Advice struct {
	// Positions is the request queue to set, in waiting positions: the safe value
	// at the low end of the capacity, for the hedge delay where clients hedge,
	// without the requests that run.
	Positions int64 `json:"queue_positions"`
	// WorkersToSubtract says that the workers are not known, so that Positions
	// still includes the requests that run.
	WorkersToSubtract bool `json:"workers_to_subtract"`
	// Basis is what Positions was computed from.
	Basis Basis `json:"basis"`
	// PositionsHigh is the same at the high end of the capacity.
	PositionsHigh *int64 `json:"queue_positions_high,omitempty"`
	// PositionsByTimeout is what would be set if clients did not hedge; absent
	// where they do not.
	PositionsByTimeout *int64 `json:"queue_positions_without_hedge,omitempty"`
	// BreakPoint is capacity × timeout, and Safe the value below it, both in
	// requests in the system at the estimate of the capacity.
	BreakPoint int64 `json:"break_point_in_system"`
	Safe       int64 `json:"safe_in_system"`
	// MaxWait is how long a request may wait and still be served in time.
	MaxWait     float64  `json:"queue_wait_limit_seconds"`
	Workers     *Workers `json:"workers,omitempty"`
	AcceptQueue int64    `json:"accept_queue"`
	Pool        *Pool    `json:"pool,omitempty"`
	RateLimit   Limit    `json:"rate_limit"`
	Retry       *Retry   `json:"retry,omitempty"`
}

// Basis is from which capacity and for which wait a queue was computed.
type Basis struct {
	Capacity   float64 `json:"capacity_per_second"`
	Wait       float64 `json:"wait_seconds"`
	BreakPoint int64   `json:"break_point_in_system"`
	Safe       int64   `json:"safe_in_system"`
}

// Workers is the number of workers by Little's law.
type Workers struct {
	BusyAtCapacity float64  `json:"busy_at_capacity"`
	BusyAtPeak     *float64 `json:"busy_at_peak,omitempty"`
	// Set leaves a sixth of the workers free at capacity.
	Set int `json:"set"`
	// Most is twice what capacity keeps busy; more are a second queue.
	Most int `json:"most"`
}

// Pool is how many connections a client should open to the server.
type Pool struct {
	Max int64 `json:"max_connections"`
	Min int64 `json:"min_connections"`
	// Total is what the server sees of all clients.
	Total int64 `json:"total_connections"`
}

// Limit is a server-side rate limit.
type Limit struct {
	Rate  float64 `json:"per_second"`
	Burst int64   `json:"burst"`
}

// Retry is what retries may do.
type Retry struct {
	// Headroom is the low end of capacity over peak, minus one, and the most
	// that a retry budget may add.
	Headroom *float64 `json:"headroom_ratio,omitempty"`
	Budget   *float64 `json:"budget_ratio,omitempty"`
	// HiddenCapacity is the load up to which the server recovers by itself
	// although every request is retried.
	HiddenCapacity *float64 `json:"hidden_capacity_per_second,omitempty"`
	// UsefulAfter is the break point for a retry that was sent RetryAfter into
	// the client's timeout.
	UsefulAfter *int64 `json:"break_point_of_retry_in_system,omitempty"`
}

// Today is what today's values do.
type Today struct {
	// TimesUseful is the queue over the break point.
	TimesUseful *float64 `json:"queue_over_break_point_ratio,omitempty"`
	// Dead is how many of a full queue are served after their client has left,
	// whatever happens.
	Dead      *int64   `json:"dead_on_arrival,omitempty"`
	DeadShare *float64 `json:"dead_on_arrival_ratio,omitempty"`
	// QueueWait is the wait of the last position of a full queue, which is also
	// how long it takes to drain; AcceptWait is the same for the accept queue,
	// and TotalWait their sum.
	QueueWait  *float64 `json:"queue_wait_seconds,omitempty"`
	AcceptWait *float64 `json:"accept_queue_wait_seconds,omitempty"`
	TotalWait  *float64 `json:"total_wait_seconds,omitempty"`
	// AcceptQueue is the backlog after the kernel's cut.
	AcceptQueue *int64 `json:"accept_queue_effective,omitempty"`
	// Memory is what a full queue pins, and MemoryAdvised what the advised one
	// does.
	Memory        *int64 `json:"queue_memory_bytes,omitempty"`
	MemoryAdvised *int64 `json:"advised_queue_memory_bytes,omitempty"`
	// FillSeconds is how long 1.1 × capacity takes to fill the queue.
	FillSeconds *float64 `json:"fill_seconds,omitempty"`
	// Recovers and RecoverySeconds say what follows a burst that filled every
	// queue while the peak goes on: whether and after how long answers are in
	// time again.
	Recovers        *bool    `json:"recovers,omitempty"`
	RecoverySeconds *float64 `json:"recovery_seconds,omitempty"`
	// Orders is the goodput of today's queue at 1.1 × capacity under other
	// orders of service.
	Orders []Order `json:"goodput_by_order,omitempty"`
	// Refused is the share of requests that today's queue refuses at the peak.
	Refused *float64 `json:"refused_at_peak_ratio,omitempty"`
	// Connections is what the pools of all clients add up to.
	Connections *int64 `json:"total_connections,omitempty"`
}

// Order is the goodput under one order of service.
type Order struct {
	Name    string  `json:"order"`
	Load    float64 `json:"load_ratio"`
	Goodput float64 `json:"goodput_ratio"`
}

// Row is the goodput of one queue length.
type Row struct {
	Name string `json:"name"`
	// InSystem counts the requests that run and wait, Positions those that wait.
	InSystem  int64 `json:"in_system"`
	Positions int64 `json:"queue_positions"`
	Unbounded bool  `json:"unbounded"`
	// Goodput is by load, in the order of the loads.
	Goodput []LoadShare `json:"goodput"`
}

// LoadShare is a goodput at one load, both as shares of the capacity.
type LoadShare struct {
	Load    float64 `json:"load_ratio"`
	Goodput float64 `json:"goodput_ratio"`
}

// Curve is what one load makes of queues of growing length.
type Curve struct {
	Load   float64      `json:"load_ratio"`
	Points []CurvePoint `json:"points"`
}

// CurvePoint is a queue length with what it does. Wait is from the arrival to the
// start of service, of the requests that are not refused.
type CurvePoint struct {
	Positions int64   `json:"queue_positions"`
	Goodput   float64 `json:"goodput_ratio"`
	WaitP99   float64 `json:"wait_p99_seconds"`
}

// Missing is an input that was not given.
type Missing struct {
	Input string `json:"input"`
	// Use says what it would tell.
	Use string `json:"use"`
}
