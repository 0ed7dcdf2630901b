package gcparse

// Run is one run of one process, as far as the log shows it.
type Run struct {
	// Source and Line are where the run begins in the log.
	Source int32
	Line   int64
	// Why says what told a new run from the one before.
	Why RunReason
	// PID is the number of the process, 0 if the log does not say.
	PID int64

	// Family is the log family: "unified", "legacy", "openj9", "go", "v8".
	Family string
	// Collector that the log names or that its events show.
	Collector Collector
	// Version is that of the runtime in its own words, empty if not stated.
	Version string
	// Options are the command-line options of the process as the log states
	// them, at most 4 KiB.
	Options string

	// First and Last are the first and last time stamps seen in the run, of
	// events or other lines: the log says nothing about the time outside them.
	First, Last Stamp

	// CPUs and Memory (bytes) are those the process saw, HeapInitial and HeapMax
	// (bytes) the limits of the heap, RegionSize (bytes) of G1 and its like,
	// ParallelWorkers and ConcurrentWorkers the threads of the collector. All 0
	// if not stated.
	CPUs                               int32
	Memory                             int64
	HeapInitial, HeapMax, RegionSize   int64
	ParallelWorkers, ConcurrentWorkers int32

	// Events counts those of the run by kind.
	Events [kinds]int64
	// NoPauseData tells that the log has collections of a collector whose pauses
	// it does not show at this level (ZGC with -Xlog:gc): no pause is then no
	// sign of health.
	NoPauseData bool
	// Zoneless tells that wall-clock times are written without a time zone and
	// were taken as UTC.
	Zoneless bool
	// Rebuilt tells that the log has no time stamps, and times were rebuilt from
	// what it says of intervals.
	Rebuilt bool
	// Headless tells that the log begins after the process did.
	Headless bool
}

// kinds is the number of kinds of events, with the unused zero.
const kinds = int(Hole) + 1

// RunReason is what told a new run.
type RunReason uint8

const (
	// FirstLine: the log begins.
	FirstLine RunReason = iota
	// ClockFell: the uptime is lower than before.
	ClockFell
	// NewHeader: the first lines of a process stand here again.
	NewHeader
	// NumbersRestart: the numbers of the collections begin again.
	NumbersRestart
	// OtherProcess: another process writes to the same log.
	OtherProcess
	// OtherFamily: the log goes on in another format.
	OtherFamily
	// Gap: the log does not go on where it stopped.
	Gap
)

var runReasonNames = [...]string{
	"the log begins", "the uptime fell", "the header stands here again", "the numbers of collections begin again",
	"another process", "another log format", "the log does not go on where it stopped",
}

// String says the reason in words.
func (r RunReason) String() string {
	if int(r) < len(runReasonNames) {
		return runReasonNames[r]
	}
	return ""
}
