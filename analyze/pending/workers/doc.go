// Package workers tells what the threads of a Java process do: which pools there
// are, how many of each pool's threads are busy, and what the busy ones wait for.
//
// It serves the threads of a heap dump and those of a thread dump alike, since it
// goes by names and stacks. A thread is idle when its stack is that of a worker
// which waits for work of its own pool (the table in idle.go); every other thread
// of a pool is busy, as the pools themselves count. It judges no queue and knows
// of no report. Of the objects on stacks it tells the classes, never values.
package workers
