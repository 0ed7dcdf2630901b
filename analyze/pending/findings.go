package pending

import (
	"cmp"
	"fmt"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Thresholds of findings.
const (
	// staleShare is by how much a queue's own count may differ from what was
	// counted: a dump of a VM that stands still agrees, but queues without locks
	// change the count and the entries one after the other.
	staleShare = 0.01
	staleLeast = 2
	// tooLong is how many times the useful length a limit must be to be called too
	// long.
	tooLong = 2
	// muchOfHeap is the share of the heap that a queue would take when full from
	// which its limit is no protection.
	muchOfHeap = 0.5
	// fuller is how many times what it holds now that must be: a queue that is
	// nearly full shows what it takes.
	fuller = 2
)

// findings judges every queue by the rules.
func (a *analysis) findings() {
	for i := range a.res.Queues {
		if a.standing[i].garbage {
			continue // nothing waits in it
		}
		a.judgeQueue(&a.res.Queues[i], a.queues[i], &a.standing[i])
	}
	a.judgeGraph()
	a.res.Findings = finding.Ordered(a.res.Findings)
}

func (a *analysis) found(r finding.Rule, q *Queue, evidence []finding.Evidence, format string, args ...any) *finding.Finding {
	f := r.Found(finding.Location{Object: q.Name}, "", fmt.Sprintf(format, args...))
	f.Evidence = evidence
	if q.Setting != nil {
		f.Remediation = q.Setting.Name
		if q.Setting.Value != "" {
			f.Remediation += " = " + q.Setting.Value
		}
	}
	a.res.Findings = append(a.res.Findings, f)
	return &a.res.Findings[len(a.res.Findings)-1]
}

func (a *analysis) judgeQueue(q *Queue, f *found, s *standing) {
	if len(s.evidence) > 0 {
		switch q.Role {
		case RoleWaiters:
			f := a.found(waitersRule, q, queueEvidence(q), "%s %s: %s", units.Count(q.Entries), waitWords(q), q.Name)
			f.Remediation = cmp.Or(f.Remediation, "bound the wait below the clients' timeout, and admit no more than gets its turn in that time")
		case RoleResponses:
			f := a.found(unsentRule, q, queueEvidence(q), "%s responses wait to be sent in the %s", units.Count(q.Entries), q.Name)
			f.Remediation = cmp.Or(f.Remediation, "write no more to a peer that does not read, and close its connection after the idle timeout")
		default:
			a.judgePile(q)
		}
	}
	a.judgeLimit(q, f, s)
	a.judgeCount(q, f)
	a.judgeGrowth(q, f)
}

// judgePile is for work that waits.
func (a *analysis) judgePile(q *Queue) {
	found := a.found(pileRule, q, queueEvidence(q), "%s %s in the %s", units.Count(q.Entries), waitWords(q), q.Name)
	if q.Age != nil && a.o.Timeout != nil && q.Age.Head > *a.o.Timeout {
		a.found(deadRule, q, queueEvidence(q), "the head of the %s has been waiting for %s, its clients wait for %s",
			q.Name, units.Seconds(q.Age.Head), units.Seconds(*a.o.Timeout))
		return
	}
	if q.Dead != nil && *q.Dead > 0 {
		a.found(deadRule, q, queueEvidence(q), "%s of %s entries of the %s will be served after their clients have gone",
			units.Count(*q.Dead), units.Count(q.Entries), q.Name)
		return
	}
	if q.UsefulPositions == nil && q.Age == nil || q.inTime(a.o.Timeout) {
		found.Severity = finding.Warning
	}
}

// inTime reports whether all that is in a queue will be served while its clients
// wait.
func (q *Queue) inTime(timeout *float64) bool {
	return q.UsefulPositions != nil && *q.Dead == 0 && (q.Age == nil || timeout != nil && q.Age.Head <= *timeout)
}

// judgeLimit looks at the queue's own limit.
func (a *analysis) judgeLimit(q *Queue, f *found, s *standing) {
	if q.Role != RoleRequests && q.Role != RoleTasks || len(s.evidence) == 0 || f.instances > 1 {
		return
	}
	switch {
	case q.Unbounded:
		a.found(unboundedRule, q, queueEvidence(q), "the %s has no limit", q.Name)
	case q.fits():
		return // a full queue of that length does what it is for
	case q.Fill != nil && *q.Fill >= 1:
		a.found(fullRule, q, queueEvidence(q), "the %s is full: what comes now is refused", q.Name)
	}
	if q.Capacity == nil {
		return
	}
	if u := q.UsefulPositions; u != nil && float64(*q.Capacity) > tooLong*float64(*u) {
		a.found(longRule, q, queueEvidence(q), "the %s takes %s entries, of which %s are of use", q.Name, units.Count(*q.Capacity), units.Count(*u))
	}
	if q.AtCapacity != nil && a.h.Bytes > 0 && float64(*q.AtCapacity) > muchOfHeap*float64(a.h.Bytes) && *q.AtCapacity >= fuller**q.Bytes {
		a.found(heapRule, q, append(queueEvidence(q), finding.Evidence{Name: "when full", Value: units.Size(*q.AtCapacity)}),
			"the %s would hold %s when full, and this heap holds %s", q.Name, units.Size(*q.AtCapacity), units.Size(a.h.Bytes))
	}
}

// judgeCount holds the queue's own count against what was counted.
func (a *analysis) judgeCount(q *Queue, f *found) {
	if q.CountField == nil || f.sampled || f.cut != "" || f.instances > 1 || f.row == nil || f.row.Kind == pattern.Count || f.row.Kind == pattern.Map {
		return
	}
	off := *q.CountField - q.Entries
	if off < 0 {
		off = -off
	}
	if off < staleLeast || float64(off) <= staleShare*float64(q.Entries) {
		return
	}
	a.found(staleRule, q, nil, "the %s says it holds %s, and %s were counted", q.Name, units.Count(*q.CountField), units.Count(q.Entries))
}

// judgeGrowth finds the pool that cannot grow: a queue without limit takes all
// work before the pool would add a thread.
func (a *analysis) judgeGrowth(q *Queue, f *found) {
	o := f.owner.row
	if o == nil || o.Class != "java.util.concurrent.ThreadPoolExecutor" || !q.Unbounded || f.owner.id == 0 {
		return
	}
	if f.row != nil && f.row.Role == pattern.Timers || f.class.Name == handOver {
		return // a pool for timers has as many threads as it was given, by design
	}
	least, most := a.number(f, o.MinThreads), a.number(f, o.MaxThreads)
	if least == nil || most == nil || *least >= *most || *most >= noLimit && *least == 0 {
		return
	}
	found := a.found(growthRule, q, []finding.Evidence{
		{Name: "corePoolSize", Value: units.Count(*least)}, {Name: "maximumPoolSize", Value: units.Count(*most)},
	}, "the pool of the %s stays at %s threads, though it may have %s: its queue never fills", q.Name, units.Count(*least), units.Count(*most))
	want := "as many as the pool is to have"
	if *most < noLimit {
		want = fmt.Sprint(*most)
	}
	found.Remediation = "corePoolSize = " + want + " with allowCoreThreadTimeOut(true), and a limit for the queue"
}

// handOver is the queue of the JDK that keeps nothing: it refuses what no thread
// waits for, and a pool grows by it.
const handOver = "java.util.concurrent.SynchronousQueue"

// queueEvidence is the figures of a queue.
func queueEvidence(q *Queue) []finding.Evidence {
	out := []finding.Evidence{{Name: "entries", Value: units.Count(q.Entries)}}
	add := func(name string, known bool, value func() string) {
		if known {
			out = append(out, finding.Evidence{Name: name, Value: value()})
		}
	}
	add("capacity", q.Capacity != nil, func() string { return units.Count(*q.Capacity) })
	add("useful", q.UsefulPositions != nil, func() string { return units.Count(*q.UsefulPositions) })
	add("head waits", q.Age != nil, func() string { return units.Seconds(q.Age.Head) })
	add("arrival rate", q.ArrivalRate != nil, func() string { return units.Rate(*q.ArrivalRate) })
	add("bytes each", q.BytesEach != nil, func() string { return units.Size(int64(*q.BytesEach + 0.5)) })
	add("bytes", q.Bytes != nil, func() string { return units.Size(*q.Bytes) })
	return out
}
