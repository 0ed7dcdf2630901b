package loadgen

import (
	"runtime"
	"sync"
)

var procsLock sync.Mutex

// borrowProcs adds n processors to the Go scheduler while a run goes on, one
// for each event loop that holds a thread. Such a loop waits in system calls,
// of which the scheduler learns late: without a processor of its own it would
// hold one that the service needs when both are in one process.
func borrowProcs(n int) (giveBack func()) {
	addProcs(n)
	return func() { addProcs(-n) }
}

func addProcs(n int) {
	if n == 0 {
		return
	}
	procsLock.Lock()
	defer procsLock.Unlock()
	runtime.GOMAXPROCS(max(1, runtime.GOMAXPROCS(0)+n))
}
