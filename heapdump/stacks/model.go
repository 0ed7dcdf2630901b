package stacks

import (
	"time"

	"example.com/kneeline/heapdump/lines"
)

// Forms of a [Dump]: which tool wrote it.
const (
	// HotSpot is jstack, jcmd Thread.print and kill -3.
	HotSpot = "hotspot"
	// Agent is jhsdb jstack, which reads the memory of a process or core from outside.
	Agent = "jhsdb"
	// FileText and FileJSON are jcmd Thread.dump_to_file.
	FileText = "dump_to_file text"
	FileJSON = "dump_to_file json"
	// Javacore is the java dump of OpenJ9.
	Javacore = "javacore"
)

// File is what one text holds.
type File struct {
	// Dumps are in the order of the file.
	Dumps []Dump
	// Lines is how many lines there were, Other how many of them were outside of any
	// dump: a log's own. Both are 0 for JSON.
	Lines, Other int64
	// Foreign counts the lines within a dump that are none of it, such as a log's
	// that were written in between.
	Foreign int64
	// Unreadable counts the lines that begin as a part of a dump and do not go on as
	// one; Problems are the first [MaxProblems] of them.
	Unreadable int64
	Problems   []Problem
	// Cut counts the lines that were longer than is kept.
	Cut int64
	// Dropped counts the threads, and DroppedStacks the stacks of threads, for which
	// there was no room within [MaxKept].
	Dropped, DroppedStacks int64
}

// Problem is a place where the text is not what was expected. It does not quote the
// text, which may be any program's log.
type Problem struct {
	// Line is its number from 1, 0 in JSON, where Offset is the byte.
	Line, Offset int64
	Expected     string
	Found        string
}

// Dump is the threads of one process at one moment.
type Dump struct {
	Form string
	// Line is the number of its first line.
	Line int64
	// VM is what the virtual machine calls itself; it may be empty.
	VM string
	// PID is the process, 0 where it is not told.
	PID int64
	// Stamp is when it was taken; Time is zero where that is not told.
	Stamp   lines.Stamp
	Threads []Thread
	// Deadlocks are those that the virtual machine found.
	Deadlocks []Deadlock
	// Stated is how many Java threads the dump says it has, -1 where it does not.
	Stated int64
	// CutShort is true when the end of the dump is known to be missing.
	CutShort bool
}

// State is a thread's state as java.lang.Thread.State names it.
type State uint8

const (
	// Unknown: the form does not tell it.
	Unknown State = iota
	New
	Runnable
	Blocked
	Waiting
	TimedWaiting
	Terminated
)

var stateNames = [...]string{"UNKNOWN", "NEW", "RUNNABLE", "BLOCKED", "WAITING", "TIMED_WAITING", "TERMINATED"}

// String is the name that Java has for the state.
func (s State) String() string { return stateNames[s] }

func stateNamed(name string) State {
	for i, n := range stateNames {
		if n == name {
			return State(i)
		}
	}
	return Unknown
}

// Thread is one thread.
type Thread struct {
	// Line is where it begins, 0 in JSON.
	Line int64
	Name string
	// ID is the thread's identifier in Java, 0 where it is not told (JDK 7 and older,
	// and threads of the virtual machine itself).
	ID int64
	// Native is the operating system's identifier, 0 where it is not told.
	Native int64
	// Java is false for threads of the virtual machine itself, such as those of the
	// garbage collector.
	Java            bool
	Daemon, Virtual bool
	// Priority is that of Java, 0 where it is not told.
	Priority int
	// CPU is the processor time it took, Elapsed how long it lives; -1 where that
	// is not told (before JDK 11).
	CPU, Elapsed time.Duration
	// Allocated is how many bytes it allocated, -1 where it is not told.
	Allocated int64
	State     State
	// Detail is what the state line says more, such as "parking".
	Detail string
	// Condition is the virtual machine's own word, such as "waiting on condition".
	Condition string
	// Carries is the ID of the virtual thread that runs on it, Carrier the ID of the
	// thread that a virtual one runs on; 0 for none.
	Carries, Carrier int64
	// Container is the executor or scope that it belongs to, as Thread.dump_to_file
	// names it; empty where it is not told.
	Container string
	// Frames are the stack, the innermost first. Threads with equal stacks share
	// them: they must not be changed.
	Frames []Frame
	// Locks are the monitors and synchronizers it holds or waits for, in the order of
	// the stack.
	Locks []Lock
}

// Frame is one call of a stack.
type Frame struct {
	// Class is with its package; hidden classes keep their suffix.
	Class, Method string
	// Module is such as java.base@17.0.15; empty where it is not told.
	Module string
	// File is such as Order.java, "Native Method" or "Unknown Source"; Line is 0
	// where it is not told.
	File string
	Line int32
}

// Native says whether the frame is of native code.
func (f Frame) Native() bool { return f.File == nativeMethod }

const nativeMethod = "Native Method"

// LockKind is how a thread relates to an object.
type LockKind uint8

const (
	// Locked: it holds the monitor.
	Locked LockKind = iota + 1
	// Entering: it waits for the monitor, to lock or to lock again after Object.wait.
	Entering
	// WaitingOn: it is in Object.wait.
	WaitingOn
	// Parking: it is parked, and this is what its code named as the reason.
	Parking
	// Owns: it owns the synchronizer, such as a ReentrantLock or the Worker of a pool.
	Owns
)

var lockNames = [...]string{"", "locked", "waiting to lock", "waiting on", "parking to wait for", "owns"}

// String says the kind as dumps do.
func (k LockKind) String() string { return lockNames[k] }

// Lock is an object that a thread holds or waits for.
type Lock struct {
	Kind LockKind
	// Object tells objects of one dump apart: an address, or a class with identity
	// hash code; empty where the dump does not tell it.
	Object string
	Class  string
	// Owner is the ID of the thread that owns it, 0 where it is not told.
	Owner int64
	// Depth is the index of the frame it belongs to, -1 for none.
	Depth int32
}

// Deadlock is threads of which each waits for what the next one holds.
type Deadlock struct{ Waits []Wait }

// Wait is one edge of a [Deadlock].
type Wait struct {
	// Thread and Holder are names.
	Thread, Holder string
	Object, Class  string
}
