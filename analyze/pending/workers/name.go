package workers

import (
	"regexp"
	"strings"
)

var (
	// Jetty renames the thread that accepts connections for as long as it does.
	acceptorName = regexp.MustCompile(`^(.*)-\d+-acceptor-\d+@`)
	// coroutineName is what Kotlin's debug mode puts behind a worker's name.
	coroutineName = regexp.MustCompile(` @coroutine#\d+$`)
	// renamed is a worker whose name an application made longer, by the request.
	renamed = regexp.MustCompile(`^(.*-(?:exec|worker|thread|task|executor)-)\d+[ :|\[].*$`)
	// WebLogic's names have the number in the middle.
	weblogicName = regexp.MustCompile(`^(?:\[\w+\] )?(ExecuteThread: ')\d+(' for queue: .*)$`)
	lastNumber   = regexp.MustCompile(`^(.*\D)\d+$`)
)

// stem is a thread's name with a star for its number, and whether it has one.
// Numbers that are not the last stay: pool-1-thread-2 and pool-2-thread-2 are of two
// pools.
func stem(name string) (string, bool) {
	name = coroutineName.ReplaceAllString(name, "")
	if m := acceptorName.FindStringSubmatch(name); m != nil {
		return m[1] + "-*", true
	}
	if m := weblogicName.FindStringSubmatch(name); m != nil {
		return m[1] + "*" + m[2], true
	}
	if strings.HasPrefix(name, "OkHttp ") {
		return "OkHttp *", true // the rest is the address of a server
	}
	if m := renamed.FindStringSubmatch(name); m != nil {
		return m[1] + "*", true
	}
	if m := lastNumber.FindStringSubmatch(name); m != nil {
		return m[1] + "*", true
	}
	return name, false
}

// systemNames are threads that a virtual machine has for itself (HotSpot and OpenJ9).
var systemNames = map[string]bool{
	"Reference Handler": true, "Finalizer": true, "Signal Dispatcher": true, "Service Thread": true, "Monitor Deflation Thread": true,
	"Sweeper thread": true, "Notification Thread": true, "Common-Cleaner": true, "Attach Listener": true, "DestroyJavaVM": true,
	"Surrogate Locker Thread (Concurrent GC)": true, "VirtualThread-unblocker": true, "VirtualThread-unparker": true,
	"Finalizer thread": true, "Finalizer master": true, "Attach API wait loop": true, "JIT-SamplerThread": true, "IProfiler": true,
	"SIGINT handler": true,
}

// systemBegins begin the names of such threads that have numbers.
var systemBegins = []string{
	"C1 CompilerThread", "C2 CompilerThread", "JVMCI CompilerThread", "Cleaner-", "Read-Poller", "Write-Poller", "Master-Poller", "JFR ",
	"JIT Compilation Thread", "JIT Diagnostic", "Concurrent Mark Helper", "GC Worker", "GC Slave", "Large Object Allocation Profiler",
}

// system says whether a thread is the virtual machine's own.
func system(name string) bool { return systemNames[name] || begins(name, systemBegins) }
