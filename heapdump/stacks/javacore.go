package stacks

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/kneeline/heapdump/lines"
)

// The tags of the lines of a javacore, from the OpenJ9 documentation, "Java dump".
var (
	coreDate   = regexp.MustCompile(`^1TIDATETIME\s+Date:\s+(\d{4})/(\d\d)/(\d\d) at (\d\d:\d\d:\d\d)`)
	coreVM     = regexp.MustCompile(`^1CIJAVAVERSION\s+(.+)$`)
	corePID    = regexp.MustCompile(`^1CIPROCESSID\s+Process ID: (\d{1,18})`)
	coreThread = regexp.MustCompile(`^3XMTHREADINFO\s+"(.*)" .*\bstate:(\w+), prio=(\d{1,4})`)
	coreJava   = regexp.MustCompile(`^3XMJAVALTHREAD\s+\(java/lang/Thread getId:(0x[0-9a-fA-F]{1,16}), isDaemon:(true|false)\)`)
	coreNative = regexp.MustCompile(`^3XMTHREADINFO1\s+\(native thread ID:(0x[0-9a-fA-F]{1,16})`)
	coreCPU    = regexp.MustCompile(`^3XMCPUTIME\s+CPU usage total: (\d{1,9}\.\d{1,9}) secs`)
	coreBlock  = regexp.MustCompile(`^3XMTHREADBLOCK\s+(Blocked|Parked|Waiting) on: (\S+)@(0x[0-9a-fA-F]{1,16})`)
	coreLocked = regexp.MustCompile(`^5XESTACKTRACE\s+\(entered lock: (\S+)@(0x[0-9a-fA-F]{1,16}),`)
	coreAt     = regexp.MustCompile(`^4XESTACKTRACE\s+at (.+)$`)
)

// coreStates are the letters of a javacore: condition wait, runnable, blocked, parked.
// A thread in a sleep is in condition wait as well.
var coreStates = map[string]State{"R": Runnable, "CW": Waiting, "B": Blocked, "P": Waiting, "Z": Terminated}

// javacore is what its reader remembers from one line to the next.
type javacore struct{ threads bool }

// javacoreSection reads a line that begins a part of a javacore.
func (r *textReader) javacoreSection(line string) {
	switch {
	case strings.Contains(line, "TITLE"):
		r.begin(Dump{Form: Javacore}, inThreads)
	case r.section != outside && r.dump().Form == Javacore:
		r.closeThread()
	default:
		r.remember(line)
		return
	}
	r.java.threads = strings.Contains(line, "THREADS")
}

func (r *textReader) javacoreLine(line string) {
	d := r.dump()
	if !r.java.threads {
		switch {
		case strings.HasPrefix(line, "1TIDATETIME"):
			if m := coreDate.FindStringSubmatch(line); m != nil {
				if t, err := time.Parse("2006-01-02 15:04:05", m[1]+"-"+m[2]+"-"+m[3]+" "+m[4]); err == nil {
					d.Stamp = lines.Stamp{Time: t}
				}
			}
		case strings.HasPrefix(line, "1CIJAVAVERSION"):
			if m := coreVM.FindStringSubmatch(line); m != nil {
				d.VM = r.keep.text(m[1])
			}
		case strings.HasPrefix(line, "1CIPROCESSID"):
			if m := corePID.FindStringSubmatch(line); m != nil {
				d.PID = integer(m[1])
			}
		}
		return
	}
	r.javacoreThread(line)
}

// javacoreThread reads a line of the part with the threads.
func (r *textReader) javacoreThread(line string) {
	tag, _, _ := strings.Cut(line, " ")
	switch tag {
	case "3XMTHREADINFO":
		r.closeThread()
		m := coreThread.FindStringSubmatch(line)
		if m == nil {
			return // a native thread without a name
		}
		r.startThread(Thread{Name: m[1], State: coreStates[m[2]], Condition: m[2], Priority: int(integer(m[3])), Java: true, CPU: -1, Elapsed: -1, Allocated: -1})
	case "3XMJAVALTHREAD":
		if m := coreJava.FindStringSubmatch(line); m != nil {
			r.thread.ID, r.thread.Daemon = integer(m[1]), m[2] == "true"
		}
	case "3XMTHREADINFO1":
		if m := coreNative.FindStringSubmatch(line); m != nil {
			r.thread.Native = integer(m[1])
		}
	case "3XMCPUTIME":
		if m := coreCPU.FindStringSubmatch(line); m != nil {
			if seconds, err := strconv.ParseFloat(m[1], 64); err == nil {
				r.thread.CPU = time.Duration(seconds * 1e9)
			}
		}
	case "3XMTHREADBLOCK":
		if m := coreBlock.FindStringSubmatch(line); m != nil {
			kind := map[string]LockKind{"Blocked": Entering, "Parked": Parking, "Waiting": WaitingOn}[m[1]]
			r.lock(Lock{Kind: kind, Object: m[3], Class: strings.ReplaceAll(m[2], "/", "."), Depth: -1})
		}
	case "5XESTACKTRACE":
		if m := coreLocked.FindStringSubmatch(line); m != nil {
			r.lock(Lock{Kind: Locked, Object: m[2], Class: strings.ReplaceAll(m[1], "/", "."), Depth: int32(len(r.frames)) - 1})
		}
	case "4XESTACKTRACE":
		if m := coreAt.FindStringSubmatch(line); m != nil {
			r.frame(parseCoreFrame(m[1]))
		}
	}
}

// parseCoreFrame reads "java/util/Timer.run(Timer.java:12(Compiled Code))".
func parseCoreFrame(text string) (Frame, bool) {
	call, source, ok := strings.Cut(strings.TrimRight(text, " "), "(")
	if !ok {
		return Frame{}, false
	}
	var f Frame
	source = strings.TrimSuffix(source, ")")
	source, _, _ = strings.Cut(source, "(")
	f.setSource(strings.TrimSuffix(source, ")"))
	return f, f.setCall(strings.ReplaceAll(call, "/", "."))
}
