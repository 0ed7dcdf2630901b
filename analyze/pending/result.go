package pending

import (
	"time"

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
	Gates          []Gate    `json:"gates,omitempty"`
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

// Kinds of a [Queue]: how it keeps its entries.
const (
	KindRing   = "ring"   // an array used in a circle
	KindLinked = "linked" // a chain of nodes
	KindArray  = "array"  // an array from its start
	KindHeap   = "heap"   // a priority queue in an array; its order is not age
	KindMap    = "map"    // the values of a map
	KindCount  = "count"  // a number without entries, such as bytes or waiters
)

// Roles of a [Queue]: what waits in it.
const (
	RoleRequests    = "requests"    // requests, or the tasks that serve them
	RoleConnections = "connections" // connections not yet accepted or read
	RoleTasks       = "tasks"       // tasks of an executor or event loop
	RoleTimers      = "timers"      // tasks for a later time
	RoleResponses   = "responses"   // responses or writes not yet sent
	RoleWaiters     = "waiters"     // callers that wait for a connection or permit
	RoleMessages    = "messages"    // messages to or from a broker
	RoleUnknown     = "unknown"     // found by its shape
)

// How sure a [Queue] or [Cluster] is.
const (
	ConfidenceHigh   = "high"   // a known class, and its fields agree
	ConfidenceMedium = "medium" // a known class with something missing, or a shape with evidence
	ConfidenceLow    = "low"    // a shape alone
)

// Queue is one place where work waits.
type Queue struct {
	// Name is what people call it, with owner: "queue of QueuedThreadPool qtp1".
	Name string `json:"name"`
	// Server is the product it belongs to, such as "jetty"; empty for an own queue.
	Server string `json:"server,omitempty"`
	// Pattern is the row of the table it was found by; empty when by shape.
	Pattern string `json:"pattern,omitempty"`
	// Owner is the class that holds it, OwnerField the field, OwnerName the pool's
	// or connector's own name where it has one.
	Owner      string `json:"owner,omitempty"`
	OwnerField string `json:"owner_field,omitempty"`
	OwnerName  string `json:"owner_name,omitempty"`
	// OwnerStatic is true when a static field holds it.
	OwnerStatic bool   `json:"owner_static,omitempty"`
	Class       string `json:"class"`
	// Address is the queue object's, in hexadecimal.
	Address string `json:"address,omitempty"`
	Kind    string `json:"kind"`
	Role    string `json:"role"`
	// Entries is how many entries were counted, CountField what the queue's own
	// field says.
	Entries    int64  `json:"entry_count"`
	CountField *int64 `json:"count_field,omitempty"`
	// Instances is how many queues of one kind are summed up here, 1 for one.
	Instances int64 `json:"instance_count"`
	// Capacity is how many entries it takes; absent is unbounded or not known,
	// which Unbounded tells.
	Capacity  *int64   `json:"capacity_entries,omitempty"`
	Unbounded bool     `json:"unbounded"`
	Fill      *float64 `json:"fill_ratio,omitempty"`
	// Payload is the classes of the entries, the most frequent first.
	Payload []PayloadShare `json:"payload"`
	// BytesEach is the mean of what one entry holds, Bytes all of them together;
	// Counted says which bytes these are.
	BytesEach *float64 `json:"entry_bytes,omitempty"`
	Bytes     *int64   `json:"bytes,omitempty"`
	Counted   string   `json:"bytes_counted,omitempty"`
	// HeapShare is Bytes of all bytes of the heap.
	HeapShare *float64 `json:"heap_ratio,omitempty"`
	// AtCapacity is what the entries would hold were the queue full.
	AtCapacity *int64 `json:"at_capacity_bytes,omitempty"`
	// UsefulPositions is how many positions are still served in time: capacity of
	// the service x timeout. Dead is how many entries are past it.
	UsefulPositions *int64 `json:"useful_positions,omitempty"`
	Dead            *int64 `json:"dead_entry_count,omitempty"`
	Age             *Age   `json:"age,omitempty"`
	// ArrivalRate is of the entries that are there.
	ArrivalRate *float64 `json:"arrival_per_second,omitempty"`
	// Throughput is how fast the queue is drained; ThroughputFrom says from what
	// it follows: one of the constants below.
	Throughput     *float64 `json:"throughput_per_second,omitempty"`
	ThroughputFrom string   `json:"throughput_from,omitempty"`
	// WaitOfNew is how long a request that arrives now waits, by Little's law.
	WaitOfNew *float64 `json:"wait_of_new_seconds,omitempty"`
	// Setting is what to change.
	Setting *Setting `json:"setting,omitempty"`
	// Pool is the index in Workers of the pool that drains it.
	Pool *int `json:"pool_index,omitempty"`
	// Cluster is the index in Clusters of what one entry costs.
	Cluster    *int   `json:"cluster_index,omitempty"`
	Confidence string `json:"confidence"`
	// Sampled is true when only an even sample of the entries was kept.
	Sampled bool `json:"sampled,omitempty"`
	// Requests is true when the entries are requests or stand for one each.
	Requests bool `json:"requests"`

	threads int64 // the most that its pool may have, 0 where not known
}

// Where a throughput comes from.
const (
	// FromCapacity: it was given.
	FromCapacity = "capacity"
	// FromServiceTime: workers / service time, as given.
	FromServiceTime = "workers and service time"
	// FromAges: entries that came before the head have been served: what the arrival
	// rate would drain in steady state. An upper bound while the queue grows.
	FromAges = "ages"
)

// PayloadShare is one class of the entries of a queue.
type PayloadShare struct {
	Class string  `json:"class"`
	Count int64   `json:"count"`
	Share float64 `json:"ratio"`
	// Means is what the table says about it, such as "accepted, not registered".
	Means string `json:"means,omitempty"`
}

// Clocks of an [Age].
const (
	ClockEpoch = "epoch"
	ClockNano  = "nano"
)

// Age is how long the entries wait already.
type Age struct {
	Head float64 `json:"head_seconds"`
	// Median and Tail are absent when HeadOnly is set: the entries behind the first
	// ones carry no time.
	Median   float64 `json:"median_seconds,omitempty"`
	Tail     float64 `json:"tail_seconds,omitempty"`
	HeadOnly bool    `json:"head_only,omitempty"`
	Oldest   float64 `json:"oldest_seconds"`
	// Source is the field, as Class#field; Clock is what it counts.
	Source string `json:"source"`
	Clock  string `json:"clock"`
	// Known is the share of the entries whose age is known, Monotone how many of
	// the neighbours stand in order of age.
	Known    float64  `json:"known_ratio"`
	Monotone *float64 `json:"monotone_ratio,omitempty"`
	// Spread is the uncertainty of the calibration of a nanosecond clock.
	Spread *float64 `json:"spread_seconds,omitempty"`
}

// Setting is what to change.
type Setting struct {
	// Name is the exact key, Value what to give it; empty where no capacity and
	// timeout were given, which Note then says.
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
	// Today is what the dump says it is now.
	Today string `json:"today,omitempty"`
	// Snippet is text to paste.
	Snippet string `json:"snippet,omitempty"`
	Note    string `json:"note,omitempty"`
	Source  string `json:"source,omitempty"`
}

// Cluster is a set of classes with equal counts.
type Cluster struct {
	// Name is the class that names it best.
	Name  string `json:"name"`
	Count int64  `json:"count"`
	// BytesEach is what one of it costs, Bytes all of them.
	BytesEach float64        `json:"each_bytes"`
	Bytes     int64          `json:"bytes"`
	HeapShare *float64       `json:"heap_ratio,omitempty"`
	Classes   []ClusterClass `json:"classes"`
	// Request is true when it is known or likely to be a request.
	Request    bool   `json:"request"`
	Confidence string `json:"confidence"`
	// Why says what makes it one.
	Why string `json:"why,omitempty"`
}

// ClusterClass is one class of a [Cluster].
type ClusterClass struct {
	Class string `json:"class"`
	Count int64  `json:"count"`
	Bytes int64  `json:"bytes"`
	// Each is how many of the class belong to one.
	Each float64 `json:"each_count"`
}

// Pool is the workers of one pool.
type Pool struct {
	Name  string `json:"name"`
	Class string `json:"class,omitempty"`
	// Total is the threads that are there, Max how many the pool may have.
	Total int64  `json:"thread_count"`
	Max   *int64 `json:"max_threads,omitempty"`
	Busy  *int64 `json:"busy_count,omitempty"`
	Idle  *int64 `json:"idle_count,omitempty"`
	// Groups are the busy ones by what they wait for or do.
	Groups []Group `json:"groups"`
}

// Group is threads or goroutines at one place.
type Group struct {
	Count int64 `json:"count"`
	// Share is of all threads that are counted with it.
	Share *float64 `json:"ratio,omitempty"`
	// State is such as "waiting", "running", "chan send".
	State string `json:"state,omitempty"`
	// Place is the frame that tells them apart, WaitsFor what it means.
	Place    string `json:"place"`
	WaitsFor string `json:"waits_for,omitempty"`
	// Stack is the frames, the innermost first, without the runtime's own.
	Stack []string `json:"stack,omitempty"`
	// Locals are the classes of the objects on the stacks.
	Locals []LocalRow `json:"locals,omitempty"`
	// Oldest is how long the first of them waits.
	Oldest *float64 `json:"oldest_seconds,omitempty"`
	Bytes  *int64   `json:"bytes,omitempty"`
	// Requests is true when each of them serves or holds a request.
	Requests bool `json:"requests,omitempty"`
}

// LocalRow is a class of objects on the stacks of a [Group].
type LocalRow struct {
	Class string `json:"class"`
	Count int64  `json:"count"`
}

// Limit is one setting as the dump holds it.
type Limit struct {
	// Object is whose it is, Name its key as the server's configuration has it.
	Object string `json:"object"`
	Field  string `json:"field"`
	Name   string `json:"name,omitempty"`
	Value  int64  `json:"value"`
	Unit   string `json:"unit,omitempty"`
	// Unbounded is true when the value stands for no limit.
	Unbounded bool `json:"unbounded,omitempty"`
}

// ClassRow is one row of the histogram.
type ClassRow struct {
	Class string `json:"class"`
	Count int64  `json:"count"`
	// Bytes is as the VM counts, MATBytes as Eclipse MAT shows.
	Bytes     int64    `json:"bytes"`
	MATBytes  *int64   `json:"mat_bytes,omitempty"`
	HeapShare *float64 `json:"heap_ratio,omitempty"`
}

// ArrayRow is one large array.
type ArrayRow struct {
	Class   string `json:"class"`
	Address string `json:"address,omitempty"`
	Length  int64  `json:"length"`
	Bytes   int64  `json:"bytes"`
	// NonNil is how many of its slots hold a reference.
	NonNil *int64 `json:"used_count,omitempty"`
	// Owner is the class and field that hold it, where known.
	Owner string `json:"owner,omitempty"`
}

// StringRow is what equal strings waste.
type StringRow struct {
	Count int64 `json:"string_count"`
	Bytes int64 `json:"bytes"`
	// Duplicates is how many could be spared, Wasted their bytes; estimated from a
	// sample where Sampled is set.
	Duplicates int64 `json:"duplicate_count"`
	Wasted     int64 `json:"wasted_bytes"`
	Sampled    bool  `json:"sampled,omitempty"`
	// Top are the most wasteful values.
	Top []StringValue `json:"top,omitempty"`
}

// StringValue is one content that is there many times.
type StringValue struct {
	// Value is there only when values may be shown.
	Value  *string `json:"value,omitempty"`
	Length int64   `json:"length_bytes"`
	Count  int64   `json:"count"`
	Wasted int64   `json:"wasted_bytes"`
}

// FillRow is how full the arrays of one class are.
type FillRow struct {
	Class string `json:"class"`
	Count int64  `json:"count"`
	Slots int64  `json:"slot_count"`
	Used  int64  `json:"used_count"`
	// Fill is Used of Slots, Wasted the bytes of the rest.
	Fill   float64 `json:"fill_ratio"`
	Wasted int64   `json:"wasted_bytes"`
}

// Gate is a limit that was asked for, and what the heap was against it.
type Gate struct {
	Name   string   `json:"name"`
	Limit  float64  `json:"limit"`
	Value  *float64 `json:"value,omitempty"`
	Unit   string   `json:"unit,omitempty"`
	Passed bool     `json:"passed"`
}
