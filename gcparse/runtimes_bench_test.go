package gcparse

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"
)

// runtimeLogs are logs of a few megabytes: of Go and V8, and of a program of each
// that logs nine lines of its own for every line of the trace.
func runtimeLogs() map[string][]byte {
	const lines = 20_000
	var goLog, goMixed, v8Log, v8Mixed, nvp bytes.Buffer
	for i := range lines {
		foreign := fmt.Sprintf("2026/11/29 10:00:00 request %d done in 12 ms\n", i)
		g := fmt.Sprintf("gc %d @%d.%03ds 4%%: 0.018+4.6+0.071 ms clock, 0.14+0.30/2.1/0+0.57 ms cpu, 614->625->302 MB, 628 MB goal, 2 MB stacks, 1 MB globals, 8 P\n", i+1, i/10, i%10*100)
		goLog.WriteString(g)
		goMixed.WriteString(g)
		v := fmt.Sprintf("[15963:0x1cbe8e40] %8d ms: Mark-Compact 54.9 (59.5) -> 50.9 (60.8) MB, 7.26 / 0.00 ms  (+ 33.0 ms in 3 steps since start of marking, biggest step 10.0 ms, walltime since start of marking 44 ms) (average mu = 0.234, current mu = 0.117) finalize incremental marking via stack guard; GC in old space requested\n", i*100)
		v8Log.WriteString(v)
		v8Mixed.WriteString(v)
		fmt.Fprintf(&nvp, "[15848:0x1b440e00] %8d ms: pause=0.9 mutator=50.1 gc=s reduce_memory=0 time_to_safepoint=0.00 heap.prologue=0.00 heap.epilogue=0.00 scavenge=0.78 scavenge.roots=0.05 background.scavenge.parallel=0.67 incremental.steps_count=0 incremental.steps_took=0.0 scavenge_throughput=1017754 total_size_before=3920776 total_size_after=3775472 allocated=3920776 promoted=0 promotion_ratio=0.0%% unmapper_chunks=0\n", i*100)
		for range 9 {
			goMixed.WriteString(foreign)
			v8Mixed.WriteString(foreign)
		}
	}
	return map[string][]byte{"Go": goLog.Bytes(), "Go with others": goMixed.Bytes(), "V8": v8Log.Bytes(),
		"V8 with others": v8Mixed.Bytes(), "V8 nvp": nvp.Bytes()}
}

// Reading a line takes no memory.
func TestRuntimesAllocateNothing(t *testing.T) {
	for name, text := range runtimeLogs() {
		r := newReader(Stream{}, func(*Event) {})
		half := bytes.IndexByte(text[len(text)/2:], '\n') + len(text)/2 + 1
		r.block(text[:half], 0, 1, 0)
		lines := float64(bytes.Count(text[half:], []byte{'\n'}))
		n := testing.AllocsPerRun(1, func() { r.block(text[half:], 0, 1, int64(half)) })
		if n/lines > 0.001 {
			t.Errorf("%s: %.0f allocations for %.0f lines", name, n, lines)
		}
	}
}

func BenchmarkRuntimes(b *testing.B) {
	for name, text := range runtimeLogs() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r := newReader(Stream{}, func(*Event) {})
				if err := r.serial(context.Background(), bytes.NewReader(text), 0); err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}
