package gc

import (
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/hist"
)

// Schema names the shape of [Result] as JSON.
const Schema = "kneeline.gc/v1"

// Result is the answer over all logs, and as JSON the document of the command.
// Quantities are in base SI units, named in the key. A key that is absent was not
// in the log or not asked for; it is never a zero.
type Result struct {
	Schema   string `json:"schema"`
	Complete bool   `json:"complete"`
	// Verdict is the answer over all logs.
	Verdict  Verdict  `json:"verdict"`
	Settings Settings `json:"settings"`
	// Logs are the logs in detail, the worst first; of many only some.
	Logs []*Log `json:"logs"`
	// Fleet is there when there are several logs.
	Fleet    *Fleet            `json:"fleet,omitempty"`
	Gates    []Gate            `json:"gates,omitempty"`
	Findings []finding.Finding `json:"findings"`
	// Warnings limit what the answer is good for, as sentences.
	Warnings []string `json:"warnings"`
}

// Settings are what was judged by.
type Settings struct {
	Window          float64        `json:"window_seconds"`
	Tiers           []TierSettings `json:"tiers"`
	Exit            float64        `json:"exit_ratio"`
	Evaluate        string         `json:"evaluate"`
	CountConcurrent bool           `json:"count_concurrent"`
	Timeout         *float64       `json:"timeout_seconds,omitempty"`
	Service         *float64       `json:"service_time_seconds,omitempty"`
}

// TierSettings is one tier.
type TierSettings struct {
	Threshold float64 `json:"threshold_ratio"`
	Period    float64 `json:"period_seconds"`
}

// Answers of a [Verdict].
const (
	// Overload: GC was an overload, by a violation.
	Overload = "overload"
	// NoOverload: it was not.
	NoOverload = "no overload"
	// Unknown: the log cannot tell.
	Unknown = "unknown"
)

// Verdict is the answer: was GC the overload, when, why, and what to change.
type Verdict struct {
	Answer string `json:"answer"`
	// Sentence is all of it in one sentence, without a final period.
	Sentence string `json:"sentence"`
	// When, Why and Change are its parts; empty where there is nothing to say.
	When   string `json:"when,omitempty"`
	Why    string `json:"why,omitempty"`
	Change string `json:"change,omitempty"`
	// Rules are those of the findings that Why and Change rest on.
	Rules []string `json:"rules,omitempty"`
	// Incident is the worst time of overload.
	Incident *Incident `json:"incident,omitempty"`
}

// Log is the judgement of one log.
type Log struct {
	Name     string `json:"name"`
	Complete bool   `json:"complete"`
	// Files are the files of a rotated set, where there are several.
	Files   []string `json:"files,omitempty"`
	Verdict Verdict  `json:"verdict"`
	// Family, Collector and Version are those of the last run.
	Family    string `json:"family,omitempty"`
	Collector string `json:"collector,omitempty"`
	Version   string `json:"version,omitempty"`

	// Origin is where the axis of the log begins, End where the log does.
	Origin Moment `json:"origin"`
	End    Moment `json:"end"`
	// Observed is the length of all runs together.
	Observed float64 `json:"observed_seconds"`
	RunCount int     `json:"run_count"`
	Runs     []Run   `json:"runs"`

	Pauses     PauseFigures      `json:"pauses"`
	Overhead   []SeriesFigures   `json:"overhead"`
	Violations []Violation       `json:"violations"`
	Violated   int64             `json:"violation_count"`
	Incidents  []Incident        `json:"incidents"`
	Stalls     *Durations        `json:"stalls,omitempty"`
	Waits      *Durations        `json:"time_to_safepoint,omitempty"`
	Deadline   *Deadline         `json:"deadline,omitempty"`
	Rates      Rates             `json:"rates"`
	Heap       *HeapFigures      `json:"heap,omitempty"`
	Findings   []finding.Finding `json:"findings"`
	Events     map[string]int64  `json:"event_counts"`
	Input      *Input            `json:"input,omitempty"`
	Warnings   []string          `json:"warnings"`

	hist *hist.Hist // of the pauses
}

// Run is one run of a process.
type Run struct {
	Collector string  `json:"collector,omitempty"`
	Version   string  `json:"version,omitempty"`
	PID       int64   `json:"pid,omitempty"`
	Why       string  `json:"began_by"`
	Begin     *Moment `json:"begin,omitempty"`
	End       *Moment `json:"end,omitempty"`
	HeapMax   *int64  `json:"heap_max_bytes,omitempty"`
	CPUs      *int32  `json:"cpus,omitempty"`
	Memory    *int64  `json:"memory_bytes,omitempty"`
}

// PauseFigures are those of the stop-the-world pauses. Count is the number of
// pauses in the log, Stops those that are not inside another.
type PauseFigures struct {
	Count   int64   `json:"count"`
	Stops   int64   `json:"stop_count"`
	Full    int64   `json:"full_count"`
	Total   float64 `json:"total_seconds"`
	Longest float64 `json:"longest_seconds"`
	// FullTotal is the time in full collections.
	FullTotal float64 `json:"full_total_seconds"`
	// Throughput is the share of the observed time that was left to the program.
	Throughput *float64   `json:"throughput_ratio,omitempty"`
	Quantiles  *Quantiles `json:"quantiles,omitempty"`
	ByTitle    []Share    `json:"by_title"`
	ByCause    []Share    `json:"by_cause"`
}

// Quantiles are of durations.
type Quantiles struct {
	P50  float64 `json:"p50_seconds"`
	P90  float64 `json:"p90_seconds"`
	P99  float64 `json:"p99_seconds"`
	P999 float64 `json:"p999_seconds"`
	Max  float64 `json:"max_seconds"`
}

// Durations are those of one kind of event.
type Durations struct {
	Count     uint64    `json:"count"`
	Total     float64   `json:"total_seconds"`
	Quantiles Quantiles `json:"quantiles"`
}

// SeriesFigures are those of one share of time.
type SeriesFigures struct {
	Name   string `json:"name"`
	Counts bool   `json:"counts"`
	// Overall is the share over all of the observed time, Peak the highest over a
	// window; it is absent where no run was long enough to be judged.
	Overall float64  `json:"overall_ratio"`
	Peak    *float64 `json:"peak_ratio,omitempty"`
	Busy    float64  `json:"busy_seconds"`
	Judged  float64  `json:"judged_seconds"`
	// Tiers are how long the share over the window was in each.
	Tiers []TierTime `json:"tiers"`
	// Violations counts by tier, from the lowest.
	Violations []int64 `json:"violations_by_tier"`
	Curve      *Curve  `json:"curve,omitempty"`
}

// TierTime is how long a series was in a tier.
type TierTime struct {
	Threshold float64 `json:"threshold_ratio"`
	// Above is the time at or over the threshold, Occupied that from entering the
	// tier to leaving it.
	Above    float64 `json:"above_seconds"`
	Occupied float64 `json:"occupied_seconds"`
}

// Curve is the course of a share over the log, in steps of equal length from the
// start: the highest and the mean share over the window in each, null where nothing
// was judged.
type Curve struct {
	Start float64    `json:"start_log_seconds"`
	Step  float64    `json:"step_seconds"`
	Max   []*float64 `json:"max_ratio"`
	Mean  []*float64 `json:"mean_ratio"`
}

// Deadline is what the pauses mean to clients with a timeout.
type Deadline struct {
	Timeout float64 `json:"timeout_seconds"`
	Service float64 `json:"service_time_seconds"`
	// Late is the share of time in which a request that arrives cannot be answered
	// in time because of pauses alone. What waits behind a pause adds to it.
	Late        float64 `json:"late_ratio"`
	LateSeconds float64 `json:"late_seconds"`
}

// Rates are those of allocation and promotion.
type Rates struct {
	// Allocation is from heap sizes between collections, over the time in which the
	// program ran; AllocationPeak is its highest over any ten seconds or more of that.
	Allocation     *float64 `json:"allocation_bytes_per_second,omitempty"`
	AllocationPeak *float64 `json:"allocation_peak_bytes_per_second,omitempty"`
	Allocated      *int64   `json:"allocated_bytes,omitempty"`
	Promotion      *float64 `json:"promotion_bytes_per_second,omitempty"`
	Promoted       *int64   `json:"promoted_bytes,omitempty"`
	// PausesPerSecond are stops over the observed time.
	PausesPerSecond *float64 `json:"pauses_per_second,omitempty"`
}

// HeapFigures are the course of the heap after collections.
type HeapFigures struct {
	Start  float64     `json:"start_log_seconds"`
	Step   float64     `json:"step_seconds"`
	Points []HeapPoint `json:"points"`
	Live   *LiveSet    `json:"live_set,omitempty"`
}

// HeapPoint is one step of the course, with collections in it.
type HeapPoint struct {
	Log      float64 `json:"log_seconds"`
	Least    int64   `json:"least_after_bytes"`
	Most     int64   `json:"most_after_bytes"`
	Capacity *int64  `json:"capacity_bytes,omitempty"`
}

// LiveSet is what lives after collections of old objects, and where it goes.
type LiveSet struct {
	Run     int `json:"run"`
	Samples int `json:"sample_count"`
	// Level is the live set at the end of the line, Slope its growth with the 95 %
	// confidence interval.
	Level     float64  `json:"level_bytes"`
	Slope     float64  `json:"slope_bytes_per_second"`
	SlopeLow  float64  `json:"slope_low_bytes_per_second"`
	SlopeHigh float64  `json:"slope_high_bytes_per_second"`
	Span      float64  `json:"span_seconds"`
	Capacity  *int64   `json:"capacity_bytes,omitempty"`
	UntilFull *float64 `json:"until_full_seconds,omitempty"`
	Soonest   *float64 `json:"until_full_soonest_seconds,omitempty"`
	Latest    *float64 `json:"until_full_latest_seconds,omitempty"`
}

// Input is what became of the lines of the log.
type Input struct {
	Bytes int64            `json:"bytes"`
	Lines map[string]int64 `json:"lines"`
	// Unknown are the kinds of lines that look like GC and were not understood.
	Unknown  []UnknownLines `json:"unknown,omitempty"`
	Wrappers []string       `json:"wrappers,omitempty"`
	Problems []string       `json:"problems,omitempty"`
}

// UnknownLines are lines that are alike but for their numbers.
type UnknownLines struct {
	Pattern string `json:"pattern"`
	Count   int64  `json:"count"`
	Line    int64  `json:"first_line,omitempty"`
	Example string `json:"example,omitempty"`
}
