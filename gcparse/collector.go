package gcparse

// Collector is a garbage collector.
type Collector uint8

const (
	AnyCollector Collector = iota // not known
	Serial
	Parallel
	ParNew // parallel young collection with a serial old one
	CMS
	G1
	ZGC
	GenerationalZGC
	Shenandoah
	GenerationalShenandoah
	Epsilon
	OpenJ9 // policy not known
	OpenJ9Gencon
	OpenJ9Balanced
	OpenJ9OptAvgPause
	OpenJ9OptThruput
	OpenJ9Metronome
	Go
	V8
)

var collectorNames = [...]string{
	AnyCollector: "", Serial: "Serial", Parallel: "Parallel", ParNew: "ParNew", CMS: "CMS", G1: "G1",
	ZGC: "ZGC", GenerationalZGC: "generational ZGC", Shenandoah: "Shenandoah",
	GenerationalShenandoah: "generational Shenandoah", Epsilon: "Epsilon",
	OpenJ9: "OpenJ9", OpenJ9Gencon: "OpenJ9 gencon", OpenJ9Balanced: "OpenJ9 balanced",
	OpenJ9OptAvgPause: "OpenJ9 optavgpause", OpenJ9OptThruput: "OpenJ9 optthruput",
	OpenJ9Metronome: "OpenJ9 metronome", Go: "Go", V8: "V8",
}

// String is the collector's name, empty if it is not known.
func (c Collector) String() string {
	if int(c) < len(collectorNames) {
		return collectorNames[c]
	}
	return ""
}

// PauseFree reports whether the collector does its main work beside the program,
// so that a low share of pauses says nothing about its load.
func (c Collector) PauseFree() bool {
	switch c {
	case ZGC, GenerationalZGC, Shenandoah, GenerationalShenandoah, Go, Epsilon:
		return true
	}
	return false
}

var kindNames = [...]string{
	Pause: "pause", Concurrent: "concurrent", Stall: "stall", Assist: "assist",
	Safepoint: "safepoint", Cycle: "cycle", Occupancy: "occupancy", Hole: "hole",
}

// String is the kind's name in JSON and CSV.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

var generationNames = [...]string{Young: "young", Mixed: "mixed", Old: "old", Whole: "whole"}

// String is the generation's name in JSON and CSV, empty if it is not stated.
func (g Generation) String() string {
	if int(g) < len(generationNames) {
		return generationNames[g]
	}
	return ""
}

var flagNames = [...]struct {
	flag Flags
	name string
}{
	{Full, "full"}, {Nested, "nested"}, {PromotionFailed, "promotion failed"},
	{ConcurrentModeFailure, "concurrent mode failure"}, {EvacuationFailure, "evacuation failure"},
	{ToSpaceExhausted, "to-space exhausted"}, {Pinned, "pinned"}, {Humongous, "humongous"},
	{Explicit, "explicit"}, {Degenerated, "degenerated"}, {TimeLimit, "time limit"},
	{Aborted, "aborted"}, {InitialMark, "initial mark"}, {MetadataThreshold, "metadata threshold"},
	{AllocationFailure, "allocation failure"}, {LastResort, "last resort"},
	{Percolated, "percolated"}, {Compacting, "compacting"}, {Interleaved, "interleaved"},
	{DurationDerived, "duration derived"},
}

// Names lists the flags that are set, in a fixed order.
func (f Flags) Names() []string {
	var names []string
	for _, n := range flagNames {
		if f&n.flag != 0 {
			names = append(names, n.name)
		}
	}
	return names
}
