package fleet

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/finding"
)

// heap is a judgement in which n entries wait, a share of the heap.
func heap(answer string, n int64, share float64) *pending.Result {
	res := &pending.Result{Complete: true, Verdict: pending.Verdict{Answer: answer, Sentence: fmt.Sprintf("%d wait", n)},
		Inputs: []pending.Input{{Complete: true}}, Heap: &pending.HeapSummary{Bytes: 1000}}
	if answer == pending.PileUp {
		at := 1
		res.Verdict.Queue = &at
		res.Queues = []pending.Queue{{Name: "other"}, {Name: "jobs", Entries: n, HeapShare: &share, Age: &pending.Age{Head: 7}}}
		res.Findings = []finding.Finding{{Rule: "HEP-01", Severity: finding.Error}}
	}
	return res
}

func TestVerdict(t *testing.T) {
	tests := []struct {
		name    string
		answers []string
		want    string
		says    string
	}{
		{"none", nil, pending.Unknown, "no answer: no heap was read"},
		{"quiet", []string{pending.Nothing, pending.Nothing}, pending.Nothing, "nothing piles up in any of 2 heaps"},
		{"one", []string{pending.Nothing, pending.PileUp, pending.Unknown}, pending.PileUp, "requests pile up in 1 of 3 heaps; the worst, h2: 2 wait"},
		{"full", []string{pending.FullOfElse, pending.Nothing}, pending.FullOfElse, "requests pile up in none of 2 heaps; the worst, h1: 1 wait"},
		{"unknown", []string{pending.Unknown, pending.Unknown}, pending.Unknown, "none of 2 heaps can tell; the first, h1: 1 wait"},
		{"some unknown", []string{pending.Nothing, pending.Unknown}, pending.Unknown, "nothing piles up in 1 of 2 heaps, the others cannot tell; the first of those, h2: 2 wait"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var a Assembly
			for i, answer := range tt.answers {
				a.Add(fmt.Sprintf("h%d", i+1), heap(answer, int64(i+1), 0.5))
			}
			if v := a.Result().Verdict; v.Answer != tt.want || v.Sentence != tt.says {
				t.Errorf("%q %q, want %q %q", v.Answer, v.Sentence, tt.want, tt.says)
			}
		})
	}
}

func TestRow(t *testing.T) {
	var a Assembly
	cut := heap(pending.PileUp, 500, 0.4)
	cut.Inputs[0].Complete = false
	a.Add("web-01", cut)
	row := a.Result().Rows[0]
	if row.Complete || row.Queue != "jobs" || *row.Entries != 500 || *row.Head != 7 || *row.HeapShare != 0.4 || *row.HeapBytes != 1000 || row.Severity != "error" {
		t.Errorf("%+v", row)
	}
}

// The order of the table does not depend on the order of the inputs, but among
// equals; all rows stay, and as many heaps as are kept, the worst.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3*MaxHeaps).Draw(t, "n")
		answers := rapid.SliceOfN(rapid.SampledFrom([]string{pending.PileUp, pending.FullOfElse, pending.Nothing, pending.Unknown}), n, n).Draw(t, "answers")
		names := func(order []int) (string, *Result) {
			var a Assembly
			for _, i := range order {
				a.Add(fmt.Sprintf("h%d", i), heap(answers[i], int64(i), float64(i)/100))
			}
			res := a.Result()
			var out []string
			for _, r := range res.Rows {
				if r.Answer == pending.PileUp {
					out = append(out, r.Name)
				} else {
					out = append(out, r.Answer)
				}
			}
			return strings.Join(out, " "), res
		}
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		first, res := names(order)
		rand.New(rand.NewPCG(1, uint64(n))).Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		if second, _ := names(order); second != first {
			t.Fatalf("%s, in another order %s", first, second)
		}
		if len(res.Rows) != n || len(res.Details) != min(n, MaxHeaps) {
			t.Fatalf("%d rows and %d heaps of %d", len(res.Rows), len(res.Details), n)
		}
		if !slices.IsSortedFunc(res.Rows, func(a, b Row) int { return ranks[a.Answer] - ranks[b.Answer] }) {
			t.Fatal("the worst is not first")
		}
	})
}
