package compare

import (
	"fmt"

	"example.com/kneeline/internal/units"
)

// verdict says what grew most, how fast, and when it is full.
func (c *comparison) verdict() {
	r := c.res
	if r.Heap == nil && len(r.Queues) == 0 {
		r.Verdict, r.Sentence = CannotTell, "neither of the two tells of a heap or of anything that waits"
		return
	}
	for i := range r.Queues {
		if q := &r.Queues[i]; q.Requests && q.Change > 0 && changed(q.Before, q.After, steadyEntries) {
			r.Verdict, r.Sentence = Growing, c.queueSentence(q)
			return
		}
	}
	if h := r.Heap; h != nil && changed(h.Before, h.After, steadyBytes) {
		r.Verdict, r.Sentence = c.heapSentence(h)
		return
	}
	for i := range r.Queues {
		if q := &r.Queues[i]; q.Requests && q.Change < 0 && changed(q.Before, q.After, steadyEntries) {
			r.Verdict, r.Sentence = Shrinking, c.queueSentence(q)
			return
		}
	}
	r.Verdict, r.Sentence = Steady, "nothing grew by more than chance"
	if h := r.Heap; h != nil {
		r.Sentence += fmt.Sprintf(": the heap had %s and has %s", units.Size(h.Before), units.Size(h.After))
	}
	r.Sentence += c.span(" after ")
}

// span is the time between the two, if it is known.
func (c *comparison) span(before string) string {
	if c.seconds <= 0 {
		return ""
	}
	return before + units.Seconds(c.seconds)
}

func (c *comparison) queueSentence(q *Queue) string {
	verb := "grew"
	if q.Change < 0 {
		verb = "shrank"
	}
	text := fmt.Sprintf("the %s %s from %s to %s entries%s", q.Name, verb, entries(q.Before, q.BeforeUnder), entries(q.After, q.AfterUnder), c.span(" in "))
	if q.Rate != nil {
		text += fmt.Sprintf(", by %s", units.Rate(max(*q.Rate, -*q.Rate)))
	}
	if q.Arrived != nil && *q.Left > 0 {
		text += fmt.Sprintf(": at least %s came and %s left", units.Count(*q.Arrived), units.Count(*q.Left))
	}
	switch {
	case q.Full != nil && *q.Full == 0:
		text += fmt.Sprintf("; it is full (%s)", units.Count(*q.Capacity))
	case q.Full != nil:
		text += fmt.Sprintf("; if it goes on its %s places are full in %s", units.Count(*q.Capacity), units.Seconds(*q.Full))
	}
	if h := c.res.Heap; h != nil && h.Full != nil {
		text += fmt.Sprintf("; the heap is full in %s", units.Seconds(*h.Full))
	}
	return text
}

// entries is a number of entries, or that it is below one.
func entries(n int64, under *int64) string {
	if under != nil {
		return "fewer than " + units.Count(*under)
	}
	return units.Count(n)
}

func (c *comparison) heapSentence(h *Heap) (verdict, text string) {
	verdict = Growing
	verb, most := "grew", c.most(true)
	if h.Change < 0 {
		verdict, verb, most = Shrinking, "shrank", c.most(false)
	}
	text = fmt.Sprintf("no queue of requests grew; the heap %s from %s to %s%s", verb, units.Size(h.Before), units.Size(h.After), c.span(" in "))
	if most != nil {
		text += fmt.Sprintf(", most by %s: %s objects, %s", most.Class, count(most.Count), size(most.Bytes))
	}
	if h.Full != nil {
		text += fmt.Sprintf("; if it goes on it is full in %s", units.Seconds(*h.Full))
	}
	return verdict, text
}

// most is the class that grew or shrank most; nil where none did.
func (c *comparison) most(grew bool) *Class {
	n := len(c.res.Classes)
	if n == 0 {
		return nil
	}
	k := &c.res.Classes[0]
	if !grew {
		k = &c.res.Classes[n-1]
	}
	if grew != (k.Bytes > 0) {
		return nil
	}
	return k
}
