package gcparse

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// readOnly reads a text with one family alone, whatever it looks like.
func readOnly(kind *familyKind, text []byte) ([]Event, *Result) {
	var events []Event
	var in line
	out := &sink{handle: func(e *Event) { events = append(events, *e) }, result: &Result{}, kind: kind, current: -1, now: &in}
	f := kind.make(out)
	for no := int64(1); len(text) > 0; no++ {
		piece, rest, _ := bytes.Cut(text, []byte{'\n'})
		in = line{text: piece, no: no}
		out.result.Ledger.count(f.feed(&in), &in)
		text = rest
	}
	f.rest(atIdle)
	f.rest(atEnd)
	return events, out.result
}

// sound holds what is true of the reading of any text.
func sound(t *testing.T, events []Event, res *Result) {
	t.Helper()
	for _, c := range res.Ledger.Lines {
		if c < 0 {
			t.Errorf("lines of a class: %v", res.Ledger.Lines)
		}
	}
	for i := range events {
		e := &events[i]
		if e.Kind < Pause || e.Kind > Hole {
			t.Errorf("an event without a kind: %s", tell(e))
		}
		if e.Duration < 0 || e.Duration > 0 && !e.HasDuration {
			t.Errorf("duration: %s", tell(e))
		}
		for _, s := range []Space{e.Heap, e.Young, e.Old, e.Metaspace} {
			if s.Before < 0 || s.After < 0 {
				t.Errorf("sizes: %s", tell(e))
			}
		}
		if e.Run < 0 || int(e.Run) >= len(res.Runs) {
			t.Errorf("run %d of %d", e.Run, len(res.Runs))
		}
	}
}

// alike holds that a text gives the same events however it arrives.
func alike(t *testing.T, text []byte) {
	t.Helper()
	whole, _ := parseFrom(t, bytes.NewReader(text))
	pieces, _ := parseFrom(t, iotest.HalfReader(bytes.NewReader(text)))
	if diff := cmp.Diff(whole, pieces); diff != "" {
		t.Errorf("whole and in pieces (-whole +pieces):\n%s", diff)
	}
}

// seed gives a fuzz test the smaller public logs of its kind, if they are here.
func seed(f *testing.F, prefix string) {
	dir := os.Getenv("KNEELINE_CORPUS")
	if dir == "" {
		return
	}
	for _, ref := range references(f, filepath.Join(dir, "gc")) {
		if !strings.HasPrefix(ref.collector, prefix) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, "gc", ref.file))
		if err == nil && len(text) < 4000 {
			f.Add(text)
		}
	}
}

func FuzzLegacy(f *testing.F) {
	for _, tt := range legacyTests() {
		f.Add([]byte(tt.log))
	}
	seed(f, "legacy")
	f.Fuzz(func(t *testing.T, text []byte) {
		events, res := readOnly(legacyFamily, text)
		sound(t, events, res)
		if n := int64(bytes.Count(text, []byte{'\n'})); res.Ledger.Total() < n {
			t.Errorf("%d lines accounted for, %d read", res.Ledger.Total(), n)
		}
		alike(t, text)
	})
}

func FuzzOpenJ9(f *testing.F) {
	for _, tt := range openj9Tests() {
		f.Add([]byte(tt.log))
	}
	seed(f, "OpenJ9")
	f.Fuzz(func(t *testing.T, text []byte) {
		events, res := readOnly(openj9Family, text)
		sound(t, events, res)
		alike(t, text)
	})
}
