//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// heapDocument is what these tests read of the JSON of heap.
type heapDocument struct {
	Complete bool
	Verdict  struct {
		Answer, Sentence, Change string
		Queue                    *int `json:"queue_index"`
	}
	Inputs []struct {
		Format   string
		Complete bool
		Share    *float64 `json:"read_ratio"`
	}
	Heap *struct {
		Objects int64 `json:"object_count"`
		Bytes   int64
	}
	Queues   []heapQueue
	Workers  []heapPool
	Clusters []struct {
		Name    string
		Count   int64
		Each    float64 `json:"each_bytes"`
		Request bool
	}
	Histogram []struct {
		Class string
		Count int64
	}
	Findings    []struct{ Rule, Message string }
	CouldNotSay []string `json:"could_not_say"`
}

type heapQueue struct {
	Name, Owner, Class string
	Entries            int64    `json:"entry_count"`
	Capacity           *int64   `json:"capacity_entries"`
	Unbounded          bool     `json:"unbounded"`
	BytesEach          *float64 `json:"entry_bytes"`
	Bytes              *int64   `json:"bytes"`
	Useful             *int64   `json:"useful_positions"`
	Age                *struct {
		Tail          float64 `json:"tail_seconds"`
		Oldest        float64 `json:"oldest_seconds"`
		HeadOnly      bool    `json:"head_only"`
		Clock, Source string
	}
	ArrivalRate *float64 `json:"arrival_per_second"`
	Pool        *int     `json:"pool_index"`
	Setting     *struct{ Name, Value string }
}

type heapPool struct {
	Name  string
	Total int64  `json:"thread_count"`
	Max   *int64 `json:"max_threads"`
	Busy  *int64 `json:"busy_count"`
}

// heap runs the command with JSON in a file, and returns both shapes.
func heap(t *testing.T, args ...string) (ran, heapDocument) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "heap.json")
	r := kneeline(t, append([]string{"heap", "-o", "json=" + path, "-o", "text"}, args...)...)
	var d heapDocument
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("exit code %d, no JSON: %v\n%s", r.code, err, r.stderr)
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	return r, d
}

// named is the queue that the verdict names.
func (d heapDocument) named(t *testing.T) heapQueue {
	t.Helper()
	if d.Verdict.Queue == nil || *d.Verdict.Queue < 0 || *d.Verdict.Queue >= len(d.Queues) {
		t.Fatalf("the verdict names no queue: %+v", d.Verdict)
	}
	return d.Queues[*d.Verdict.Queue]
}

// wantPileUp holds a report against the truth: class, entries, capacity and
// workers exactly, ages and rate within what the issue allows.
func wantPileUp(t *testing.T, d heapDocument, truth heapTruth) heapQueue {
	t.Helper()
	if d.Verdict.Answer != "pile-up" {
		t.Fatalf("the answer is %q: %s", d.Verdict.Answer, d.Verdict.Sentence)
	}
	q := d.named(t)
	if q.Class != truth.QueueClass {
		t.Errorf("the queue is a %s, not a %s", q.Class, truth.QueueClass)
	}
	if truth.Owner != "" && q.Owner != truth.Owner && q.Owner != "" && q.Class != truth.Owner {
		t.Errorf("its owner is %s, not %s", q.Owner, truth.Owner)
	}
	if q.Entries != truth.Entries {
		t.Errorf("it holds %d, not %d", q.Entries, truth.Entries)
	}
	if truth.Capacity == nil && q.Capacity != nil {
		t.Errorf("it takes %d, though it has no bound", *q.Capacity)
	} else if truth.Capacity != nil && (q.Capacity == nil || *q.Capacity != *truth.Capacity) {
		t.Errorf("it takes %v, not %d", value(q.Capacity), *truth.Capacity)
	}
	wantWorkers(t, d, q, truth)
	wantAges(t, q, truth)
	return q
}

func wantWorkers(t *testing.T, d heapDocument, q heapQueue, truth heapTruth) {
	t.Helper()
	if truth.Threads == nil {
		return
	}
	if q.Pool == nil {
		t.Errorf("no pool drains it; the workers are %+v", d.Workers)
		return
	}
	pool := d.Workers[*q.Pool]
	if pool.Total != *truth.Threads {
		t.Errorf("%s has %d threads, not %d", pool.Name, pool.Total, *truth.Threads)
	}
	if pool.Busy == nil || *pool.Busy != *truth.Busy {
		t.Errorf("%s has %v busy threads, not %d", pool.Name, value(pool.Busy), *truth.Busy)
	}
}

// wantAges wants the ages and the rate to be right.
func wantAges(t *testing.T, q heapQueue, truth heapTruth) {
	t.Helper()
	for _, wrong := range agesWrong(q, truth) {
		t.Error(wrong)
	}
}

// agesWrong allows a second for clocks of milliseconds, three for nanoTime, and a
// twentieth of the rate.
func agesWrong(q heapQueue, truth heapTruth) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if truth.Clock == "" {
		return nil
	}
	if q.Age == nil {
		return []string{"it does not say how long the head waits"}
	}
	within := 1.0
	if truth.Clock == "nano" {
		within = 3
	}
	if q.Age.Clock != truth.Clock {
		say("the clock is %s, not %s (%s)", q.Age.Clock, truth.Clock, q.Age.Source)
	}
	if want := float64(truth.Dumped-truth.First) / 1000; math.Abs(q.Age.Oldest-want) > within {
		say("the oldest waits for %.3f s, not %.3f s", q.Age.Oldest, want)
	}
	if truth.HeadOnly {
		return wrong
	}
	if want := float64(truth.Dumped-truth.Last) / 1000; math.Abs(q.Age.Tail-want) > within && !truth.Unordered {
		say("the last waits for %.3f s, not %.3f s", q.Age.Tail, want)
	}
	want := float64(truth.Entries-1) / float64(truth.Last-truth.First) * 1000
	if q.ArrivalRate == nil || math.Abs(*q.ArrivalRate-want) > want/20 {
		say("they came at %v/s, not at %.0f/s", value(q.ArrivalRate), want)
	}
	return wrong
}

func value[T any](p *T) any {
	if p == nil {
		return "unsaid"
	}
	return *p
}
