package workers

import (
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/stacks"
)

// Input is the threads of one process.
type Input struct {
	Threads []stacks.Thread
	// Deadlocks are those that the virtual machine itself reports.
	Deadlocks []stacks.Deadlock
	// Objects are the threads' objects in the heap, one for each thread; nil where
	// there is no heap.
	Objects []heapdump.ID
	// Members says which pool a thread belongs to, by the heap: for each thread the
	// object of its executor, 0 where that is not known; nil where there is no heap.
	Members []heapdump.ID
	// Executors are the classes of those objects.
	Executors map[heapdump.ID]string
	// Locals returns the classes of the objects on a thread's stack, each once; nil
	// where there is no heap.
	Locals func(thread int) []string
}

// Overview is what the threads do.
type Overview struct {
	// Threads counts the threads of Java that were looked at, Virtual the virtual ones
	// among them, System those that the virtual machine has for itself, which are in
	// neither of the following.
	Threads, Virtual, System int64
	// Pools are the pools of threads, the one with the most busy threads first.
	Pools []Pool
	// Others are the threads that belong to no pool, as if they were one.
	Others Pool
	// Deadlocks are threads that wait for each other in a circle and will for ever.
	Deadlocks []stacks.Deadlock
	// NoStack counts the threads whose stack the input does not tell: whether they
	// are busy is not known, and they count as neither.
	NoStack int64
}

// Pool is threads that take their work from one place.
type Pool struct {
	// Name is the threads' name with a star for their number, such as
	// "http-nio-8080-exec-*".
	Name string
	// Kind is what sort of pool it is by its stacks, such as "Jetty QueuedThreadPool";
	// empty where that is not known.
	Kind string
	// Executor is the pool's object in the heap, 0 where that is not known, and Class
	// its class.
	Executor heapdump.ID
	Class    string
	Total    int64
	// Busy and Idle are as the pool itself counts; with NoStack they sum up to Total.
	Busy, Idle, NoStack int64
	// Own is how many of the busy ones do the pool's own business, such as accepting
	// connections: they serve no request.
	Own int64
	// Groups are the busy threads by what they wait for and where.
	Groups []Group
	// Members are the indexes of its threads in the input.
	Members []int
}

// Group is busy threads that wait for the same at the same place.
type Group struct {
	Count int64
	// State is one of the constants below.
	State string
	// WaitsFor says it in words: "a lock of Till"; Holder says whose.
	WaitsFor string
	// Place is the first frame of the application, else the one that says most.
	Place string
	// Own is true when this is the pool's own business.
	Own bool
	// Holder is the thread that holds what they wait for, and HolderDoes what it does
	// meanwhile; empty where that is not known.
	Holder, HolderDoes string
	// Stack is the stack that most of them have, the innermost frame first.
	Stack []string
	// Locals are the classes of objects on their stacks with the number of threads
	// that have one: the application's first, then those of its libraries, then the
	// JDK's, and of each the most frequent first.
	Locals []LocalCount
	// Threads are the indexes of the threads in the input.
	Threads []int
}

// LocalCount is a class and how many threads have an object of it on the stack.
type LocalCount struct {
	Class string
	Count int64
}

// States of a [Group]: what its threads wait for.
const (
	Running      = "running"
	Lock         = "lock"
	Latch        = "latch"
	Permit       = "permit"
	Condition    = "condition"
	Result       = "result of another task"
	QueueEmpty   = "entry of a queue"
	QueueFull    = "room in a queue"
	Sleep        = "sleep"
	SocketRead   = "socket read"
	SocketWrite  = "socket write"
	Connecting   = "connect"
	Accepting    = "accept"
	Selecting    = "network events"
	Database     = "database"
	DatabasePool = "database pool"
	Client       = "HTTP client"
	ClientPool   = "HTTP client pool"
	ObjectPool   = "object pool"
	File         = "file"
	Parked       = "parked"
	Join         = "end of a thread"
)
