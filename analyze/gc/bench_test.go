package gc

import (
	"testing"

	"example.com/kneeline/gcparse"
)

// BenchmarkEvent judges young collections of G1 with a safepoint line each, as they
// come from a log: what one event costs.
func BenchmarkEvent(b *testing.B) {
	a, err := New(Config{})
	if err != nil {
		b.Fatal(err)
	}
	at := int64(0)
	for i := range b.N {
		at += 400e6
		e := gcparse.Event{Kind: gcparse.Pause, HasDuration: true, Duration: int64(5e6 + i%7*1e6), Generation: gcparse.Young,
			Start: gcparse.Stamp{Uptime: at, HasUptime: true}, Title: "Pause Young (Normal)", Cause: "G1 Evacuation Pause", Collector: gcparse.G1,
			Heap: gcparse.Space{Before: 900e6, After: int64(100e6 + i%100*1e6), Capacity: 1e9, HasBefore: true, HasAfter: true, HasCapacity: true}}
		if i%2 == 1 {
			e = gcparse.Event{Kind: gcparse.Safepoint, HasDuration: true, Duration: 6e6, HasTimeToSafepoint: true, TimeToSafepoint: 1e5,
				Start: gcparse.Stamp{Uptime: at - 399e6, HasUptime: true}, Thread: "G1CollectForAllocation"}
		}
		a.Event(&e)
	}
	if l := a.Finish(nil); l.Observed == 0 {
		b.Fatal("nothing observed")
	}
}
