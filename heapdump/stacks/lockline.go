package stacks

import "strings"

// lockWords are how dumps begin a line about an object, behind the dash. "eliminated"
// is a lock that the compiler proved unneeded; nobody else can wait for it.
var lockWords = []struct {
	words string
	kind  LockKind
}{
	{"parking to wait for", Parking},
	{"waiting to re-lock in wait()", Entering},
	{"waiting to lock", Entering},
	{"waiting on the Class initialization monitor for", WaitingOn},
	{"waiting on", WaitingOn},
	{"locked", Locked},
	{"eliminated", 0},
}

// parseLock reads a line such as
//
//   - waiting to lock <0x00000000ffd1b980> (a java.lang.Object)
//   - locked <java.lang.Object@588fa570>
//
// without its dash; ok is false where it is no such line. A line about a lock that
// matters to nobody has no kind.
func parseLock(text string) (l Lock, ok bool) {
	for _, w := range lockWords {
		if rest, found := strings.CutPrefix(text, w.words); found {
			l.Kind = w.kind
			l.object(strings.TrimSpace(rest))
			return l, true
		}
	}
	return l, false
}

// parseOwned reads a line below "Locked ownable synchronizers".
func parseOwned(text string) (Lock, bool) {
	l := Lock{Kind: Owns, Depth: -1}
	if !strings.HasPrefix(text, "<") {
		return l, false
	}
	l.object(text)
	return l, l.Object != ""
}

// object reads <address> (a Class), <Class@hash>, or the name of a class alone.
func (l *Lock) object(text string) {
	inside, rest, ok := strings.Cut(strings.TrimPrefix(text, "<"), ">")
	if !ok {
		l.Class = text
		return
	}
	if class, hash, found := strings.Cut(inside, "@"); found && !strings.Contains(class, " ") {
		l.Object, l.Class = inside, class
		_ = hash
	} else if strings.HasPrefix(inside, "0x") {
		l.Object = inside
	}
	if n := strings.Index(rest, "(a "); n >= 0 {
		l.Class = strings.ReplaceAll(strings.TrimSuffix(strings.TrimSpace(rest[n+3:]), ")"), "/", ".")
	}
}
