package pending

import (
	"time"

	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/internal/finding"
)

// Schema names the shape of [Result] as JSON.
const Schema = "kneeline.heap/v1"

// Result is the answer, and as JSON the document of the command. Quantities are
// in base SI units, named in the key. A key that is absent was not in the input or
// could not be told; it is never a zero.
type Result struct {
	Schema string `json:"schema"`
	// Complete is false when the run was interrupted; an input that was cut short
	// is told by its own Complete.
	Complete bool     `json:"complete"`
	Verdict  Verdict  `json:"verdict"`
	Settings Settings `json:"settings"`
	Inputs   []Input  `json:"inputs"`
	// Heap is there when an input tells of a heap.
	Heap *HeapSummary `json:"heap,omitempty"`
	// Queues are where work waits, the most telling first.
	Queues []Queue `json:"queues"`
	// Clusters are sets of classes with equal counts: one request and its cost.
	Clusters []Cluster `json:"clusters"`
	// Workers are the pools of threads that should drain the queues.
	Workers []Pool `json:"workers"`
	// Groups are threads or goroutines by the place where they are, the largest
	// first.
	Groups []Group `json:"groups"`
	// Limits are the settings that the dump itself holds of its servers and pools.
	Limits []Limit `json:"limits"`
	// Histogram is the classes, or in Go the places of allocation, with the most
	// bytes first.
	Histogram []ClassRow `json:"histogram"`
	// Arrays are the largest single arrays.
	Arrays []ArrayRow `json:"arrays"`
	// Strings is there when equal strings were looked for.
	Strings *StringRow `json:"strings,omitempty"`
	// CollectionFill is how full the arrays below collections are.
	CollectionFill []FillRow `json:"collection_fill"`
	// Graph is there when the graph of the heap was made: who holds what.
	Graph *retained.Result `json:"graph,omitempty"`
	Gates []Gate           `json:"gates,omitempty"`
	// Go is there when profiles of a Go process were judged.
	Go       *Go               `json:"go,omitempty"`
	Findings []finding.Finding `json:"findings"`
	// CouldNotSay is what a reader may look for and does not find, each with the
	// reason, as sentences.
	CouldNotSay []string `json:"could_not_say"`
	// Warnings limit what the answer is good for, as sentences.
	Warnings []string `json:"warnings"`
}

// Answers of a [Verdict].
const (
	// PileUp: requests, or the work for them, pile up in a queue.
	PileUp = "pile-up"
	// FullOfElse: the heap is full of something that is no request.
	FullOfElse = "full-of-else"
	// Nothing: nothing piles up.
	Nothing = "nothing"
	// Unknown: the input cannot tell.
	Unknown = "unknown"
)

// Verdict is the answer.
type Verdict struct {
	Answer string `json:"answer"`
	// Sentence is all of it in one sentence, without a final period.
	Sentence string `json:"sentence"`
	// Why is the evidence it rests on, as sentences, the strongest first.
	Why []string `json:"why"`
	// Change is the setting to change with its value; empty where there is none.
	Change string `json:"change,omitempty"`
	// Queue is the index in Queues of the one that is named.
	Queue *int `json:"queue_index,omitempty"`
	// Rules are those of the findings that it rests on.
	Rules []string `json:"rules,omitempty"`
}

// Settings are what was judged by.
type Settings struct {
	// Capacity is requests per second, as given.
	Capacity *float64 `json:"capacity_per_second,omitempty"`
	// Timeout is how long clients wait, as given.
	Timeout *float64 `json:"timeout_seconds,omitempty"`
	// ServiceTime is how long a worker takes for one request, as given.
	ServiceTime *float64 `json:"service_time_seconds,omitempty"`
	// MinEntries is how many entries a queue must hold to be judged.
	MinEntries int64 `json:"min_entry_count"`
	// ShowValues is true when contents of strings may be in the result.
	ShowValues bool `json:"show_values"`
	// Patterns are the files of patterns added to the built-in table.
	Patterns []string `json:"patterns,omitempty"`
}

// Input is one file or stream that was read.
type Input struct {
	Name string `json:"name"`
	// Format is such as "hprof", "pprof heap", "thread dump".
	Format string `json:"format"`
	// Version is the format's own version.
	Version string `json:"version,omitempty"`
	// Complete is false when its end is missing.
	Complete bool `json:"complete"`
	// Read is how many bytes were understood, Total how many there should be, both
	// uncompressed.
	Read  *int64   `json:"read_bytes,omitempty"`
	Total *int64   `json:"total_bytes,omitempty"`
	Share *float64 `json:"read_ratio,omitempty"`
	// Missing is how many bytes more the record claims in which it ends; AtMost is
	// how much of the objects there can be at most where it ends too early: of those
	// that are referred to, the share that is there.
	Missing *int64   `json:"missing_bytes_at_least,omitempty"`
	AtMost  *float64 `json:"read_ratio_at_most,omitempty"`
	// Taken is when it was written, by its own clock.
	Taken *time.Time `json:"taken,omitempty"`
	// Losses are what could not be read.
	Losses []Loss `json:"losses"`
}

// Loss is something of an input that is missing in the result.
type Loss struct {
	What  string `json:"what"`
	Count *int64 `json:"count,omitempty"`
	Bytes *int64 `json:"bytes,omitempty"`
}

// HeapSummary is the heap as a whole.
type HeapSummary struct {
	Objects int64 `json:"object_count"`
	Classes int64 `json:"class_count"`
	// Bytes is the shallow size of all objects as the VM counts them, MATBytes the
	// same by the rule of Eclipse MAT.
	Bytes    int64  `json:"bytes"`
	MATBytes *int64 `json:"mat_bytes,omitempty"`
	// The layout that the sizes follow from; absent where it is not known.
	IDBytes        *int  `json:"id_bytes,omitempty"`
	HeaderBytes    *int  `json:"object_header_bytes,omitempty"`
	ArrayHeader    *int  `json:"array_header_bytes,omitempty"`
	ReferenceBytes *int  `json:"reference_bytes,omitempty"`
	Alignment      *int  `json:"alignment_bytes,omitempty"`
	Learned        *bool `json:"layout_learned,omitempty"`
	// Roots counts the roots by kind.
	Roots   map[string]int64 `json:"root_counts,omitempty"`
	Threads *int64           `json:"thread_count,omitempty"`
}

// Gate is a limit that was asked for, and what the heap was against it.
type Gate struct {
	Name   string   `json:"name"`
	Limit  float64  `json:"limit"`
	Value  *float64 `json:"value,omitempty"`
	Unit   string   `json:"unit,omitempty"`
	Passed bool     `json:"passed"`
}
