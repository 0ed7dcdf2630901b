package stacks

import "strings"

// header starts the thread whose first line this is.
func (r *textReader) header(line string) {
	t, ok := parseHeader(line)
	if ok {
		r.startThread(t)
		return
	}
	r.closeThread()
	if r.broken != "" {
		r.unreadable(`a thread as "name" #1 prio=5 …`)
	}
	r.broken = line
}

// mend puts a header together whose name has the end of a line in it.
func (r *textReader) mend(line string) {
	t, ok := parseHeader(r.broken + " " + line)
	r.broken = ""
	if ok {
		r.startThread(t)
		return
	}
	r.unreadable(`a thread as "name" #1 prio=5 …`)
	r.threadLine(line)
}

func (r *textReader) startThread(t Thread) {
	r.closeThread()
	t.Line = r.in.Number()
	t.Java = t.Java || t.ID > 0
	r.current = current{open: true, thread: t, frames: r.frames[:0], locks: r.locks[:0]}
}

// closeThread keeps the thread that was read.
func (r *textReader) closeThread() {
	if r.open {
		r.keep.thread(&r.file, r.dump(), r.thread, r.frames, r.locks)
		r.open, r.owned = false, false
	}
}

// mounted starts the virtual thread that runs on the thread being read.
func (r *textReader) mounted(id int64) {
	if !r.open {
		r.foreign()
		return
	}
	carrier, line := r.thread.ID, r.in.Number()
	r.closeThread()
	r.startThread(Thread{ID: id, Virtual: true, Java: true, State: Runnable, Carrier: carrier, Daemon: true, CPU: -1, Elapsed: -1, Allocated: -1})
	r.thread.Line = line
}

func (r *textReader) state(text string) {
	if !r.open {
		r.foreign()
		return
	}
	name, detail, _ := strings.Cut(text, " ")
	r.thread.State, r.thread.Detail = stateNamed(name), strings.Trim(detail, "() ")
	r.thread.Java = true
	if r.thread.State == Unknown {
		r.unreadable("a state of java.lang.Thread.State")
	}
}

func (r *textReader) frame(f Frame, ok bool) {
	switch {
	case !r.open:
		r.foreign()
	case !ok:
		r.unreadable("a call as package.Class.method(File.java:1)")
	case len(r.frames) < MaxFrames:
		r.thread.Java = true
		r.frames = append(r.frames, f)
	}
}

// dash reads a line that begins with a dash: a lock, or a call in the form of jhsdb.
func (r *textReader) dash(text string) {
	if !r.open {
		r.foreign()
		return
	}
	if r.owned {
		if l, ok := parseOwned(text); ok {
			r.lock(l)
		} else if text != "None" {
			r.foreign()
		}
		return
	}
	if l, ok := parseLock(text); ok {
		l.Depth = int32(len(r.frames)) - 1
		r.lock(l)
		return
	}
	if f, ok := parseAgentFrame(text); ok {
		if r.dump().Form == HotSpot {
			r.dump().Form, r.ended = Agent, true
		}
		r.frame(f, true)
		return
	}
	r.foreign()
}

func (r *textReader) lock(l Lock) {
	if l.Kind != 0 && len(r.locks) < MaxLocks {
		r.locks = append(r.locks, l)
	}
}
