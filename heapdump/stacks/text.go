package stacks

import (
	"regexp"
	"strconv"
	"strings"

	"example.com/kneeline/heapdump/lines"
)

// section is the part of a dump that is being read.
type section uint8

const (
	outside section = iota
	inThreads
	inList // the addresses of all threads, which HotSpot writes first
	inDeadlock
	inStacksOfDeadlock // those of the threads above, once more
	inTail             // behind the last thread
)

const (
	fullDump = "Full thread dump "
	// recentLines is how many lines before a dump may tell of it.
	recentLines = 4
)

var (
	listLength  = regexp.MustCompile(`_java_thread_list=\S+ length=(\d{1,9}),`)
	forcedStack = regexp.MustCompile(`^Thread (?:t@)?(\d{1,18}): \(state = (\w+)\)`)
	foundCount  = regexp.MustCompile(`^Found (a total of )?\d+ deadlock`)
)

// textReader reads the forms that are lines of text.
type textReader struct {
	in   *lines.Reader
	file File
	keep *keeper

	section section
	prefix  lines.Prefix
	// The end of a dump of HotSpot is a line about JNI.
	ended bool
	// recent are the last lines outside of a dump.
	recent []string
	// full is true when the file holds as many dumps as are kept.
	full bool

	current
	java javacore
	dead deadlocks
}

// current is the thread that is being read.
type current struct {
	open   bool
	thread Thread
	frames []Frame
	locks  []Lock
	// owned is true below "Locked ownable synchronizers".
	owned bool
	// broken is a header whose name has the end of a line in it.
	broken string
}

// dump is the dump that is being read.
func (r *textReader) dump() *Dump { return &r.file.Dumps[len(r.file.Dumps)-1] }

func (r *textReader) line(line string) {
	if n := strings.Index(line, fullDump); n >= 0 && n <= lines.MaxPrefix {
		if r.begin(Dump{Form: HotSpot, VM: r.keep.text(strings.TrimRight(line[n+len(fullDump):], ": "))}, inThreads) {
			r.prefix = lines.PrefixOf([]byte(line), n)
		}
		return
	}
	if strings.HasPrefix(line, "0SECTION") {
		r.javacoreSection(line)
		return
	}
	if r.section == outside {
		r.outsideLine(line)
		return
	}
	if !r.prefix.Empty() {
		rest, ok := r.prefix.Strip([]byte(line))
		if !ok {
			r.foreign()
			return
		}
		line = string(rest)
	}
	r.dispatch(line)
}

// dispatch reads a line of a dump, without its prefix.
func (r *textReader) dispatch(line string) {
	if r.dump().Form == Javacore {
		r.javacoreLine(line)
		return
	}
	switch r.section {
	case inList:
		r.listLine(line)
	case inDeadlock, inStacksOfDeadlock:
		r.deadlockLine(line)
	case inTail:
		if !r.beginDeadlock(line) {
			r.remember(line)
		}
	default:
		r.threadLine(line)
	}
}

// begin starts a dump and says whether there is room for one.
func (r *textReader) begin(d Dump, s section) bool {
	r.closeDump()
	if len(r.file.Dumps) == MaxDumps {
		r.full = true
		r.file.problem(Problem{Line: r.in.Number(), Expected: "at most 10,000 dumps in a file", Found: "another one"})
		return false
	}
	d.Line, d.Stated = r.in.Number(), -1
	for _, text := range r.recent {
		if stamp, ok := lines.StampOf([]byte(text)); ok {
			d.Stamp = stamp
		}
	}
	r.file.Dumps = append(r.file.Dumps, d)
	r.section, r.ended, r.recent = s, false, r.recent[:0]
	return true
}

// closeDump ends the dump that is being read.
func (r *textReader) closeDump() {
	if r.section == outside {
		return
	}
	r.closeThread()
	r.closeDeadlock()
	if d := r.dump(); d.Form == HotSpot && !r.ended {
		d.CutShort = true
	}
	r.section, r.prefix = outside, lines.Prefix{}
}

// outsideLine looks for the begin of a dump that has no line to announce it.
func (r *textReader) outsideLine(line string) {
	if r.full {
		r.file.Other++
		return
	}
	switch {
	case strings.HasPrefix(line, `"`):
		if _, ok := parseHeader(line); ok && r.begin(Dump{Form: HotSpot}, inThreads) {
			r.ended = true // an excerpt: nothing says where it should end
			r.threadLine(line)
			return
		}
	case strings.HasPrefix(line, "#"):
		if _, ok := parseFileHeader(line); ok && r.beginFile() {
			r.threadLine(line)
			return
		}
	case line == "Deadlock Detection:":
		r.begin(Dump{Form: Agent}, inThreads)
		return
	case forcedStack.MatchString(line):
		if r.begin(Dump{Form: Agent}, inThreads) {
			r.threadLine(line)
			return
		}
	}
	r.remember(line)
}

// beginFile starts a dump of Thread.dump_to_file, which begins with three lines:
// the process, the time and the version.
func (r *textReader) beginFile() bool {
	d := Dump{Form: FileText}
	if n := len(r.recent); n >= 3 {
		d.PID, d.VM = integer(r.recent[n-3]), r.keep.text(r.recent[n-1])
	}
	return r.begin(d, inThreads)
}

// remember counts a line as outside, and keeps it for what it may say of the next
// dump.
func (r *textReader) remember(line string) {
	r.file.Other++
	if strings.TrimSpace(line) == "" {
		return
	}
	if len(r.recent) == recentLines {
		r.recent = append(r.recent[:0], r.recent[1:]...)
	}
	r.recent = append(r.recent, line)
}

func (r *textReader) foreign() {
	if r.section == inTail {
		r.file.Other++
	} else {
		r.file.Foreign++
	}
}

// threadLine reads a line of the list of threads.
func (r *textReader) threadLine(line string) {
	text := strings.TrimSpace(line)
	if r.broken != "" && !strings.HasPrefix(line, `"`) {
		r.mend(line)
		return
	}
	switch {
	case text == "":
	case line[0] == '"':
		r.header(line)
	case line[0] == '#' && r.dump().Form == FileText:
		if t, ok := parseFileHeader(line); ok {
			r.startThread(t)
		} else {
			r.unreadable(`a thread as #22 "name"`)
		}
	case strings.HasPrefix(text, "at ") && text != line:
		r.frame(parseFrame(text[3:]))
	case strings.HasPrefix(text, "- "):
		r.dash(text[2:])
	case strings.HasPrefix(text, "java.lang.Thread.State: "):
		r.state(text[len("java.lang.Thread.State: "):])
	case text == "Locked ownable synchronizers:":
		r.owned = true
	default:
		r.otherLine(line, text)
	}
}

// otherLine reads the lines that are rare.
func (r *textReader) otherLine(line, text string) {
	switch {
	case text == "Threads class SMR info:":
		r.section = inList
	case strings.HasPrefix(text, "JNI global ref"):
		r.closeThread()
		r.ended, r.section = true, inTail
	case r.beginDeadlock(line), ignored(text):
	case strings.HasPrefix(text, "Carrying virtual thread #"):
		r.thread.Carries = integer(firstWord(text[len("Carrying virtual thread #"):]))
		r.thread.Java = true
	case strings.HasPrefix(text, "Mounted virtual thread #"):
		r.mounted(integer(firstWord(text[len("Mounted virtual thread #"):])))
	case r.dump().Form == FileText && line[0] == ' ' && r.open:
		// JDK 21 to 24 write calls without a word before them.
		if f, ok := parseFrame(text); ok {
			r.frame(f, true)
		} else {
			r.foreign()
		}
	default:
		if m := forcedStack.FindStringSubmatch(line); m != nil {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			r.dump().Form, r.ended = Agent, true
			r.startThread(Thread{Name: "Thread " + m[1], Native: n, Condition: m[2], Java: true, CPU: -1, Elapsed: -1, Allocated: -1})
			return
		}
		r.foreign()
	}
}

// ignored says whether a line belongs to a thread and tells nothing that is kept.
func ignored(text string) bool {
	for _, begin := range []string{"No compile task", "Compiling:", "JavaThread state:", "Thread:", "Deadlock Detection:", "No deadlocks found", "- None"} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

func (r *textReader) listLine(line string) {
	text := strings.TrimSpace(line)
	switch m := listLength.FindStringSubmatch(text); {
	case m != nil:
		r.dump().Stated, _ = strconv.ParseInt(m[1], 10, 64)
	case text == "}", text == "":
		r.section = inThreads
	case strings.HasPrefix(line, `"`):
		r.section = inThreads
		r.threadLine(line)
	case !strings.HasPrefix(text, "0x") && !strings.HasPrefix(text, "_to_delete_list") && !strings.HasPrefix(text, "next->"):
		r.foreign()
	}
}

func (r *textReader) unreadable(expected string) {
	r.file.problem(Problem{Line: r.in.Number(), Expected: expected, Found: "something else"})
}
