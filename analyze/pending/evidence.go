package pending

import (
	"fmt"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/internal/units"
)

// Thresholds of the verdict.
const (
	// patience is how long the first of a queue must have been waiting, in seconds,
	// where no timeout was given: queues of busy servers empty themselves many times
	// in that time.
	patience = 1.0
	// fullFill is the fill from which a queue of an executor is a pile-up without
	// other evidence.
	fullFill = 0.9
	// manyWrites is how many writes must wait in one channel: a large response is
	// written in hundreds of pieces.
	manyWrites = 1000
)

// weigh collects what says that work piles up in a queue, and reports whether
// that is enough. A queue must be one that work waits in, and there must be
// evidence that it does: a cache, a pool of free objects and a history have the
// same shape.
func (a *analysis) weigh(i int) bool {
	q, f, s := &a.res.Queues[i], a.queues[i], &a.standing[i]
	if q.Role == RoleTimers || s.internal >= 0.5 || q.Entries < a.o.MinEntries {
		return false
	}
	if f.shape != nil {
		return a.weighShape(q, f, s)
	}
	if s.collection && s.requests < 0.5 && !a.namedQueue(f) {
		return false
	}
	if s.requests < 0.5 && a.keepsThings(f) {
		return false
	}
	if q.Age != nil && q.Age.Head < a.patience() {
		return false // they came just now
	}
	if q.Role == RoleResponses && q.Entries/max(q.Instances, 1) < manyWrites {
		return false
	}
	switch known := s.requests >= 0.5 && (f.instances == 1 || f.owner.row != nil); {
	case q.Role == RoleWaiters && (known || f.owner.row != nil):
		s.say("all that is in it are callers who wait")
	case known:
		s.say("its entries are known to stand for requests: %s", meansOf(q))
	}
	if q.Age != nil && !f.own(a) {
		s.say("its head has been waiting for %s", units.Seconds(q.Age.Head))
	}
	a.weighWorkers(q, f, s)
	a.weighNames(q, f, s)
	if f.owner.row != nil && q.Fill != nil && *q.Fill >= fullFill {
		s.say("it is %s full", units.Share(*q.Fill))
	}
	if q.Dead != nil && *q.Dead > 0 && len(s.evidence) > 0 {
		s.say("%s of its entries are beyond what is of use", units.Count(*q.Dead))
	}
	return len(s.evidence) > 0
}

// weighShape takes the evidence that was found with a shape.
func (a *analysis) weighShape(q *Queue, f *found, s *standing) bool {
	// The name of a queue, its structure and the times in its entries together are
	// as good as threads at work on them.
	aged := f.shape.structure >= 2 && f.shape.queue && !f.shape.store && q.Age != nil
	if !f.shape.requests() && s.requests < 0.5 && !aged || q.Age != nil && q.Age.Head < a.patience() {
		return false
	}
	s.say("it has the shape of a queue: %s", f.shape.why)
	if q.Age != nil {
		s.say("its head has been waiting for %s", units.Seconds(q.Age.Head))
	}
	return true
}

// own reports whether a queue is the application's own without anybody known to
// drain it, so that ages alone may be those of a history. Names, and threads at
// work on the entries, tell it from one.
func (f *found) own(a *analysis) bool {
	if f.owner.row != nil || f.row != nil && (f.row.Server != "" || !f.row.Collection && !f.mayBeHistory()) {
		return false
	}
	return !a.namedQueue(f) && workedOn(a.h, a.mainPayload(f)) == 0
}

// mayBeHistory reports whether a queue is a deque that is exactly full: of one that
// keeps the last so many things the oldest is as old as that takes.
func (f *found) mayBeHistory() bool {
	return f.class.Name == "java.util.concurrent.LinkedBlockingDeque" && f.capacity != nil && f.n == *f.capacity
}

// keepsThings reports whether a queue of the JDK that threads hand things over by
// is, by its holder's names, where free connections or buffers are kept, and
// nobody works on what is in it: a pool takes from it as workers do.
func (a *analysis) keepsThings(f *found) bool {
	if f.owner.row != nil || f.owner.class == nil || f.row == nil || f.row.Server != "" || f.row.Role == pattern.Waiters {
		return false
	}
	if hasWord(f.owner.field, queueWords) {
		return false
	}
	store := hasWord(f.owner.field, storeWords) || hasWord(display(f.owner.class), storeWords)
	return store && workedOn(a.h, a.mainPayload(f)) == 0
}

// namedQueue reports whether the holder of a collection is named as a queue of
// work, and not as a store.
func (a *analysis) namedQueue(f *found) bool {
	if f.owner.row != nil {
		return true
	}
	if f.owner.class == nil {
		return false
	}
	names := []string{display(f.owner.class), f.owner.field}
	queue := false
	for _, n := range names {
		if hasWord(n, storeWords) {
			return false
		}
		queue = queue || hasWord(n, queueWords)
	}
	return queue
}

// perThread is how many entries for each thread of an executor are a pile-up
// without other evidence: a burst that its threads are about to work off has
// fewer.
const perThread = 10

// weighNames takes what nothing but names and numbers say: a queue of the JDK for
// handing over work, by its holder's name a queue and by its entries' name work,
// and an executor with very many entries for each of its threads.
func (a *analysis) weighNames(q *Queue, f *found, s *standing) {
	if len(s.evidence) > 0 {
		return
	}
	if !f.isCollection() && f.owner.row == nil && a.namedQueue(f) && hasWord(display(a.mainPayload(f)), workWords) {
		s.say("its holder is named as a queue, and its entries as work")
	}
	if q.threads > 0 && q.Entries >= perThread*q.threads {
		s.say("it holds %s entries for each of the %s threads that its pool may have", units.Count(q.Entries/q.threads), units.Count(q.threads))
	}
}

func (f *found) isCollection() bool { return f.row != nil && f.row.Collection }

// weighWorkers looks at those who should drain the queue.
func (a *analysis) weighWorkers(q *Queue, f *found, s *standing) {
	if q.Pool != nil {
		p := &a.res.Workers[*q.Pool]
		if p.Busy != nil && p.Total > 0 && *p.Busy == p.Total {
			if p.Total == 1 {
				s.say("the only thread of %s is busy", p.Name)
			} else {
				s.say("all %s threads of %s are busy", units.Count(p.Total), p.Name)
			}
			return
		}
	}
	if f.owner.row == nil && q.Server == "" {
		return
	}
	if n := workedOn(a.h, a.mainPayload(f)); n > 0 {
		s.say("threads that work on entries of its class: %d", n)
	}
}

// patience is from which age of its head on a queue is a pile-up.
func (a *analysis) patience() float64 {
	if a.o.Timeout != nil && *a.o.Timeout > 0 {
		return min(*a.o.Timeout, patience)
	}
	return patience
}

func (s *standing) say(format string, args ...any) {
	s.evidence = append(s.evidence, fmt.Sprintf(format, args...))
}

// meansOf says what most entries are.
func meansOf(q *Queue) string {
	for _, p := range q.Payload {
		if p.Means != "" {
			return p.Means
		}
	}
	return "requests"
}
