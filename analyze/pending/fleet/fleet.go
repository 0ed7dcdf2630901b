package fleet

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Schema names the shape of [Result] as JSON.
const Schema = "kneeline.heap-fleet/v1"

// MaxHeaps is how many of the worst heaps are kept in full; of the others the row
// in the table stays.
const MaxHeaps = 10

// Result is the answer over several heaps, and as JSON the document of the command.
type Result struct {
	Schema string `json:"schema"`
	// Complete is false when the run was interrupted before all heaps were read.
	Complete bool    `json:"complete"`
	Verdict  Verdict `json:"verdict"`
	// Heaps is how many were judged, PiledUp in how many requests pile up, Undecided
	// how many could not tell.
	Heaps     int64 `json:"heap_count"`
	PiledUp   int64 `json:"piled_up_count"`
	Undecided int64 `json:"undecided_count"`
	// Rows are all of them, the worst first; Details the worst in full.
	Rows    []Row             `json:"rows"`
	Details []*pending.Result `json:"heaps"`
	// Warnings limit what the answer is good for, as sentences.
	Warnings []string `json:"warnings"`
}

// Verdict is the answer over all heaps.
type Verdict struct {
	// Answer is one of those of [pending.Verdict], that of the worst heap.
	Answer string `json:"answer"`
	// Sentence is all of it in one sentence, without a final period.
	Sentence string `json:"sentence"`
}

// Row is one heap in a line.
type Row struct {
	Name   string `json:"name"`
	Answer string `json:"answer"`
	// Sentence is the heap's own verdict.
	Sentence string `json:"sentence"`
	// Complete is false when an input of it ends too early.
	Complete bool `json:"complete"`
	// Queue is the one that its verdict names, with what is known of it.
	Queue     string   `json:"queue,omitempty"`
	Entries   *int64   `json:"entry_count,omitempty"`
	Capacity  *int64   `json:"capacity_entries,omitempty"`
	Unbounded bool     `json:"unbounded,omitempty"`
	Head      *float64 `json:"head_seconds,omitempty"`
	Arrival   *float64 `json:"arrival_per_second,omitempty"`
	Bytes     *int64   `json:"bytes,omitempty"`
	HeapShare *float64 `json:"heap_ratio,omitempty"`
	// HeapBytes is the whole heap.
	HeapBytes *int64 `json:"heap_bytes,omitempty"`
	// Severity is that of the worst finding; empty where there is none.
	Severity string `json:"severity,omitempty"`
	// Gates are how the heap stands against the limits that were asked for.
	Gates []pending.Gate `json:"gates,omitempty"`
}

// Assembly takes judgements as they come.
type Assembly struct {
	heaps []judged
	order int
}

// judged is a heap with what its place in the table depends on.
type judged struct {
	row  Row
	full *pending.Result
	// order is when it came, to keep equals in the order of the inputs.
	order int
	sev   finding.Severity
}

// Add takes the judgement of one heap. The full results of all but the worst
// [MaxHeaps] are let go.
func (a *Assembly) Add(name string, res *pending.Result) {
	a.order++
	j := judged{row: rowOf(name, res), full: res, order: a.order, sev: finding.MaxSeverity(res.Findings)}
	if j.sev > 0 {
		j.row.Severity = j.sev.String()
	}
	at, _ := slices.BinarySearchFunc(a.heaps, j, worseFirst)
	a.heaps = slices.Insert(a.heaps, at, j)
	for i := MaxHeaps; i < len(a.heaps); i++ {
		a.heaps[i].full = nil
	}
}

// Len is how many heaps there are.
func (a *Assembly) Len() int { return len(a.heaps) }

// Result is the answer over all heaps that were added.
func (a *Assembly) Result() *Result {
	res := &Result{Schema: Schema, Complete: true, Heaps: int64(len(a.heaps)), Rows: []Row{}, Details: []*pending.Result{}, Warnings: []string{}}
	for _, j := range a.heaps {
		res.Rows = append(res.Rows, j.row)
		if j.full != nil {
			res.Details = append(res.Details, j.full)
		}
		switch j.row.Answer {
		case pending.PileUp:
			res.PiledUp++
		case pending.Unknown:
			res.Undecided++
		}
	}
	res.Verdict = verdict(res)
	return res
}

// ranks are the answers from the worst on.
var ranks = map[string]int{pending.PileUp: 0, pending.FullOfElse: 1, pending.Unknown: 2, pending.Nothing: 3}

// worseFirst orders heaps: by answer, by the worst finding, by how much of the heap
// waits, by how many wait.
func worseFirst(a, b judged) int {
	return cmp.Or(
		cmp.Compare(ranks[a.row.Answer], ranks[b.row.Answer]),
		cmp.Compare(b.sev, a.sev),
		cmp.Compare(value(b.row.HeapShare), value(a.row.HeapShare)),
		cmp.Compare(value(b.row.Entries), value(a.row.Entries)),
		cmp.Compare(value(b.row.HeapBytes), value(a.row.HeapBytes)),
		cmp.Compare(a.order, b.order),
	)
}

func value[T int64 | float64](v *T) T {
	if v == nil {
		return 0
	}
	return *v
}

func rowOf(name string, res *pending.Result) Row {
	row := Row{Name: name, Answer: res.Verdict.Answer, Sentence: res.Verdict.Sentence, Complete: res.Complete, Gates: res.Gates}
	for _, in := range res.Inputs {
		row.Complete = row.Complete && in.Complete
	}
	if res.Heap != nil {
		row.HeapBytes = &res.Heap.Bytes
	}
	i := res.Verdict.Queue
	if i == nil || *i < 0 || *i >= len(res.Queues) {
		return row
	}
	q := &res.Queues[*i]
	row.Queue, row.Entries, row.Capacity, row.Unbounded = q.Name, &q.Entries, q.Capacity, q.Unbounded
	row.Arrival, row.Bytes, row.HeapShare = q.ArrivalRate, q.Bytes, q.HeapShare
	if q.Age != nil {
		row.Head = &q.Age.Head
	}
	return row
}

// verdict is the answer in one sentence: in how many, then the worst.
func verdict(res *Result) Verdict {
	if len(res.Rows) == 0 {
		return Verdict{Answer: pending.Unknown, Sentence: "no answer: no heap was read"}
	}
	worst := res.Rows[0]
	n := units.Count(res.Heaps)
	switch {
	case res.PiledUp > 0:
		return Verdict{pending.PileUp, fmt.Sprintf("requests pile up in %s of %s heaps; the worst, %s: %s", units.Count(res.PiledUp), n, worst.Name, worst.Sentence)}
	case worst.Answer == pending.FullOfElse:
		return Verdict{pending.FullOfElse, fmt.Sprintf("requests pile up in none of %s heaps; the worst, %s: %s", n, worst.Name, worst.Sentence)}
	case res.Undecided == res.Heaps:
		return Verdict{pending.Unknown, fmt.Sprintf("none of %s heaps can tell; the first, %s: %s", n, worst.Name, worst.Sentence)}
	case res.Undecided > 0:
		return Verdict{pending.Unknown, fmt.Sprintf("nothing piles up in %s of %s heaps, the others cannot tell; the first of those, %s: %s",
			units.Count(res.Heaps-res.Undecided), n, worst.Name, worst.Sentence)}
	}
	return Verdict{pending.Nothing, fmt.Sprintf("nothing piles up in any of %s heaps", n)}
}
