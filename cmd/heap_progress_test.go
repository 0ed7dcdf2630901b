package cmd

import (
	"io"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/internal/input"
)

// The time that is shown as left follows from the speed so far, once that is known,
// and is told anew only when it has changed.
func TestHeapProgress(t *testing.T) {
	now := time.Unix(0, 0)
	st := State{Now: func() time.Time { return now }, StderrTTY: true, Stderr: io.Discard}
	a := newApp(st.withDefaults())
	big := &heapInput{Source: input.Source{Name: "dump"}, size: 1 << 30}
	p := newHeapProgress(t.Context(), a, []*heapInput{big, big})
	defer p.close()
	for _, step := range []struct {
		after time.Duration
		read  int64
		takes time.Duration
	}{
		{500 * time.Millisecond, 100 << 20, 0},
		{time.Second, 256 << 20, 8 * time.Second},
		{1100 * time.Millisecond, 256 << 20, 8 * time.Second}, // near enough
		{4 * time.Second, 512 << 20, 16 * time.Second},
	} {
		now = time.Unix(0, 0).Add(step.after)
		p.at(step.read)
		if p.takes != step.takes {
			t.Errorf("after %v: takes %v, want %v", step.after, p.takes, step.takes)
		}
	}
	p.end(big)
	now = time.Unix(0, 0).Add(8 * time.Second)
	if p.at(0); p.takes != 16*time.Second || p.done != 1<<30 {
		t.Errorf("after the first of two: takes %v, %d bytes done", p.takes, p.done)
	}
}

// Elsewhere than on a terminal one line says how much there is, and only of much.
func TestHeapProgressInAPipe(t *testing.T) {
	for size, want := range map[int64]string{1 << 30: "reading 1GiB\n", 1 << 20: "", 0: ""} {
		var out strings.Builder
		st := State{Stderr: &out}
		p := newHeapProgress(t.Context(), newApp(st.withDefaults()), []*heapInput{{size: size}})
		p.at(size / 2)
		p.close()
		if out.String() != want {
			t.Errorf("%d bytes: %q, want %q", size, out.String(), want)
		}
	}
}
