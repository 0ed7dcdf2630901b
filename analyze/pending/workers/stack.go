package workers

import (
	"strings"

	"example.com/kneeline/heapdump/stacks"
)

// stackInfo is what a stack alone tells.
type stackInfo struct {
	idle, own   bool
	kind, place string
	// texts are the frames as a group shows them, key all of them.
	texts []string
	key   string
	// waits are what threads with this stack wait for.
	waits map[waitKey]wait
}

// waitKey is all beside the stack that decides what a thread waits for.
type waitKey struct {
	state stacks.State
	kind  stacks.LockKind
	class string
}

func (a *analysis) waitOf(t *stacks.Thread) wait {
	lock := wanted(t)
	key := waitKey{state: t.State}
	if lock != nil {
		key.kind, key.class = lock.Kind, lock.Class
	}
	s := a.stackOf(t.Frames)
	w, ok := s.waits[key]
	if !ok {
		w = waitOf(t)
		if s.waits == nil {
			s.waits = map[waitKey]wait{}
		}
		s.waits[key] = w
	}
	if w.lock != nil {
		w.lock = lock // this thread's own
	}
	return w
}

func (a *analysis) stackOf(frames []stacks.Frame) *stackInfo {
	if len(frames) == 0 {
		return &stackInfo{}
	}
	if known, ok := a.stacks[&frames[0]]; ok {
		return known
	}
	s := &stackInfo{}
	for _, f := range frames[:min(len(frames), maxStack)] {
		s.texts = append(s.texts, frameText(f))
	}
	s.key = strings.Join(s.texts, "\n")
	// Those of a heap dump are equal without being shared. What lies deeper than
	// what is shown may differ, so only whole stacks are.
	if known, ok := a.byText[s.key]; ok && len(frames) <= maxStack {
		a.stacks[&frames[0]] = known
		return known
	}
	s.idle, s.kind, s.place = idle(frames), kindOf(frames), placeOf(frames)
	for _, r := range ownRows {
		s.own = s.own || onStack(frames, r)
	}
	if len(frames) <= maxStack {
		a.byText[s.key] = s
	}
	a.stacks[&frames[0]] = s
	return s
}
