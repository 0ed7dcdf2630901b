package pending

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
