package stacks

import (
	"regexp"
	"strings"
)

var (
	deadObject = regexp.MustCompile(`(?:object |Object@|synchronizer )(0x[0-9a-fA-F]{1,16})`)
	deadClass  = regexp.MustCompile(`(?:\(a |, a )([^)]+)\)`)
	deadHolder = regexp.MustCompile(`which is held by "(.*)"$`)
	// maxWaits bounds the threads of one deadlock that are kept.
	maxWaits = 10_000
)

// deadlocks reads the section in which the virtual machine reports deadlocks.
type deadlocks struct {
	waits []Wait
	wait  Wait
	open  bool
}

// beginDeadlock starts the section and says whether the line announces one.
func (r *textReader) beginDeadlock(line string) bool {
	if !strings.HasPrefix(line, "Found one Java-level deadlock:") {
		return false
	}
	r.closeThread()
	r.closeDeadlock()
	r.section = inDeadlock
	return true
}

func (r *textReader) deadlockLine(line string) {
	text := strings.TrimSpace(line)
	switch {
	case r.beginDeadlock(line):
	case foundCount.MatchString(line):
		r.closeDeadlock()
		r.section = inThreads
		if r.ended {
			r.section = inTail
		}
	case strings.HasPrefix(line, "Java stack information for"):
		r.closeDeadlock()
		r.section = inStacksOfDeadlock
	case text == "", strings.HasPrefix(text, "==="):
	case r.section == inStacksOfDeadlock:
		if line[0] != '"' && line[0] != '\t' && line[0] != ' ' {
			r.foreign()
		}
	case line[0] == '"' && len(text) > 2 && strings.HasSuffix(text, `":`):
		r.closeWait()
		r.dead.wait, r.dead.open = Wait{Thread: text[1 : len(text)-2]}, true
	case strings.HasPrefix(text, "waiting "):
		r.dead.wait.what(text)
	default:
		if m := deadHolder.FindStringSubmatch(text); m != nil {
			r.dead.wait.Holder = m[1]
		} else if !strings.Contains(text, "which is held by") {
			r.foreign()
		}
	}
}

func (w *Wait) what(text string) {
	if m := deadObject.FindStringSubmatch(text); m != nil {
		w.Object = m[1]
	}
	if m := deadClass.FindStringSubmatch(text); m != nil {
		w.Class = strings.ReplaceAll(m[1], "/", ".")
	}
}

func (r *textReader) closeWait() {
	d := &r.dead
	if d.open && len(d.waits) < maxWaits {
		w := d.wait
		d.waits = append(d.waits, Wait{r.keep.text(w.Thread), r.keep.text(w.Holder), r.keep.text(w.Object), r.keep.text(w.Class)})
	}
	d.open = false
}

func (r *textReader) closeDeadlock() {
	r.closeWait()
	if len(r.dead.waits) > 0 {
		r.dump().Deadlocks = append(r.dump().Deadlocks, Deadlock{Waits: r.dead.waits})
		r.dead.waits = nil
	}
}
