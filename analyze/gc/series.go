package gc

// A Series is one share of time that is watched.
type Series uint8

const (
	// Pauses is the time in which all threads of the program are stopped for
	// garbage collection: the union of the pauses.
	Pauses Series = iota
	// CPU is the share of the processors that the collector takes: all of them in
	// a pause, and what concurrent work and assists use.
	CPU
	// Stalls is the time in which at least one thread waits for memory.
	Stalls
	// Assists is the share of the processors, or of the time of a thread, that the
	// program itself has to give to the collector.
	Assists
	// Stopped is all time in which the threads are stopped or being stopped, for
	// garbage collection or anything else.
	Stopped
	// ToSafepoint is the time from the wish to stop all threads until they stand.
	ToSafepoint

	numSeries = iota
)

var seriesNames = [numSeries]string{"pauses", "cpu", "stalls", "assists", "stopped", "time-to-safepoint"}

// String is the name of the series in JSON.
func (s Series) String() string {
	if s < numSeries {
		return seriesNames[s]
	}
	return ""
}

// Words says what the share is of, for people: "time in GC pauses".
func (s Series) Words() string {
	return [numSeries]string{
		"time in GC pauses", "CPU time in GC", "time with a thread stalled for memory",
		"CPU time in GC assists", "stopped time", "time to reach safepoints",
	}[s]
}
