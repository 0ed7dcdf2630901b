package pending

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"example.com/kneeline/internal/units"
)

// judge weighs the queues and says the answer.
func (a *analysis) judge() {
	var piled []int
	for i := range a.res.Queues {
		q := &a.res.Queues[i]
		a.rates(q)
		if a.weigh(i) {
			piled = append(piled, i)
		}
	}
	piled = a.retain(piled)
	for _, i := range piled {
		q := &a.res.Queues[i]
		q.Requests = q.Requests || q.Role == RoleTasks || q.Role == RoleWaiters
		a.setting(a.queues[i], q)
	}
	a.rank(piled)
	a.numberHolders()
	a.findings()
	a.couldNot()
	if len(piled) > 0 {
		a.sayPileUp()
		return
	}
	a.sayElse()
}

// rank puts the queues that work piles up in first, the one to be named at the
// head, and the others behind by length.
func (a *analysis) rank(piled []int) {
	type row struct {
		queue Queue
		found *found
		standing
		piled bool
	}
	rows := make([]row, len(a.queues))
	for i := range rows {
		rows[i] = row{a.res.Queues[i], a.queues[i], a.standing[i], slices.Contains(piled, i)}
	}
	slices.SortStableFunc(rows, func(x, y row) int {
		if x.piled != y.piled {
			return cmp.Compare(b2i(y.piled), b2i(x.piled))
		}
		// A queue of a few that is known better does not come before one many times
		// as long; of two that are about as long the better known one does.
		return cmp.Or(cmp.Compare(magnitude(&y.queue), magnitude(&x.queue)), cmp.Compare(sureness(&y.queue), sureness(&x.queue)), cmp.Compare(y.queue.Entries, x.queue.Entries), cmp.Compare(x.queue.Name, y.queue.Name))
	})
	for i, r := range rows {
		a.res.Queues[i], a.queues[i], a.standing[i] = r.queue, r.found, r.standing
	}
	if len(piled) > 0 {
		first := 0
		a.res.Verdict.Queue = &first
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// magnitude is how long a queue is, in powers of two.
func magnitude(q *Queue) int { return bits.Len64(uint64(max(q.Entries, 0))) }

// sureness orders queues by how well it is known what they are.
func sureness(q *Queue) int {
	n := 0
	switch q.Confidence {
	case ConfidenceHigh:
		n = 4
	case ConfidenceMedium:
		n = 2
	}
	if q.Requests {
		n++
	}
	return n
}

// sayPileUp makes the verdict for the first queue.
func (a *analysis) sayPileUp() {
	q, s := &a.res.Queues[0], &a.standing[0]
	v := &a.res.Verdict
	v.Answer, v.Why = PileUp, s.evidence
	least := ""
	if f := a.queues[0]; f.cut != "" && f.count == nil {
		least = "at least "
	}
	v.Sentence = fmt.Sprintf("%s%s %s in the %s%s%s", least, units.Count(q.Entries), waitWords(q), q.Name, sizeWords(q), timeWords(q))
	v.Sentence += a.usefulWords(q)
	if n, entries := a.likeFirst(); n > 0 {
		like := "queues like it hold"
		if n == 1 {
			like = "queue like it holds"
		}
		v.Why = append(v.Why, fmt.Sprintf("%d more %s %s entries", n, like, units.Count(entries)))
	}
	if q.Setting != nil && q.Setting.Value != "" {
		v.Change = fmt.Sprintf("%s = %s", q.Setting.Name, q.Setting.Value)
		v.Sentence += ": set " + q.Setting.Called() + " to " + q.Setting.Value
	} else if q.Setting != nil && q.Role == RoleWaiters {
		v.Change = "bound the wait, then look at " + q.Setting.Called()
	} else if q.Setting != nil {
		v.Change = "limit it by " + q.Setting.Called()
	}
	seen := map[string]bool{}
	for _, f := range a.res.Findings {
		if f.Location.Object == q.Name && !seen[f.Rule] {
			seen[f.Rule] = true
			v.Rules = append(v.Rules, f.Rule)
		}
	}
}

// likeFirst counts the other queues in which work piles up and that are of the
// same kind and owner as the first, such as those of the other event loops.
func (a *analysis) likeFirst() (n int, entries int64) {
	first := a.queues[0]
	for i, f := range a.queues[1:] {
		if len(a.standing[i+1].evidence) > 0 && f.class == first.class && f.owner.class == first.owner.class && f.owner.field == first.owner.field {
			n++
			entries += f.n
		}
	}
	return n, entries
}

// waitWords are what waits, and that it does.
func waitWords(q *Queue) string {
	switch q.Role {
	case RoleConnections:
		return "connections wait"
	case RoleTasks:
		return "tasks wait"
	case RoleResponses:
		return "responses wait to be sent"
	case RoleMessages:
		return "messages wait"
	case RoleWaiters:
		for _, p := range q.Payload {
			if p.Class == "java.lang.Thread" || p.Class == "java.lang.VirtualThread" {
				return "threads wait"
			}
		}
		return "callers wait"
	}
	return "requests wait"
}

// sizeWords say how many bytes, with a comma before.
func sizeWords(q *Queue) string {
	if q.BytesEach == nil {
		return ""
	}
	least := ""
	if q.AtLeast {
		least = "at least "
	}
	text := fmt.Sprintf(", %s%s each and %s together", least, units.Size(int64(*q.BytesEach+0.5)), units.Size(*q.Bytes))
	if q.HeapShare != nil {
		text += fmt.Sprintf(" (%s of the heap)", units.Share(*q.HeapShare))
	}
	return text
}

// timeWords say how long the first waits, how fast they came, and how long a new
// one would wait.
func timeWords(q *Queue) string {
	text := ""
	if q.Age != nil {
		text += ", the first for " + units.Seconds(q.Age.Head)
	}
	if q.ArrivalRate != nil {
		text += fmt.Sprintf(", arriving at %s", units.Rate(*q.ArrivalRate))
	}
	if q.WaitOfNew != nil {
		least := ""
		if q.ThroughputFrom == FromAges {
			least = "at least "
		}
		text += fmt.Sprintf("; a new one waits %s%s", least, units.Seconds(*q.WaitOfNew))
	}
	return text
}

// usefulWords say how long the queue may be, and is.
func (a *analysis) usefulWords(q *Queue) string {
	switch {
	case q.Role == RoleWaiters:
	case q.UsefulPositions != nil && q.Capacity != nil && *q.Capacity <= *q.UsefulPositions:
		return fmt.Sprintf("; all of its %s places are of use", units.Count(*q.Capacity))
	case q.UsefulPositions != nil && q.Capacity != nil:
		return fmt.Sprintf("; of its %s places %s are of use", units.Count(*q.Capacity), units.Count(*q.UsefulPositions))
	case q.UsefulPositions != nil:
		return fmt.Sprintf("; %s places are of use and it has no limit", units.Count(*q.UsefulPositions))
	case q.Capacity != nil:
		return fmt.Sprintf("; its limit is %s", units.Count(*q.Capacity))
	case q.Unbounded:
		return "; it has no limit"
	}
	return ""
}

// sayElse makes the verdict where no requests pile up.
func (a *analysis) sayElse() {
	v := &a.res.Verdict
	v.Answer, v.Why = Nothing, []string{}
	if a.h.Objects == 0 {
		v.Answer, v.Sentence = Unknown, "the dump has no objects"
		return
	}
	v.Sentence = fmt.Sprintf("no requests pile up in %s of %s objects", units.Size(a.h.Bytes), units.Count(a.h.Objects))
	if full, ok := fullOf(a.h, a.own); ok {
		v.Answer = FullOfElse
		v.Sentence = fmt.Sprintf("no requests pile up; the heap of %s is full of something else: %s take %s (%s)", units.Size(a.h.Bytes),
			full.what, units.Size(full.bytes), units.Share(float64(full.bytes)/float64(a.h.Bytes)))
	}
	if len(a.res.Queues) > 0 {
		q := &a.res.Queues[0]
		v.Why = append(v.Why, fmt.Sprintf("the longest of the queues, the %s, holds %s, and nothing says that somebody waits for them", q.Name, units.Count(q.Entries)))
	} else {
		v.Why = append(v.Why, fmt.Sprintf("no queue holds %s entries or more", units.Count(a.o.MinEntries)))
	}
	if a.h.Complete {
		return
	}
	switch part := a.readShare(); {
	case a.h.Total <= 0:
		v.Answer, v.Sentence = Unknown, fmt.Sprintf("no requests pile up in the %s of the dump that could be read; %s", units.Size(a.h.Read), a.missingWords())
	case part < enoughRead:
		v.Answer, v.Sentence = Unknown, fmt.Sprintf("no requests pile up in the %s of the dump that could be read", units.Share(part))
	}
}

// missingWords say how much of a dump is missing whose length is not known.
func (a *analysis) missingWords() string {
	if most := a.res.Inputs[0].AtMost; most != nil {
		return fmt.Sprintf("that is %s of its objects at most", units.Share(*most))
	}
	return "how much is missing is not known"
}

// enoughRead is the share of a dump from which a queue that is not in it is not
// there: what is missing then is mostly the roots.
const enoughRead = 0.95

func (a *analysis) readShare() float64 {
	if a.h.Total <= 0 {
		return 0
	}
	return float64(a.h.Read) / float64(a.h.Total)
}

// couldNot says what the heap does not tell.
func (a *analysis) couldNot() {
	add := func(text string) { a.res.CouldNotSay = append(a.res.CouldNotSay, text) }
	if a.res.Graph == nil {
		add("Whether objects can still be reached was not checked: requests that were answered and wait for the collector count as well, and so does garbage in equal numbers with requests. A dump taken with live has neither; --graph tells.")
	}
	if text := a.o.Missing(); text != "" && len(a.res.Queues) > 0 {
		add(text)
	}
	if !a.h.Complete {
		add("The dump ends too early: there may be more of everything, and roots and stacks may be missing.")
	}
	for i := range a.res.Queues {
		q := &a.res.Queues[i]
		if q.Age == nil && q.Requests {
			add(fmt.Sprintf("How long the entries of the %s have been waiting: no field of theirs is a stamp of their arrival.", q.Name))
			break
		}
	}
	if a.res.Heap.Learned != nil && !*a.res.Heap.Learned {
		add("How the VM lays out objects could not be learned from the dump; sizes are those of the usual layout.")
	}
	if err := a.storeErr(); err != nil {
		a.warn("what was kept of the dump could not be read any more: %v", err)
	}
}

func (a *analysis) storeErr() error {
	if a.h.Store == nil {
		return nil
	}
	return a.h.Store.Err()
}

func (a *analysis) warn(format string, args ...any) {
	a.res.Warnings = append(a.res.Warnings, fmt.Sprintf(format, args...))
}
