package compare

import "time"

// Schema names the shape of [Result] as JSON.
const Schema = "kneeline.heap-compare/v1"

// Result is the answer. Quantities are in base SI units, named in the key; a key that
// is absent could not be told.
type Result struct {
	Schema   string `json:"schema"`
	Complete bool   `json:"complete"`
	// Verdict is one of the constants below.
	Verdict  string `json:"verdict"`
	Sentence string `json:"sentence"`
	Before   Side   `json:"before"`
	After    Side   `json:"after"`
	// Elapsed is the time between the two; ElapsedFrom says from what it is known.
	Elapsed     *float64 `json:"elapsed_seconds,omitempty"`
	ElapsedFrom string   `json:"elapsed_from,omitempty"`
	Heap        *Heap    `json:"heap,omitempty"`
	// Queues are those of which either has any entries, the one that grew most first.
	Queues []Queue `json:"queues"`
	// Classes are those that grew or shrank, by the bytes of it.
	Classes []Class `json:"classes"`
	// Dominators are the objects that retain most, by class and name, where both have a
	// graph; RetainedClasses the same for all objects of a class together.
	Dominators      []Retained `json:"dominators"`
	RetainedClasses []Retained `json:"retained_classes"`
	CouldNotSay     []string   `json:"could_not_say"`
	Warnings        []string   `json:"warnings"`
}

// Verdicts.
const (
	Growing    = "growing"
	Shrinking  = "shrinking"
	Steady     = "steady"
	CannotTell = "cannot tell"
)

// Side is one of the two.
type Side struct {
	Name     string     `json:"name"`
	Format   string     `json:"format,omitempty"`
	Taken    *time.Time `json:"taken,omitempty"`
	Answer   string     `json:"answer"`
	Sentence string     `json:"sentence"`
	Complete bool       `json:"complete"`
}

// Heap is the heap as a whole.
type Heap struct {
	Before  int64    `json:"before_bytes"`
	After   int64    `json:"after_bytes"`
	Change  int64    `json:"change_bytes"`
	Objects int64    `json:"object_change_count"`
	Rate    *float64 `json:"bytes_per_second,omitempty"`
	// Limit is the most that the heap may be, as given, and Full how long it takes to be
	// so at this rate.
	Limit *int64   `json:"limit_bytes,omitempty"`
	Full  *float64 `json:"full_in_seconds,omitempty"`
}

// Queue is one place where work waits.
type Queue struct {
	Name     string `json:"name"`
	Role     string `json:"role"`
	Requests bool   `json:"requests"`
	Before   int64  `json:"before_count"`
	After    int64  `json:"after_count"`
	// BeforeUnder and AfterUnder are there where one of the two does not tell of the
	// queue: it had fewer entries than these, and counts as 0.
	BeforeUnder *int64 `json:"before_under_count,omitempty"`
	AfterUnder  *int64 `json:"after_under_count,omitempty"`
	Change      int64  `json:"change_count"`
	// Rate is entries per second that it grew by.
	Rate *float64 `json:"change_per_second,omitempty"`
	// Arrived is how many of the entries came after the first one was taken, as their
	// ages tell; Left is how many of those that were there are gone. More may have come
	// and gone between the two.
	Arrived *int64 `json:"arrived_at_least_count,omitempty"`
	Left    *int64 `json:"left_at_least_count,omitempty"`
	// ArrivalRate and LeaveRate are these by time.
	ArrivalRate *float64 `json:"arrival_at_least_per_second,omitempty"`
	LeaveRate   *float64 `json:"leave_at_least_per_second,omitempty"`
	Capacity    *int64   `json:"capacity_entries,omitempty"`
	// Full is how long it takes to be full at Rate.
	Full        *float64 `json:"full_in_seconds,omitempty"`
	BytesBefore *int64   `json:"before_bytes,omitempty"`
	BytesAfter  *int64   `json:"after_bytes,omitempty"`
	HeadBefore  *float64 `json:"before_head_seconds,omitempty"`
	HeadAfter   *float64 `json:"after_head_seconds,omitempty"`
}

// Class is one class.
type Class struct {
	Class       string   `json:"class"`
	CountBefore int64    `json:"before_count"`
	CountAfter  int64    `json:"after_count"`
	Count       int64    `json:"change_count"`
	BytesBefore int64    `json:"before_bytes"`
	BytesAfter  int64    `json:"after_bytes"`
	Bytes       int64    `json:"change_bytes"`
	Rate        *float64 `json:"bytes_per_second,omitempty"`
}

// Retained is what objects keep alive.
type Retained struct {
	Class  string `json:"class"`
	Name   string `json:"name,omitempty"`
	Before int64  `json:"before_bytes"`
	After  int64  `json:"after_bytes"`
	Change int64  `json:"change_bytes"`
}
