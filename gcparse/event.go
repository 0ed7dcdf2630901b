package gcparse

// Kind is what an event was for the threads of the program.
type Kind uint8

const (
	// Pause stopped all threads of the program for garbage collection.
	Pause Kind = iota + 1
	// Concurrent is work of the collector beside the running program.
	Concurrent
	// Stall blocked one thread of the program until memory was there. It is no
	// pause: others ran on, and the stalls of several threads overlap.
	Stall
	// Assist is collector work that threads of the program had to do to be
	// allowed to allocate, or delays that were put on them for that reason (Go
	// assists, Shenandoah's pacing). Duration is the sum over threads, and may
	// exceed the time that passed.
	Assist
	// Safepoint stopped all threads, for whatever reason. Where a log has both,
	// it covers the pause that stands before it: never add the two.
	Safepoint
	// Cycle is a whole collection made of pauses and concurrent work, which
	// stand as events of their own. Its duration is no stopped time.
	Cycle
	// Occupancy is a heap size that the log reports without a collection.
	Occupancy
	// Hole is a place where the log lost lines; Count says how many if it is
	// known. What happened around it must not be bridged.
	Hole
)

// Flags are properties of an event. Several may hold at once.
type Flags uint32

const (
	// Full marks a collection of the whole heap that stopped the program.
	Full Flags = 1 << iota
	// Nested marks a pause inside another pause event of the same run. Its time
	// is part of the outer one: count and add only those without this flag.
	Nested
	// PromotionFailed: no room in the old generation for what survived.
	PromotionFailed
	// ConcurrentModeFailure: the concurrent collection did not finish in time,
	// and the heap was collected with the program stopped.
	ConcurrentModeFailure
	// EvacuationFailure: no free region to copy live objects to (G1).
	EvacuationFailure
	// ToSpaceExhausted is what older versions call an evacuation failure.
	ToSpaceExhausted
	// Pinned: the evacuation failed because regions were pinned, not because
	// memory was short.
	Pinned
	// Humongous: caused by an allocation larger than half a region.
	Humongous
	// Explicit: the program asked for it (System.gc, runtime.GC, --expose-gc).
	Explicit
	// Degenerated: concurrent work that had to be finished in a pause.
	Degenerated
	// TimeLimit: the runtime itself found that collecting takes too much time
	// (HotSpot's GCTimeLimit, OpenJ9's excessive GC).
	TimeLimit
	// Aborted: the work was given up before it was done.
	Aborted
	// InitialMark: the pause also began a concurrent collection.
	InitialMark
	// MetadataThreshold: caused by class metadata, not by the heap.
	MetadataThreshold
	// AllocationFailure: caused by an allocation that found no room. It is the
	// normal cause of a young collection, and a bad sign for others.
	AllocationFailure
	// LastResort: a further attempt after a collection that freed too little.
	LastResort
	// Percolated: a young collection that had to grow into one of the whole heap
	// (OpenJ9).
	Percolated
	// Compacting: the collection moved objects together.
	Compacting
	// Interleaved: other text was printed inside the event's and taken out.
	Interleaved
	// DurationDerived: the log states no duration; it was made from time stamps.
	DurationDerived
)

// Any reports whether any of the given flags is set.
func (f Flags) Any(of Flags) bool { return f&of != 0 }

// Generation is the part of the heap that was collected.
type Generation uint8

const (
	AnyGeneration Generation = iota // not stated
	Young                           // new objects only
	Mixed                           // young and some of the old
	Old                             // the old generation, or marking for it
	Whole                           // all of the heap
)

// Stamp is a time on the clock of the process, on the wall clock, or on both.
type Stamp struct {
	// Uptime is in nanoseconds since the process began, if HasUptime.
	Uptime int64
	// Wall is in nanoseconds since 1970 UTC, if HasWall.
	Wall int64
	// Error bounds how far off the times may be, in nanoseconds: half the last
	// digit printed, or more where the time was inferred. Zero is not known.
	Error int64
	// HasUptime and HasWall tell which times are known; both may be.
	HasUptime, HasWall bool
	// Borrowed tells that Wall is the time at which a log shipper or container
	// runtime saw the line, for want of a better one.
	Borrowed bool
}

// Zero reports whether neither time is known.
func (s Stamp) Zero() bool { return !s.HasUptime && !s.HasWall }

// Add is the stamp ns nanoseconds later.
func (s Stamp) Add(ns int64) Stamp {
	if s.HasUptime {
		s.Uptime += ns
	}
	if s.HasWall {
		s.Wall += ns
	}
	return s
}

// Space is the occupancy of the heap or a part of it in bytes.
type Space struct {
	// Before and After the event, and the Capacity after it. Each is valid if
	// its Has is set.
	Before, After, Capacity          int64
	HasBefore, HasAfter, HasCapacity bool
}

// set gives a space all three sizes; a negative one is not known.
func (s *Space) set(before, after, capacity int64) {
	*s = Space{
		Before: max(before, 0), HasBefore: before >= 0,
		After: max(after, 0), HasAfter: after >= 0,
		Capacity: max(capacity, 0), HasCapacity: capacity >= 0,
	}
}

// Zero reports whether no size is known.
func (s Space) Zero() bool { return !s.HasBefore && !s.HasAfter && !s.HasCapacity }

// Event is one thing a log reports. Times are in nanoseconds, sizes in bytes. An
// Event holds no slice and no pointer into the input: a copy is independent.
type Event struct {
	// Source is the index of the file in [Stream.Sources], Line the number of
	// the line in it that closed the event (from 1), Offset the byte at which
	// that line begins, after decompression.
	Source int32
	// Run is the index of the process run in [Result.Runs].
	Run    int32
	Line   int64
	Offset int64

	// Start is when the event began.
	Start Stamp
	// Duration is valid if HasDuration. For an [Assist] it is a sum over
	// threads.
	Duration int64

	Kind        Kind
	Collector   Collector
	Generation  Generation
	HasDuration bool
	Flags       Flags

	// ID is the number that the log gives the collection, if HasID.
	ID    int64
	HasID bool

	// Title names the event in the words of the log, without cause and numbers:
	// "Pause Young (Normal)", "CMS-concurrent-mark". Cause is what set it off, in
	// those of the log: "G1 Evacuation Pause"; empty if not stated. Both come from
	// a table of words, so that they cost no memory per event.
	Title, Cause string
	// Thread is the name of the stalled thread of a Stall, or the operation of a
	// Safepoint: "G1CollectForAllocation".
	Thread string

	// Heap is the whole heap, without class metadata and the permanent
	// generation, which are Metaspace. Old and Young are its parts.
	Heap, Young, Old, Metaspace Space
	// HumongousBefore and HumongousAfter count regions of large objects (G1), if
	// HasHumongous.
	HumongousBefore, HumongousAfter int32
	HasHumongous                    bool

	// HasCPU tells that User, Sys and Real are known: CPU time in user and system
	// mode and elapsed time of the event, as the process measured them. A
	// Concurrent event of Go has its background CPU time in User.
	HasCPU          bool
	User, Sys, Real int64
	// Idle is CPU time that the collector took from otherwise idle processors
	// (Go); it is not in User.
	Idle int64

	// TimeToSafepoint is how long it took until all threads had stopped, if
	// HasTimeToSafepoint. It lies before Start, and is not in Duration, for a
	// Pause; for a Safepoint it is the first part of Duration.
	TimeToSafepoint    int64
	HasTimeToSafepoint bool

	// Workers is the number of threads that did the work, 0 if not stated.
	Workers int32
	// Procs is the number of processors the runtime used (Go's P), 0 if not
	// stated.
	Procs int32
	// Count is how many: lines lost at a Hole, threads in an Assist or Stall,
	// steps of incremental marking in a V8 pause. 0 if not stated.
	Count int64
	// Promoted is how many bytes moved from young to old, if HasPromoted.
	Promoted    int64
	HasPromoted bool
	// Incremental is further time, in nanoseconds, for which the program was
	// stopped in small steps before Start, for the same collection (V8). It is
	// not in Duration.
	Incremental int64
	// Utilization is the share of time left to the program since the collection
	// before, as the runtime states it (V8's current mu), if HasUtilization.
	Utilization    float64
	HasUtilization bool
}

// End is when the event ended; its start if the duration is not known.
func (e *Event) End() Stamp { return e.Start.Add(e.Duration) }

// Stops reports whether the event stopped all threads of the program and is no
// part of another event that did: what is to be counted and added up as
// stop-the-world pauses.
func (e *Event) Stops() bool {
	return e.Kind == Pause && e.HasDuration && e.Flags&Nested == 0
}
