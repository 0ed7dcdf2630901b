package compare

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/retained"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// heap is a judgement taken some seconds after the start.
func heap(at float64, bytes int64, queues ...pending.Queue) *pending.Result {
	taken := start.Add(time.Duration(at * float64(time.Second)))
	return &pending.Result{
		Complete: true, Queues: queues, Settings: pending.Settings{MinEntries: 100},
		Inputs:  []pending.Input{{Name: "dump", Format: "hprof", Complete: true, Taken: &taken}},
		Heap:    &pending.HeapSummary{Bytes: bytes, Objects: bytes / 50},
		Verdict: pending.Verdict{Answer: pending.Nothing, Sentence: "x"},
	}
}

func queue(name string, entries int64) pending.Queue {
	return pending.Queue{Name: name, Owner: "Pool", OwnerField: "_jobs", Class: "Q", Role: pending.RoleRequests, Requests: true, Entries: entries}
}

func ptr[T any](v T) *T { return &v }

func TestAQueueGrows(t *testing.T) {
	before, after := queue("job queue", 1000), queue("job queue", 4000)
	before.Address, after.Address = "0x1", "0x2"
	after.Capacity = ptr(int64(10_000))
	// 50 a second came, the head waits for 80 s: those of the last 60 s are 3,000 of
	// 4,000, the other 1,000 were there before.
	after.Age = &pending.Age{Head: 80, Median: 40, Tail: 0, Oldest: 80}
	res := Compare(heap(0, 100<<20, before), heap(60, 200<<20, after), Options{HeapLimit: 500 << 20, AllClasses: true})
	if res.Verdict != Growing || len(res.Queues) != 1 {
		t.Fatalf("%+v", res)
	}
	q := res.Queues[0]
	if q.Change != 3000 || *q.Rate != 50 || *q.Full != 120 || *q.Arrived != 3000 || *q.Left != 0 || *q.ArrivalRate != 50 {
		t.Errorf("%+v", q)
	}
	if h := res.Heap; h.Change != 100<<20 || *h.Full != 180 {
		t.Errorf("%+v", h)
	}
	want := "the job queue grew from 1,000 to 4,000 entries in 1m, by 50/s; if it goes on its 10,000 places are full in 2m; the heap is full in 3m"
	if res.Sentence != want {
		t.Errorf("%s\nwant %s", res.Sentence, want)
	}
}

// The queue is drained and filled at once: the ages tell that all of it is new.
func TestFlow(t *testing.T) {
	before, after := queue("q", 500), queue("q", 600)
	after.Age = &pending.Age{Head: 9, Median: 5, Tail: 1, Oldest: 9}
	q := Compare(heap(0, 1, before), heap(60, 1, after), Options{}).Queues[0]
	if *q.Arrived != 600 || *q.Left != 500 || *q.LeaveRate != 500.0/60 {
		t.Errorf("arrived %d, left %d", *q.Arrived, *q.Left)
	}
	// Of a queue whose head alone has an age nothing follows, nor without a time.
	after.Age = &pending.Age{Head: 90, HeadOnly: true, Oldest: 90}
	if q = Compare(heap(0, 1, before), heap(60, 1, after), Options{}).Queues[0]; q.Arrived != nil {
		t.Errorf("%+v", q)
	}
	if q = Compare(heap(60, 1, before), heap(0, 1, after), Options{}).Queues[0]; q.Rate != nil {
		t.Errorf("%+v", q)
	}
}

// Ages of many entries tell what head, median and tail do not: most came in the last
// second, after a gap.
func TestAgesBetween(t *testing.T) {
	before, after := queue("q", 500), queue("q", 800)
	after.Age = &pending.Age{Head: 40, Median: 0.9, Oldest: 40}
	for i := range 801 {
		age := float64(i) / 600 // 600 in the last second
		if i > 600 {
			age = 10 + float64(i-600)*30/200
		}
		after.Age.Steps = append(after.Age.Steps, age)
	}
	if q := Compare(heap(0, 1, before), heap(5, 1, after), Options{}).Queues[0]; *q.Arrived < 599 || *q.Arrived > 601 || *q.Left != *q.Arrived-300 {
		t.Errorf("arrived %d, left %d", *q.Arrived, *q.Left)
	}
}

// Entries that keep their identifiers tell exactly which of them stayed.
func TestEntriesWithIdentifiers(t *testing.T) {
	before, after := queue("q", 4), queue("q", 5)
	before.IDs, after.IDs = []uint32{1, 3, 5, 7}, []uint32{5, 7, 11, 13, 15}
	after.Age = &pending.Age{Head: 1, Median: 1, Oldest: 1} // would say that all came
	if q := Compare(heap(0, 1, before), heap(10, 1, after), Options{}).Queues[0]; *q.Arrived != 3 || *q.Left != 2 || *q.ArrivalRate != 0.3 {
		t.Errorf("arrived %d, left %d", *q.Arrived, *q.Left)
	}
	// Of entries without a number, or not all of which have one, ages tell.
	for _, ids := range [][]uint32{{5, 7, 11, 13, 0}, {5, 7}, nil} {
		after.IDs = ids
		if q := Compare(heap(0, 1, before), heap(10, 1, after), Options{}).Queues[0]; *q.Arrived != 5 {
			t.Errorf("%v: arrived %d", ids, *q.Arrived)
		}
	}
}

func TestQueuesAreKnownAgain(t *testing.T) {
	a, b := queue("q", 200), queue("q", 300)
	a.Address, b.Address = "0x1", "0x2"
	a2, b2 := b, a // in another order
	a2.Entries, b2.Entries = 350, 210
	other := queue("open HTTP requests", 400)
	other.Owner = "function scope"
	moved := queue("open HTTP requests", 900)
	res := Compare(heap(0, 1, a, b, other, queue("gone", 150)), heap(60, 1, a2, b2, moved, queue("new", 120)), Options{})
	got := map[string][]int64{}
	for _, q := range res.Queues {
		got[q.Name] = append(got[q.Name], q.Before, q.After)
		if (q.Name == "new") != (q.BeforeUnder != nil) || (q.Name == "gone") != (q.AfterUnder != nil) {
			t.Errorf("%+v", q)
		}
	}
	for name, want := range map[string][]int64{"q": {300, 350, 200, 210}, "open HTTP requests": {400, 900}, "gone": {150, 0}, "new": {0, 120}} {
		if len(got[name]) != len(want) {
			t.Fatalf("%s: %v, want %v", name, got[name], want)
		}
		for i := range want {
			if got[name][i] != want[i] {
				t.Errorf("%s: %v, want %v", name, got[name], want)
			}
		}
	}
}

func TestTheHeapGrows(t *testing.T) {
	before, after := heap(0, 100<<20), heap(10, 150<<20)
	before.Histogram = []pending.ClassRow{{Class: "A", Count: 10, Bytes: 1000}, {Class: "Old", Count: 5, Bytes: 500}}
	after.Histogram = []pending.ClassRow{{Class: "A", Count: 30, Bytes: 3000}, {Class: "New", Count: 9, Bytes: 90 << 20}}
	res := Compare(before, after, Options{AllClasses: true})
	if res.Verdict != Growing || !strings.Contains(res.Sentence, "most by New: +9 objects, +90MiB") || len(res.Classes) != 3 || res.Classes[2].Class != "Old" {
		t.Errorf("%s, %+v", res.Sentence, res.Classes)
	}
	// Of a saved result, whose histogram is cut, a class that is in one alone tells nothing.
	if res = Compare(before, after, Options{}); len(res.Classes) != 1 || res.Classes[0].Class != "A" || *res.Classes[0].Rate != 200 {
		t.Errorf("%+v", res.Classes)
	}
}

func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after *pending.Result
		want, says    string
	}{
		{"steady", heap(0, 100<<20, queue("q", 5000)), heap(60, 101<<20, queue("q", 5100)), Steady, "nothing grew by more than chance: the heap had 100MiB and has 101MiB after 1m"},
		{"queue shrinks", heap(0, 100<<20, queue("q", 5000)), heap(60, 100<<20, queue("q", 500)), Shrinking, "the q shrank from 5,000 to 500 entries in 1m, by 75/s"},
		{"heap shrinks", heap(0, 100<<20), heap(60, 50<<20), Shrinking, "the heap shrank from 100MiB to 50MiB"},
		{"new queue", heap(0, 100<<20), heap(60, 100<<20, queue("q", 5000)), Growing, "the q grew from fewer than 100 to 5,000 entries"},
		{"nothing to compare", &pending.Result{}, &pending.Result{}, CannotTell, "neither of the two"},
	} {
		res := Compare(tt.before, tt.after, Options{})
		if res.Verdict != tt.want || !strings.Contains(res.Sentence, tt.says) {
			t.Errorf("%s: %s, %s", tt.name, res.Verdict, res.Sentence)
		}
	}
}

func TestRetained(t *testing.T) {
	before, after := heap(0, 1), heap(1, 1)
	before.Graph = &retained.Result{Dominators: []retained.Object{{Class: "Pool", Name: "a", Retained: 10}, {Class: "Cache", Retained: 50}},
		Classes: []retained.ClassRow{{Class: "byte[]", Retained: 5}}}
	after.Graph = &retained.Result{Dominators: []retained.Object{{Class: "Pool", Name: "a", Retained: 30}, {Class: "Cache", Retained: 20}},
		Classes: []retained.ClassRow{{Class: "byte[]", Retained: 9}}}
	res := Compare(before, after, Options{})
	if len(res.Dominators) != 2 || res.Dominators[0] != (Retained{"Pool", "a", 10, 30, 20}) || res.Dominators[1].Change != -30 || res.RetainedClasses[0].Change != 4 {
		t.Errorf("%+v, %+v", res.Dominators, res.RetainedClasses)
	}
}

// What came less what left is what changed, whatever the ages are; classes are in
// order; a comparison the other way round has the opposite signs.
func TestBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, a := queue("q", rapid.Int64Range(0, 5000).Draw(t, "before")), queue("q", rapid.Int64Range(0, 5000).Draw(t, "after"))
		tail := rapid.Float64Range(0, 100).Draw(t, "tail")
		median := tail + rapid.Float64Range(0, 100).Draw(t, "median")
		head := median + rapid.Float64Range(0, 100).Draw(t, "head")
		a.Age = &pending.Age{Head: head, Median: median, Tail: tail, Oldest: head}
		before, after := heap(0, 1, b), heap(rapid.Float64Range(1, 300).Draw(t, "seconds"), 1, a)
		for i, r := range []*pending.Result{before, after} {
			for _, class := range []string{"A", "B", "C"} {
				r.Histogram = append(r.Histogram, pending.ClassRow{Class: class, Count: int64(i), Bytes: rapid.Int64Range(0, 100).Draw(t, "bytes")})
			}
		}
		res := Compare(before, after, Options{AllClasses: true})
		q := res.Queues[0]
		if q.Arrived == nil || *q.Arrived-*q.Left != q.Change || *q.Arrived > q.After || *q.Arrived < 0 || *q.Left < 0 || *q.Left > q.Before {
			t.Fatalf("%+v, arrived %d, left %d", q, *q.Arrived, *q.Left)
		}
		sum := int64(0)
		for i, k := range res.Classes {
			sum += k.Bytes
			if i > 0 && k.Bytes > res.Classes[i-1].Bytes {
				t.Fatalf("%+v", res.Classes)
			}
		}
		back := Compare(after, before, Options{AllClasses: true})
		for _, k := range back.Classes {
			sum += k.Bytes
		}
		if sum != 0 || back.Queues[0].Change != -q.Change {
			t.Fatalf("%d bytes more there and back", sum)
		}
	})
}
