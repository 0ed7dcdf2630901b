package pending

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
	// AtLeast is true when there may be more of them: what an entry holds alone but
	// does not come in equal numbers, such as its part of a map, is not counted.
	AtLeast bool `json:"bytes_at_least,omitempty"`
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
	// DrainedNow is the most at which the queue can be drained now by the age of its
	// head, unless it shrinks: entries / age. It is there where that is clearly less
	// than a capacity that was given.
	DrainedNow *float64 `json:"drained_now_at_most_per_second,omitempty"`
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

	// IDs are those of the entries where they keep them from one heap of a process to
	// the next, as objects of V8 do; all of them, or none.
	IDs []uint32 `json:"-"`

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
	// Steps are the ages of entries at even distances in the order of their age, from the
	// youngest to the oldest; no saved result has them.
	Steps []float64 `json:"-"`
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
