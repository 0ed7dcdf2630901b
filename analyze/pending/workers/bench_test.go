package workers

import (
	"testing"

	"example.com/kneeline/heapdump/stacks"
)

// A process with very many virtual threads, which share their stacks, most of which
// wait for a lock whose owner is told.
func BenchmarkVirtualThreads(b *testing.B) {
	shared := thread("", latch+"example.Shop.buy java.util.concurrent.ThreadPerTaskExecutor$ThreadBoundFuture.run java.lang.VirtualThread.run")
	threads := make([]stacks.Thread, 100_000)
	for i := range threads {
		threads[i] = shared
		threads[i].ID, threads[i].Virtual, threads[i].Container = int64(i+1), true, "java.util.concurrent.ThreadPerTaskExecutor@1"
		threads[i].Locks = []stacks.Lock{{Kind: stacks.Parking, Object: "Sync@1", Class: "Sync", Owner: int64(len(threads))}}
	}
	b.ReportAllocs()
	for b.Loop() {
		if o := Of(Input{Threads: threads}); o.Virtual != int64(len(threads)) {
			b.Fatal(o.Virtual)
		}
	}
}
