package goroutines

import "strings"

// States of a goroutine, in the words of the runtime (waitReasonStrings of
// runtime/runtime2.go), several of which are joined where the difference does not
// matter here.
const (
	StateUnknown     = ""
	StateRunning     = "running" // running or ready to run
	StateChanSend    = "chan send"
	StateChanReceive = "chan receive"
	StateSelect      = "select"
	StateForever     = "blocked forever" // a nil channel, or select without cases
	StateSemacquire  = "semacquire"      // a runtime semaphore of no known owner
	StateMutex       = "sync.Mutex.Lock" // of Mutex and RWMutex
	StateWaitGroup   = "sync.WaitGroup.Wait"
	StateCond        = "sync.Cond.Wait"
	StateIO          = "IO wait"
	StateSleep       = "sleep"
	StateSyscall     = "syscall" // of cgo calls too
	StateGCAssist    = "GC assist wait"
	StateRuntime     = "runtime" // the runtime's own goroutines
)

// words are the states of the text that are another word here.
var words = map[string]string{
	"running":                   StateRunning,
	"runnable":                  StateRunning,
	"copystack":                 StateRunning,
	"preempted":                 StateRunning,
	"chan send":                 StateChanSend,
	"chan receive":              StateChanReceive,
	"select":                    StateSelect,
	"chan send (nil chan)":      StateForever,
	"chan receive (nil chan)":   StateForever,
	"select (no cases)":         StateForever,
	"semacquire":                StateSemacquire,
	"sync.Mutex.Lock":           StateMutex,
	"sync.RWMutex.RLock":        StateMutex,
	"sync.RWMutex.Lock":         StateMutex,
	"sync.WaitGroup.Wait":       StateWaitGroup,
	"sync.Cond.Wait":            StateCond,
	"IO wait":                   StateIO,
	"sleep":                     StateSleep,
	"syscall":                   StateSyscall,
	"GC assist wait":            StateGCAssist,
	"GC assist marking":         StateGCAssist,
	"garbage collection":        StateRuntime,
	"GC sweep wait":             StateRuntime,
	"GC scavenge wait":          StateRuntime,
	"GC worker (idle)":          StateRuntime,
	"GC worker (active)":        StateRuntime,
	"finalizer wait":            StateRuntime,
	"cleanup wait":              StateRuntime,
	"force gc (idle)":           StateRuntime,
	"GOMAXPROCS updater (idle)": StateRuntime,
	"trace reader (blocked)":    StateRuntime,
	"wait for GC cycle":         StateRuntime,
	"GC weak to strong wait":    StateRuntime,
	"flushing proc caches":      StateRuntime,
	"GC mark termination":       StateRuntime,
	"stopping the world":        StateRuntime,
	"garbage collection scan":   StateRuntime,
	"dumping heap":              StateRuntime,
	"debug call":                StateRuntime,
	"trace goroutine status":    StateRuntime,
	"trace proc status":         StateRuntime,
	"page trace flush":          StateRuntime,
	"synctest.Run":              StateRuntime,
	"synctest.Wait":             StateRuntime,
	"coroutine":                 StateRuntime,
	"panicwait":                 StateRuntime,
}

// stateOfWord is the state for the word of a header of the text.
func stateOfWord(word string) string {
	for _, mark := range []string{" (durable)", " (scan)", " (leaked)"} {
		word = strings.TrimSuffix(word, mark)
	}
	if s, ok := words[word]; ok {
		return s
	}
	return word
}

// blockers are functions that tell by being on the stack what it waits for. The
// first one from the inside decides, so the more telling ones that call others
// (sync.(*Mutex).lockSlow calls semacquire1) are looked up by [refine].
var blockers = map[string]string{
	"runtime.chansend":            StateChanSend,
	"runtime.chanrecv":            StateChanReceive,
	"runtime.selectgo":            StateSelect,
	"runtime.block":               StateForever,
	"runtime.semacquire1":         StateSemacquire,
	"runtime.netpollblock":        StateIO,
	"runtime.timeSleep":           StateSleep,
	"time.Sleep":                  StateSleep,
	"runtime.gcParkAssist":        StateGCAssist,
	"runtime.gcAssistAlloc":       StateGCAssist,
	"runtime.gcAssistAlloc1":      StateGCAssist,
	"runtime.cgocall":             StateSyscall,
	"runtime.entersyscall":        StateSyscall,
	"runtime.notetsleepg":         StateSyscall,
	"runtime.goparkunlock":        StateUnknown,
	"runtime.gopark":              StateUnknown,
	"runtime.runFinalizers":       StateRuntime,
	"runtime.runfinq":             StateRuntime,
	"runtime.runCleanups":         StateRuntime,
	"runtime.bgsweep":             StateRuntime,
	"runtime.bgscavenge":          StateRuntime,
	"runtime.forcegchelper":       StateRuntime,
	"runtime.gcBgMarkWorker":      StateRuntime,
	"sync.runtime_notifyListWait": StateCond,
}

// refined are the users of semaphores and pollers that say more than these.
var refined = []struct{ prefix, state string }{
	{"sync.runtime_SemacquireWaitGroup", StateWaitGroup},
	{"sync.(*WaitGroup).Wait", StateWaitGroup},
	{"sync.runtime_SemacquireRWMutex", StateMutex},
	{"sync.runtime_SemacquireMutex", StateMutex},
	{"internal/sync.runtime_SemacquireMutex", StateMutex},
	{"sync.(*Mutex)", StateMutex},
	{"internal/sync.(*Mutex)", StateMutex},
	{"sync.(*RWMutex)", StateMutex},
	{"sync.(*Cond).Wait", StateCond},
	{"internal/poll.runtime_Semacquire", StateMutex}, // one writer at a time on a descriptor
	{"internal/poll.(*fdMutex)", StateMutex},
}

// syscalls are the packages whose functions at the top mean a system call.
var syscalls = []string{"syscall.", "internal/runtime/syscall.", "golang.org/x/sys/unix.", "runtime/internal/syscall."}

// StateOf tells by the frames of a profile, the innermost first, what the
// goroutine waits for. A stack that does not begin in the runtime is running,
// or, as the older text form of profiles hides the runtime's frames, unknown when
// hidden is true.
func StateOf(frames []Frame, hidden bool) string {
	for i, f := range frames {
		if s, ok := refine(f.Func); ok {
			return s
		}
		state, known := blockers[f.Func]
		switch {
		case state == StateSemacquire:
			// who uses the semaphore says more
			for _, outer := range frames[i+1 : min(i+6, len(frames))] {
				if s, ok := refine(outer.Func); ok {
					return s
				}
			}
			return state
		case state != StateUnknown:
			return state
		case known:
			continue
		}
		for _, p := range syscalls {
			if strings.HasPrefix(f.Func, p) {
				return StateSyscall
			}
		}
		if isPoll(f.Func) {
			return StateIO
		}
		if !isRuntime(f.Func) {
			break
		}
	}
	if hidden {
		return StateUnknown
	}
	if len(frames) > 0 && (frames[0].Func == "runtime.gopark" || frames[0].Func == "runtime.goparkunlock") {
		return StateUnknown
	}
	return StateRunning
}

func refine(fn string) (string, bool) {
	for _, r := range refined {
		if strings.HasPrefix(fn, r.prefix) {
			return r.state, true
		}
	}
	return "", false
}

func isPoll(fn string) bool {
	return fn == "internal/poll.runtime_pollWait" || strings.HasPrefix(fn, "internal/poll.(*pollDesc).wait")
}

func isRuntime(fn string) bool {
	return strings.HasPrefix(fn, "runtime.") || strings.HasPrefix(fn, "internal/runtime/")
}
