package headroom

import "example.com/kneeline/internal/finding"

// Schema names the shape of [Result] as JSON.
const Schema = "kneeline.headroom/v1"

// Result is the answer, and as JSON the document of the command. Quantities are
// in base SI units, named in the key. A key that is absent was not measured or
// not asked for; it is never a zero.
type Result struct {
	Schema   string `json:"schema"`
	Complete bool   `json:"complete"`
	Target   string `json:"target,omitempty"`
	SLO      string `json:"slo"`
	// TimeoutSeconds is the clients' deadline.
	TimeoutSeconds float64 `json:"timeout_seconds"`
	// StartedUnix is when the measurement began, by the clock of the machine that
	// offered the load, in seconds since 1970.
	StartedUnix *float64  `json:"started_unix_seconds,omitempty"`
	Settings    *Settings `json:"settings,omitempty"`
	// MergedFrom are the results that this one was merged from.
	MergedFrom []Part    `json:"merged_from,omitempty"`
	Result     Answer    `json:"result"`
	Generator  Generator `json:"generator"`
	Account    Account   `json:"account"`
	// Addresses is the account by address, where there are several.
	Addresses []Address `json:"addresses,omitempty"`
	// Targets are the accounts of the kinds of requests of a mix, those with the most
	// bad requests first.
	Targets []Target `json:"targets,omitempty"`
	// Troubles tell when requests failed, and when they were shed or timed out in
	// phases that do not go to capacity and past it.
	Troubles []Trouble `json:"troubles,omitempty"`
	// RetryAfter is set when refusals had a Retry-After hint.
	RetryAfter *RetryAfter `json:"retry_after,omitempty"`
	// MetricChecks are counts of the service's own held against ours.
	MetricChecks []MetricCheck `json:"metric_checks,omitempty"`
	// StoppedBy is a signal of the service's own that ended the load.
	StoppedBy *StopSignal       `json:"stopped_by,omitempty"`
	Findings  []finding.Finding `json:"findings,omitempty"`
	// Warnings limit what the answer is good for, as sentences.
	Warnings []string `json:"warnings"`
}

// Answer is what was found.
type Answer struct {
	// Capacity is the highest rate of Poisson arrivals at which the SLO holds in
	// steady state. It is absent when there is none, or only a bound.
	Capacity *Interval `json:"capacity_per_second,omitempty"`
	// AtLeast is set in place of Capacity when the SLO held at the highest rate
	// that was allowed.
	AtLeast *float64 `json:"capacity_at_least_per_second,omitempty"`
	// Floor is set when the SLO does not hold at any rate: it is the response
	// time with next to no load.
	Floor *Floor `json:"floor,omitempty"`
	// BoundBy is the limit that binds at capacity: latency, errors, shed,
	// degraded, generator, rate cap.
	BoundBy string `json:"bound_by,omitempty"`
	// BoundByClause is the clause of the SLO that breaks first.
	BoundByClause string `json:"bound_by_clause,omitempty"`
	// Method says how the capacity was come by: "departures" from the measured
	// completions, "share against rate" from the measured curve.
	Method string `json:"method,omitempty"`
	// Discipline is the order of service that fits the latencies, for the method
	// departures.
	Discipline string `json:"discipline,omitempty"`
	// Saturated is the rate of completions of the busy service.
	Saturated *Interval `json:"saturated_throughput_per_second,omitempty"`
	// Dispersion is the variance of completions over their mean, at long time
	// scales: 1 when they come like a Poisson process, 0 like a clock.
	Dispersion *float64 `json:"completions_dispersion_ratio,omitempty"`
	// FloorSeconds is the mean response time with next to no load.
	FloorSeconds *float64 `json:"floor_seconds,omitempty"`
	Check        *Check   `json:"check,omitempty"`
	Trend        *Trend   `json:"trend,omitempty"`
	Stalls       *Stalls  `json:"stalls,omitempty"`

	// QueueBound is how many requests the service held when it refused others.
	QueueBound *float64 `json:"queue_bound_in_system,omitempty"`

	// GoodputRatio is goodput past capacity over goodput at capacity.
	GoodputRatio *float64 `json:"goodput_past_capacity_ratio,omitempty"`
	// PastCapacity is keeps, degrades or collapses.
	PastCapacity string    `json:"past_capacity,omitempty"`
	Overload     *Overload `json:"overload,omitempty"`
	// Recovers says whether the SLO held again within the allowance;
	// RecoverySeconds is how long that took.
	Recovers        *bool    `json:"recovers,omitempty"`
	RecoverySeconds *float64 `json:"recovery_seconds,omitempty"`

	UsefulQueue *UsefulQueue `json:"useful_queue,omitempty"`

	// Headroom is the low end of capacity over the peak, minus one.
	Headroom *float64 `json:"headroom_ratio,omitempty"`
	// HeadroomLessZone is the same with one zone lost.
	HeadroomLessZone *float64 `json:"headroom_less_one_zone_ratio,omitempty"`
	// GrowthMonths is after how many months the peak reaches the low end of
	// capacity; GrowthMonthsLessZone the same with one zone lost.
	GrowthMonths         *float64 `json:"growth_months,omitempty"`
	GrowthMonthsLessZone *float64 `json:"growth_months_less_one_zone,omitempty"`

	Verdict *Verdict `json:"verdict,omitempty"`
	USL     *USL     `json:"usl,omitempty"`
	Curve   []Point  `json:"curve"`
	Trials  []Trial  `json:"trials"`
}

// Interval is an estimate with its 95 % confidence interval.
type Interval struct {
	Estimate float64 `json:"estimate"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// Floor is how the service answers with next to no load.
type Floor struct {
	Clause       string  `json:"clause"`
	BadShare     float64 `json:"bad_share"`
	BudgetShare  float64 `json:"budget_share"`
	P50Seconds   float64 `json:"p50_seconds"`
	P99Seconds   float64 `json:"p99_seconds"`
	RatePerSec   float64 `json:"rate_per_second"`
	RequestCount uint64  `json:"request_count"`
}

// Check is the trial by which the model of the service was tested.
type Check struct {
	RatePerSecond float64 `json:"rate_per_second"`
	Seconds       float64 `json:"duration_seconds"`
	// BadShare is the share of bad requests seen, Low and High the range in which
	// the model puts 99 % of such trials.
	BadShare float64 `json:"bad_share"`
	Low      float64 `json:"predicted_low_share"`
	High     float64 `json:"predicted_high_share"`
	// InFlight and its range are the same for the mean number of requests under
	// way.
	InFlight     float64 `json:"in_flight_mean"`
	InFlightLow  float64 `json:"predicted_in_flight_low"`
	InFlightHigh float64 `json:"predicted_in_flight_high"`
	Agrees       bool    `json:"agrees"`
}

// Trend is a change of the rate of completions that went on for the whole time
// in which the service was held busy: there was no steady state.
type Trend struct {
	FirstPerSecond float64 `json:"first_per_second"`
	LastPerSecond  float64 `json:"last_per_second"`
	Seconds        float64 `json:"over_seconds"`
}

// Stalls are times in which the busy service completed nothing for longer than
// chance explains.
type Stalls struct {
	Count         int     `json:"count"`
	LengthSeconds float64 `json:"length_seconds"`
	// EverySeconds is the mean time from one stall to the next; absent with fewer
	// than two.
	EverySeconds float64 `json:"every_seconds,omitempty"`
	OverSeconds  float64 `json:"over_seconds"`
}

// Overload is what happened past capacity.
type Overload struct {
	OfferedPerSecond float64 `json:"offered_per_second"`
	GoodputPerSecond float64 `json:"goodput_per_second"`
	// Goodput is the same with its 95 % interval, by the scatter between half
	// seconds; absent where there were too few.
	Goodput *Interval `json:"goodput_interval_per_second,omitempty"`
	// QueueWait is the longest median of a stretch of patient probes.
	QueueWait *float64 `json:"queue_wait_seconds,omitempty"`
	// Depth is the most requests that were in the system at once; it is a lower
	// bound on the queue's setting unless Refused.
	Depth   *float64 `json:"depth_in_system,omitempty"`
	Refused bool     `json:"refused"`
	// RecoveryRate is the rate offered after the overload, and Allowance how long
	// recovery was waited for.
	RecoveryRate float64 `json:"recovery_rate_per_second,omitempty"`
	Allowance    float64 `json:"recovery_allowance_seconds,omitempty"`
	// Draining is set when the SLO had not come back within the allowance but
	// the queue was getting shorter.
	Draining *bool `json:"draining,omitempty"`
	// HintShare is the share of refusals that carried a Retry-After hint, and
	// HintSeconds its mean.
	HintShare   *float64 `json:"retry_after_share,omitempty"`
	HintSeconds *float64 `json:"retry_after_seconds,omitempty"`
}

// UsefulQueue is the longest queue whose requests are still answered in time.
type UsefulQueue struct {
	// InSystem is saturated throughput × client timeout; Safe leaves a margin of
	// three standard deviations; Positions is the setting: safe without the
	// requests that are being served.
	InSystem  int64 `json:"in_system"`
	Safe      int64 `json:"safe"`
	Positions int64 `json:"positions"`
	// PositionsLow and PositionsHigh are the setting at the ends of the interval.
	PositionsLow  int64 `json:"positions_low"`
	PositionsHigh int64 `json:"positions_high"`
	// Workers is how many requests are served at once, as told or as measured.
	Workers int `json:"workers"`
}

// Gates beside [GateReplay], as verdicts name them: by the flags that set them.
const (
	GateHold        = "hold"
	GateMinHeadroom = "min-headroom"
	GateSLOAt       = "slo-at"
)

// Verdict is the answer to a gate.
type Verdict struct {
	// Gate is min-headroom, slo-at, hold or replay.
	Gate string `json:"gate"`
	Pass bool   `json:"pass"`
	// Rule is the rule of decision in words.
	Rule string `json:"rule"`
	// WrongPass is the chance that a service which does not deserve it passes,
	// WrongFail the chance that one fails which does not deserve it, both at the
	// edges that Rule names.
	WrongPass *float64 `json:"wrong_pass_probability,omitempty"`
	WrongFail *float64 `json:"wrong_fail_probability,omitempty"`
	// Found and Wanted are the figures that were compared: shares for hold and
	// replay, rates for slo-at, headroom for min-headroom.
	Found  float64 `json:"found"`
	Wanted float64 `json:"wanted"`
}

// USL is Gunther's universal scalability law fitted to throughput against
// concurrency, X(N) = λN / (1 + α(N−1) + βN(N−1)). It is a hint at what holds the
// service back and no part of the capacity.
type USL struct {
	Lambda float64 `json:"lambda_per_second"`
	Alpha  float64 `json:"contention_alpha"`
	Beta   float64 `json:"coherency_beta"`
	// Hint says in words what the fit looks like.
	Hint string `json:"hint"`
}

// Point is one point of the curves of latency and goodput against offered load.
type Point struct {
	OfferedPerSecond float64  `json:"offered_per_second"`
	GoodputPerSecond float64  `json:"goodput_per_second"`
	P50Seconds       *float64 `json:"p50_seconds,omitempty"`
	P99Seconds       *float64 `json:"p99_seconds,omitempty"`
	Phase            string   `json:"phase"`
}

// Trial is one stretch of load with its account.
type Trial struct {
	Phase string `json:"phase"`
	// Asked is the mean rate that was asked for, Planned what came of it: the
	// number of requests over the duration.
	Asked   float64 `json:"asked_per_second"`
	Planned float64 `json:"planned_per_second"`
	Start   float64 `json:"start_seconds"`
	Seconds float64 `json:"duration_seconds"`
	Account Account `json:"account"`
	// Latency is by class, of classes that have one and occurred.
	Latency map[string]Quantiles `json:"latency,omitempty"`
	// SendLagP99 is the generator's own delay.
	SendLagP99 *float64 `json:"send_lag_p99_seconds,omitempty"`
	// BadShare is the share of bad requests by clause.
	BadShare map[string]float64 `json:"bad_share,omitempty"`
	Kept     *Kept              `json:"kept,omitempty"`
	// Void is why the trial is no measurement; empty when it is one.
	Void string `json:"void,omitempty"`
	// Stopped is why the load was cut short, if it was.
	Stopped string `json:"stopped,omitempty"`
}

// Quantiles are of times from the planned instant.
type Quantiles struct {
	P50  float64 `json:"p50_seconds"`
	P90  float64 `json:"p90_seconds"`
	P99  float64 `json:"p99_seconds"`
	P999 float64 `json:"p999_seconds"`
	Max  float64 `json:"max_seconds"`
}

// Account counts planned requests by what became of them.
type Account struct {
	Planned   uint64            `json:"planned_count"`
	Full      uint64            `json:"full_count"`
	Degraded  uint64            `json:"degraded_count"`
	Shed      uint64            `json:"shed_count"`
	Failed    uint64            `json:"failed_count"`
	TimedOut  uint64            `json:"timed_out_count"`
	InFlight  uint64            `json:"in_flight_count"`
	NeverSent uint64            `json:"never_sent_count"`
	Causes    map[string]uint64 `json:"failed_by_cause,omitempty"`
	// Retries is the account of requests that the client sent again; they are in
	// none of the counts above.
	Retries *Account `json:"retries,omitempty"`
}
