package cmd

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

const (
	// queuesInText is how many queues the table has in text.
	queuesInText = 8
	// payloadKinds is how many classes of entries a queue is told by.
	payloadKinds = 4
)

// queuesByRank are the queues, the one that the verdict names first.
func queuesByRank(res *pending.Result) []pending.Queue {
	if i := res.Verdict.Queue; i != nil && *i >= 0 && *i < len(res.Queues) {
		out := []pending.Queue{res.Queues[*i]}
		out = append(out, res.Queues[:*i]...)
		return append(out, res.Queues[*i+1:]...)
	}
	return res.Queues
}

// queueBlocks are the queue that the verdict names in full, then a table of all.
func (v heapView) queueBlocks(res *pending.Result) []report.Block {
	queues := queuesByRank(res)
	var blocks []report.Block
	detailed := 0
	if res.Verdict.Queue != nil && len(queues) > 0 {
		detailed = 1
		if v.page {
			detailed = min(len(queues), 3)
		}
	}
	for i := range detailed {
		blocks = append(blocks, v.queueBlock(res, &queues[i]))
	}
	if len(queues) > detailed || v.page && len(queues) > 0 {
		blocks = append(blocks, v.queuesTable(queues))
	}
	return blocks
}

// queueBlock is all there is to say of one queue.
func (v heapView) queueBlock(res *pending.Result, q *pending.Queue) report.Block {
	kv := &rows{report.KeyValues{Caption: capitalised(q.Name)}}
	kv.add("waiting", entriesOf(q), joinNotes(fillNote(q), countNote(q)))
	payloadRows(kv, q, v)
	if held := heldBy(q); held != "" {
		kv.add("held by", v.class(held), "")
	}
	v.ageRows(kv, q)
	rateRows(kv, q)
	usefulRow(kv, q)
	bytesRows(kv, q)
	if q.Pool != nil && *q.Pool < len(res.Workers) {
		p := res.Workers[*q.Pool]
		kv.add("drained by", p.Name, poolWords(res, p))
	}
	if q.Confidence != pending.ConfidenceHigh {
		note := ""
		if q.Pattern == "" {
			note = "found by its shape, not by a known class"
		}
		kv.add("confidence", q.Confidence, note)
	}
	return kv.KeyValues
}

func capitalised(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// entriesOf is how many wait, of how many that may.
func entriesOf(q *pending.Queue) string {
	text := units.Count(q.Entries)
	switch {
	case q.Capacity != nil:
		text += " of " + units.Count(*q.Capacity)
	case q.Unbounded:
		text += ", unbounded"
	}
	return text
}

func fillNote(q *pending.Queue) string {
	if q.Fill == nil {
		return ""
	}
	return units.Share(*q.Fill) + " full"
}

func countNote(q *pending.Queue) string {
	var notes []string
	if q.CountField != nil && *q.CountField != q.Entries {
		notes = append(notes, "its own count says "+units.Count(*q.CountField))
	}
	if q.Instances > 1 {
		notes = append(notes, "in "+units.Count(q.Instances)+" of them together")
	}
	if q.Sampled {
		notes = append(notes, "classes and ages are of an even sample")
	}
	return joinNotes(notes...)
}

func payloadRows(kv *rows, q *pending.Queue, v heapView) {
	for i, p := range q.Payload {
		if i == payloadKinds {
			kv.add("", counted(len(q.Payload)-i, "more class", "more classes"), "")
			return
		}
		key := ""
		if i == 0 {
			key = "entries are"
		}
		kv.add(key, v.class(p.Class), joinNotes(units.Share(p.Share), p.Means))
	}
}

// heldBy is the field that holds the queue.
func heldBy(q *pending.Queue) string {
	text := q.Owner
	if text != "" && q.OwnerField != "" {
		text += "." + q.OwnerField
	}
	if text != "" && q.OwnerName != "" {
		text += " of " + q.OwnerName
	}
	return text
}

// field is a Class#field as far as there is room.
func (v heapView) field(source string) string {
	class, name, ok := strings.Cut(source, "#")
	if !ok {
		return v.class(source)
	}
	return v.narrow(class) + "#" + name
}

func (v heapView) ageRows(kv *rows, q *pending.Queue) {
	a := q.Age
	if a == nil {
		return
	}
	note := "by " + v.field(a.Source)
	if a.Known < 1 {
		note += ", known of " + units.Share(a.Known)
	}
	if a.Spread != nil {
		note += ", give or take " + units.Seconds(*a.Spread)
	}
	kv.add("first waits", units.Seconds(a.Head), note)
	note = ""
	if a.Oldest > a.Head {
		note = "the oldest of all " + units.Seconds(a.Oldest)
	}
	if a.HeadOnly {
		kv.add("median, last", "not known", "the entries behind the first ones carry no time")
		return
	}
	kv.add("median, last", units.Seconds(a.Median)+", "+units.Seconds(a.Tail), note)
}

func rateRows(kv *rows, q *pending.Queue) {
	if q.ArrivalRate != nil {
		kv.add("arrivals", units.Rate(*q.ArrivalRate), "of those that are still there")
	}
	if q.Throughput != nil {
		note := ""
		switch q.ThroughputFrom {
		case pending.FromCapacity:
			note = "the capacity as given"
		case pending.FromServiceTime:
			note = "workers by the service time as given"
		case pending.FromAges:
			note = "at most, from the ages"
		default:
			note = "from the " + q.ThroughputFrom
		}
		kv.add("drained at", units.Rate(*q.Throughput), note)
	}
	if most := q.DrainedNow; most != nil && q.Age != nil {
		kv.Items = append(kv.Items, report.KeyValue{Key: "drained now", Value: "at most " + units.Rate(*most), Level: report.Warn,
			Note: fmt.Sprintf("unless it shrinks: at its capacity the first would not have waited %s", units.Seconds(q.Age.Head))})
	}
	if q.WaitOfNew != nil {
		least := ""
		if q.ThroughputFrom == pending.FromAges {
			least = "at least "
		}
		kv.add("a new one waits", least+units.Seconds(*q.WaitOfNew), "entries divided by the rate they are drained at")
	}
}

func usefulRow(kv *rows, q *pending.Queue) {
	if q.UsefulPositions == nil {
		return
	}
	note, level := "capacity × timeout", report.Good
	if q.Dead != nil && *q.Dead > 0 {
		note = joinNotes(note, units.Count(*q.Dead)+" entries are past it: nobody waits for their answers")
		level = report.Bad
	}
	kv.Items = append(kv.Items, report.KeyValue{Key: "still useful", Value: units.Count(*q.UsefulPositions) + " positions", Note: note, Level: level})
}

// atLeast stands before bytes of which there may be more.
func atLeast(q *pending.Queue) string {
	if q.AtLeast {
		return "at least "
	}
	return ""
}

func bytesRows(kv *rows, q *pending.Queue) {
	if q.BytesEach != nil {
		kv.add("each holds", atLeast(q)+units.Size(int64(*q.BytesEach+0.5)), q.Counted)
	}
	if q.Bytes != nil {
		note := ""
		if q.HeapShare != nil {
			note = units.Share(*q.HeapShare) + " of the heap"
		}
		kv.add("together", atLeast(q)+units.Size(*q.Bytes), note)
	}
	if q.AtCapacity != nil {
		kv.add("when full", units.Size(*q.AtCapacity), "what the entries would hold at its capacity")
	}
}
