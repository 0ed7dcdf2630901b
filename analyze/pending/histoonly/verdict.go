package histoonly

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// fullShare is the share of the heap from which one class is what it is full of, as
// for a heap dump.
const fullShare = 0.2

// describe puts what was found into the result, what is longest first.
func (j *judge) describe() {
	slices.SortStableFunc(j.rows, func(a, b evidence) int {
		// Of two that are about as long, requests come before what they wait for.
		return cmp.Or(cmp.Compare(magnitude(&b), magnitude(&a)), cmp.Compare(rank(a.Role), rank(b.Role)), cmp.Compare(b.Entries, a.Entries), cmp.Compare(a.Name, b.Name))
	})
	for i := range j.rows {
		e := &j.rows[i]
		j.grow(e)
		j.useful(e)
		j.res.Queues = append(j.res.Queues, e.Queue)
		rule := ruleOf(map[bool]string{true: "HEP-09", false: "HEP-01"}[e.Role == pending.RoleWaiters])
		if e.Role == pending.RoleResponses {
			rule = ruleOf("HEP-10")
		}
		f := rule.Found(finding.Location{Object: e.Name}, "", fmt.Sprintf("%s %s in the %s", units.Count(e.Entries), waitWords(e.Role), e.Name))
		f.Evidence = e.Evidence()
		if e.Setting != nil {
			f.Remediation = e.Setting.Name
			if e.Setting.Value != "" {
				f.Remediation += " = " + e.Setting.Value
			}
		}
		j.res.Findings = append(j.res.Findings, f)
	}
	j.res.Findings = finding.Ordered(j.res.Findings)
}

// magnitude is how many wait, in powers of two.
func magnitude(e *evidence) int { return bits.Len64(uint64(max(e.Entries, 0))) }

// rank orders what waits by how near it is to a request.
func rank(role string) int {
	return slices.Index([]string{pending.RoleRequests, pending.RoleTasks, pending.RoleWaiters, pending.RoleResponses}, role)
}

func ruleOf(id string) finding.Rule {
	rules := pending.Rules()
	return rules[slices.IndexFunc(rules, func(r finding.Rule) bool { return r.ID == id })]
}

func waitWords(role string) string {
	switch role {
	case pending.RoleTasks:
		return "tasks wait"
	case pending.RoleResponses:
		return "responses wait to be sent"
	case pending.RoleWaiters:
		return "callers wait"
	}
	return "requests wait"
}

func (j *judge) verdict() {
	v := &j.res.Verdict
	v.Why = []string{}
	j.couldNot()
	switch {
	case len(j.rows) > 0:
		j.sayPileUp(&j.rows[0])
	case j.now == nil && j.threads == nil:
		v.Answer, v.Sentence = pending.Unknown, "there is neither a histogram nor a thread dump"
	case j.now == nil:
		j.sayThreadsAlone()
	default:
		j.sayElse()
	}
}

func (j *judge) sayPileUp(e *evidence) {
	v := &j.res.Verdict
	first := 0
	v.Answer, v.Why, v.Queue = pending.PileUp, e.why, &first
	v.Sentence = fmt.Sprintf("%s %s in the %s", units.Count(e.Entries), waitWords(e.Role), e.Name)
	if e.BytesEach != nil {
		v.Sentence += fmt.Sprintf(", at least %s each and %s together", units.Size(int64(*e.BytesEach+0.5)), units.Size(*e.Bytes))
		if e.HeapShare != nil {
			v.Sentence += fmt.Sprintf(" (%s of the heap)", units.Share(*e.HeapShare))
		}
	}
	if e.ArrivalRate != nil {
		v.Sentence += fmt.Sprintf(", growing by %s", units.Rate(*e.ArrivalRate))
	}
	if e.WaitOfNew != nil {
		v.Sentence += "; a new one waits " + units.Seconds(*e.WaitOfNew)
	}
	if e.UsefulPositions != nil {
		v.Sentence += fmt.Sprintf("; %s places are of use", units.Count(*e.UsefulPositions))
	}
	switch {
	case e.Setting != nil && e.Setting.Value != "":
		v.Change = e.Setting.Name + " = " + e.Setting.Value
		v.Sentence += ": set " + e.Setting.Called() + " to " + e.Setting.Value
	case e.Setting != nil:
		v.Change = "limit it by " + e.Setting.Called()
	}
	for _, f := range j.res.Findings {
		if f.Location.Object == e.Name && !slices.Contains(v.Rules, f.Rule) {
			v.Rules = append(v.Rules, f.Rule)
		}
	}
}

// sayThreadsAlone makes the verdict of threads without a histogram: what waits in
// queues is not in them.
func (j *judge) sayThreadsAlone() {
	v := &j.res.Verdict
	v.Answer = pending.Unknown
	v.Sentence = "threads alone do not tell what waits in queues; take a histogram too: jmap -histo:live PID"
	for i := range j.threads.Pools {
		p := &j.threads.Pools[i]
		if saturated(p) && p.Total > 1 {
			v.Why = append(v.Why, fmt.Sprintf("all %s threads of %s are busy, so what comes to it waits", units.Count(p.Total), p.Name))
		}
	}
}

// sayElse makes the verdict of a histogram in which nothing is known to wait.
func (j *judge) sayElse() {
	v := &j.res.Verdict
	if open, ok := j.perhaps(); ok {
		v.Why = append(v.Why, open.Why)
		if j.threads == nil {
			v.Answer = pending.Unknown
			v.Sentence = fmt.Sprintf("%s of %s are in the heap, and a histogram alone does not tell whether they wait; take a thread dump too: jstack PID", units.Count(open.Count), open.Name)
			return
		}
		v.Why = append(v.Why, "nothing says that they wait: no pool of workers is busy with them alone")
	}
	if queued, ok := j.queued(); ok {
		v.Why = append(v.Why, queued)
		if j.threads == nil {
			v.Answer = pending.Unknown
			v.Sentence = queued + ", and a histogram alone does not tell whether they are work that waits; take a thread dump too: jstack PID"
			return
		}
	}
	j.sayFull()
}

// sayFull says what the heap is full of.
func (j *judge) sayFull() {
	v, total := &j.res.Verdict, j.now.Total()
	v.Answer = pending.Nothing
	v.Sentence = fmt.Sprintf("no requests are known to pile up in %s of %s objects", units.Size(total.Bytes), units.Count(total.Instances))
	if len(j.res.Histogram) == 0 {
		v.Answer, v.Sentence = pending.Unknown, "the histogram has no rows"
		return
	}
	top := j.res.Histogram[0]
	if s := top.HeapShare; s != nil && *s >= fullShare {
		v.Answer = pending.FullOfElse
		v.Sentence = fmt.Sprintf("no requests are known to pile up; the heap of %s is full of something else: %s %s take %s (%s)", units.Size(total.Bytes),
			units.Count(top.Count), top.Class, units.Size(top.Bytes), units.Share(*s))
	}
}

// queued finds entries of the JDK's queues.
func (j *judge) queued() (string, bool) {
	most, class := int64(0), ""
	for _, c := range nodeClasses {
		if n := j.counts[c].Instances; n > most {
			most, class = n, c
		}
	}
	if most < j.o.MinEntries {
		return "", false
	}
	text := fmt.Sprintf("%s of %s hold an entry of a queue each", units.Count(most), class)
	for _, r := range j.res.Histogram {
		if d := r.Count - most; max(d, -d) <= 2+most/50 && r.Class != class && !strings.HasPrefix(r.Class, "java.") && !strings.HasSuffix(r.Class, "[]") {
			return text + fmt.Sprintf(", as many as there are of %s", r.Class), true
		}
	}
	return text, true
}

// perhaps finds requests or connections that may wait or not.
func (j *judge) perhaps() (pending.Cluster, bool) {
	for _, c := range j.res.Clusters {
		if c.Request && c.Count >= j.o.MinEntries {
			c.Why = fmt.Sprintf("%s of %s are in the heap, %s each; servers keep them for open connections as well", units.Count(c.Count), c.Name, units.Size(int64(c.BytesEach+0.5)))
			return c, true
		}
	}
	return pending.Cluster{}, false
}

// couldNot says what histograms and threads do not tell, and what would.
func (j *judge) couldNot() {
	add := func(text string) { j.res.CouldNotSay = append(j.res.CouldNotSay, text) }
	if j.now != nil {
		add("Capacity, order and age of what waits, and which object holds it: a histogram has counts alone. A heap dump tells: jcmd PID GC.heap_dump FILE.")
		add("What each costs in all: a histogram does not tell whose the arrays and strings are, so the bytes each are the least. Two histograms tell, by how much the heap grew for each that came.")
		add("Whether objects can still be reached: counts of jmap -histo include what waits for the collector. Take it with jmap -histo:live PID, which stops the process for a full collection.")
	}
	if j.threads == nil {
		add("What the workers do: there is no thread dump. Take one: jstack PID.")
	} else if j.threads.NoStack > 0 {
		add(fmt.Sprintf("What %s of the threads do: the dump has no stack of them.", units.Count(j.threads.NoStack)))
	}
	_, timed := j.interval()
	switch {
	case j.now != nil && j.first == nil:
		add("How fast it grows: that takes two histograms, some seconds apart.")
	case j.first != nil && !timed:
		add("How fast it grows: the files do not say how long it was from one histogram to the next. Write the time before each: date; jmap -histo:live PID.")
	}
	if text := j.o.Missing(); text != "" && len(j.rows) > 0 {
		add(text)
	}
}
