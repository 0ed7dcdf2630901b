package model

// Service is one program that serves, as one object of a file sets it.
type Service struct {
	Name string
	At   Position
	// Replicas is how many there are, where the file tells.
	Replicas Value

	Listen Listen
	Exec   Exec
	Drain  Drain
	Probes []Check
	// SheddingLimits are limits of rate or of requests at once, which refuse what is
	// over them.
	SheddingLimits []Value
	// Deadline says whether the deadline that callers send is honoured.
	Deadline Value
	// Kernel holds settings of sysctl, by their name.
	Kernel map[string]Value
	// Doubles are settings that are written twice: the one that wins, then the other.
	Doubles [][2]Value
	// Extra holds what only rules of one format read, by the setting's key.
	Extra map[string]Value
}

// Listen is where connections come in.
type Listen struct {
	Address        string
	Backlog        Value // of the kernel's accept queue
	MaxConnections Value
	Header         Value // time to send the request's head
	Body           Value // time to send all of the request
	GapRead        Value
	Write          Value
	Idle           Value // of a kept connection
	KeepRequests   Value // requests a connection
	// WorkerPerConnection says that a kept connection holds a thread.
	WorkerPerConnection bool
}

// Exec is what serves.
type Exec struct {
	Threads Value
	Min     Value
	Queue   Value // requests that wait for a thread
	Wait    Value // how long
	// Total is the limit of a request as the server keeps it.
	Total Value
}

// Drain is how a program ends.
type Drain struct {
	Grace   Value // from the order to end until it is killed
	PreStop Value // of that, before it is told
	Stop    Value // how long it waits itself for requests under way
	// Graceful says whether it waits at all.
	Graceful Value
	// Balancer is how long the balancer waits before it cuts connections.
	Balancer Value
}
