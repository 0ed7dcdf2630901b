package nodeproc

import (
	"fmt"
	"slices"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// verdict says what piles up.
func (j *judge) verdict() {
	v := &j.res.Verdict
	v.Why = []string{}
	if !j.s.Named {
		v.Answer = pending.Unknown
		v.Sentence = fmt.Sprintf("the snapshot ends before the names of its classes, which come last: of %s objects only the types are known", units.Count(j.s.Nodes()))
		return
	}
	for i := range j.res.Queues {
		switch q := &j.res.Queues[i]; q.Name {
		case openName:
			j.sayOpen(i, q)
			return
		case outgoingName:
			j.saySimple(i, q, "HEP-09", "outgoing requests wait for a connection of an http.Agent")
			return
		case ticksName, immediates:
			j.saySimple(i, q, "HEP-01", "callbacks wait in the "+q.Name)
			return
		}
	}
	j.sayElse()
}

// sayOpen is for requests without an answer.
func (j *judge) sayOpen(i int, q *pending.Queue) {
	v := &j.res.Verdict
	v.Answer, v.Queue = pending.PileUp, &i
	v.Sentence = fmt.Sprintf("%s HTTP requests are open, their answers not begun", units.Count(q.Entries))
	held := j.holderOf(j.open.n + j.streams.n)
	if held != nil {
		v.Sentence += ", " + units.Count(min(held.holding, q.Entries)) + " of them in the " + held.called(j.s)
		j.why("the %s has %s entries, of which %s are open requests or refer to one", held.called(j.s), units.Count(held.entries), units.Count(held.holding))
	}
	if q.BytesEach != nil {
		v.Sentence += fmt.Sprintf("; %s each and %s together", units.Size(int64(*q.BytesEach+0.5)), units.Size(*q.Bytes))
		if q.HeapShare != nil {
			v.Sentence += fmt.Sprintf(" (%s of the heap)", units.Share(*q.HeapShare))
		}
	}
	if q.WaitOfNew != nil {
		v.Sentence += "; a new one waits " + units.Seconds(*q.WaitOfNew)
	}
	if n := j.open.n - j.begun.n; n > 0 {
		j.why("%s of HTTP/1 wait for an answer: each has its response in _httpMessage", counted(n, "connection", "connections"))
	}
	if j.streams.n > 0 {
		j.why("%s of HTTP/2 are open in %s", counted(j.streams.n, "stream", "streams"), counted(j.sessions.n, "session", "sessions"))
	}
	if j.begun.n > 0 {
		j.why("%s more have begun to answer, as event streams and downloads do", units.Count(j.begun.n))
	}
	if q.Dead != nil && *q.Dead == 0 {
		v.Answer = pending.Nothing
		v.Sentence = fmt.Sprintf("no requests pile up: %s are open, and %s can be answered in time", units.Count(q.Entries), units.Count(*q.UsefulPositions))
		return
	}
	if q.UsefulPositions != nil {
		v.Sentence += fmt.Sprintf("; %s are of use", units.Count(*q.UsefulPositions))
		v.Change = q.Setting.Name + " = " + q.Setting.Value
	}
	if held == nil {
		j.why("no array or map of the program holds them: each waits for what its own handler asked for; requests that are kept open on purpose (long polling) look the same")
	}
	j.find(i, "HEP-01", fmt.Sprintf("%s HTTP requests are open", units.Count(q.Entries)))
}

// saySimple is for a queue of Node's own.
func (j *judge) saySimple(i int, q *pending.Queue, rule, what string) {
	v := &j.res.Verdict
	v.Answer, v.Queue = pending.PileUp, &i
	v.Sentence = units.Count(q.Entries) + " " + what
	for _, p := range q.Payload {
		if p.Means != "" {
			j.why("%s", p.Means)
		}
	}
	j.why("%s HTTP requests to this process are open", units.Count(j.open.n+j.streams.n))
	j.find(i, rule, v.Sentence)
}

func (j *judge) find(i int, rule, message string) {
	rules := pending.Rules()
	r := rules[slices.IndexFunc(rules, func(r finding.Rule) bool { return r.ID == rule })]
	f := r.Found(finding.Location{Object: j.res.Queues[i].Name}, "", message)
	f.Evidence = j.res.Queues[i].Evidence()
	f.Remediation = j.res.Verdict.Change
	j.res.Findings = append(j.res.Findings, f)
	j.res.Verdict.Rules = append(j.res.Verdict.Rules, rule)
}

// fullShare is the share of the heap from which one class is what it is full of, as
// for a heap dump; fullBytes is the size below which every process has such a class.
const (
	fullShare = 0.2
	fullBytes = 16 << 20
)

// sayElse is for a snapshot in which nothing piles up.
func (j *judge) sayElse() {
	v := &j.res.Verdict
	v.Answer = pending.Nothing
	v.Sentence = fmt.Sprintf("no requests pile up in %s of %s objects: %s are open", units.Size(j.res.Heap.Bytes), units.Count(j.res.Heap.Objects), units.Count(j.open.n+j.streams.n))
	if j.begun.n > 0 {
		j.why("%s have begun to answer, as event streams and downloads do", units.Count(j.begun.n))
	}
	if len(j.res.Histogram) == 0 {
		return
	}
	top := j.res.Histogram[0]
	if top.HeapShare == nil || *top.HeapShare < fullShare || top.Bytes < fullBytes {
		return
	}
	v.Answer = pending.FullOfElse
	v.Sentence = fmt.Sprintf("no requests pile up: %s are open; the heap of %s is full of something else: %s %s take %s (%s)", units.Count(j.open.n+j.streams.n),
		units.Size(j.res.Heap.Bytes), units.Count(top.Count), top.Class, units.Size(top.Bytes), units.Share(*top.HeapShare))
	if len(j.res.Arrays) > 0 {
		a := j.res.Arrays[0]
		text := fmt.Sprintf("the longest collection is a %s of %s entries", a.Class, units.Count(a.Length))
		if a.Owner != "" {
			text += ", held by " + a.Owner
		}
		j.why("%s", text)
	}
}

// couldNot says what a snapshot does not tell, and what would.
func (j *judge) couldNot() {
	add := func(text string) { j.res.CouldNotSay = append(j.res.CouldNotSay, text) }
	add("Ages, limits and rates: a snapshot of V8 has no numbers and no clocks. Two snapshots tell how fast it grows: kneeline heap compare.")
	add("What is outside the heap of V8: buffers, sockets of the kernel, native modules. process.memoryUsage() tells how much it is.")
	if j.s.Named && j.links == nil && j.open.n+j.streams.n >= j.o.MinEntries {
		add("What each open request costs: the snapshot has too many edges to follow in memory.")
	}
	if text := j.o.Missing(); text != "" && len(j.res.Queues) > 0 {
		add(text)
	}
}

// counted is a number of things.
func counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return units.Count(n) + " " + many
}
