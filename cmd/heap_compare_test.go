package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"example.com/kneeline/analyze/pending/compare"
)

// The keys of results of heap compare and heap redact are those of the schemas.
func TestHeapCompareSchemasHaveAllKeys(t *testing.T) {
	for name, written := range map[string]reflect.Type{
		"heap-compare-v1.schema.json": reflect.TypeFor[compare.Result](), "heap-redact-v1.schema.json": reflect.TypeFor[redactResult](),
	} {
		data, err := os.ReadFile(filepath.Join(schemaDir, name))
		if err != nil {
			t.Fatal(err)
		}
		var s map[string]any
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		a, b := schemaPaths(s, s, ""), jsonPaths(written, "")
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Errorf("%s: %v, want %v", name, a, b)
		}
	}
}

// compared runs heap compare and returns its result.
func compared(t *testing.T, args ...string) *compare.Result {
	t.Helper()
	got := runArgs(t, append([]string{"heap", "compare", "-o", "json"}, args...)...)
	if got.code != 0 {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	validate(t, got.stdout)
	var res compare.Result
	if err := json.Unmarshal([]byte(got.stdout), &res); err != nil {
		t.Fatal(err)
	}
	return &res
}

// Two dumps and their results give the same, but for classes that results cut.
func TestHeapCompareOfDumpsAndResults(t *testing.T) {
	dir := t.TempDir()
	a, b := writeDump(t, dir, "a.hprof", jettyDump(1000)), writeDump(t, dir, "b.hprof", jettyDump(4000))
	var saved []string
	for _, path := range []string{a, b} {
		got := runArgs(t, "heap", path, "-o", "json")
		saved = append(saved, writeDump(t, dir, filepath.Base(path)+".json", []byte(got.stdout)))
	}
	of, res := compared(t, a, b, "--interval", "30s"), compared(t, saved[0], saved[1], "--interval", "30s")
	if of.Verdict != compare.Growing || of.Sentence != res.Sentence {
		t.Errorf("%s\nof results: %s", of.Sentence, res.Sentence)
	}
	q := of.Queues[0]
	// 100 a second come, the last 0.5 s before the dump: of 4,000 those of the last 30 s
	// are 2,950. As only 1,000 were there before, 3,000 must have come.
	if q.Change != 3000 || *q.Rate != 100 || *q.Arrived != 3000 || *q.Left != 0 || *q.Full != 560 {
		t.Errorf("%+v, arrived %d, left %d", q, *q.Arrived, *q.Left)
	}
	if !slices.ContainsFunc(of.Classes, func(k compare.Class) bool { return k.Count == 3000 && k.CountBefore == 1000 }) {
		t.Errorf("classes %+v", of.Classes)
	}
}

func TestHeapCompareOfNode(t *testing.T) {
	dir := t.TempDir()
	a, b := writeDump(t, dir, "a.heapsnapshot", nodeSnapshot(400)), writeDump(t, dir, "b.heapsnapshot", nodeSnapshot(900))
	res := compared(t, a, b, "--interval", "10s", "--heap-limit", "10MiB")
	if q := res.Queues[0]; q.Before != 400 || q.After != 900 || *q.Rate != 50 || res.Heap.Change != 500_000 || res.Heap.Full == nil {
		t.Errorf("%+v, %+v", q, res.Heap)
	}
}
