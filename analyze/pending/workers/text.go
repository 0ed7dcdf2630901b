package workers

import "example.com/kneeline/heapdump/stacks"

// FromDump takes the threads of a thread dump.
func FromDump(d *stacks.Dump) Input {
	return Input{Threads: d.Threads, Deadlocks: d.Deadlocks}
}
