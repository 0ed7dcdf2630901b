package gcparse

import (
	"bytes"
	"context"
	"io"
	"testing"

	"example.com/kneeline/gcparse/biglog"
	"example.com/kneeline/internal/input"
)

type bigLog struct {
	name  string
	text  []byte
	truth biglog.Truth
}

// bigLogs are logs of some size in memory.
func bigLogs(t testing.TB, size int64) []bigLog {
	var logs []bigLog
	for name, write := range map[string]func(io.Writer, int64, uint64) (biglog.Truth, error){"G1": biglog.G1, "CMS": biglog.CMS} {
		var b bytes.Buffer
		truth, err := write(&b, size, 7)
		if err != nil {
			t.Fatal(err)
		}
		logs = append(logs, bigLog{name, b.Bytes(), truth})
	}
	return logs
}

// readBig reads a log and gives what it found of its truth.
func readBig(t testing.TB, l bigLog, workers int) biglog.Truth {
	got := biglog.Truth{}
	stream := Stream{Name: l.name, Sources: []input.Source{{Name: l.name, Path: l.name}}}
	r := newReader(stream, func(e *Event) {
		if !e.Stops() {
			return
		}
		got.Pauses++
		got.Total += e.Duration
		got.Longest = max(got.Longest, e.Duration)
		if e.Flags.Any(Full | ConcurrentModeFailure) {
			got.Full++
		}
	})
	var err error
	if workers > 0 {
		err = r.parallel(context.Background(), bytes.NewReader(l.text), 0, workers)
	} else {
		err = r.serial(context.Background(), bytes.NewReader(l.text), 0)
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	res := r.finish()
	got.Bytes, got.Lines = res.Bytes, res.Ledger.Total()
	if res.Ledger.Unknown() > 0 {
		t.Errorf("%s: unknown lines: %+v", l.name, res.Ledger.Shapes)
	}
	return got
}

// Nothing is lost or invented in a large log of known pauses.
func TestBigLogs(t *testing.T) {
	for _, l := range bigLogs(t, 8<<20) {
		for _, workers := range []int{0, 3} {
			if got := readBig(t, l, workers); got != l.truth {
				t.Errorf("%s with %d threads: %+v, want %+v", l.name, workers, got, l.truth)
			}
		}
	}
}

// splitLines is the floor: what it takes to look at every line end.
func splitLines(text []byte) (lines int) {
	for len(text) > 0 {
		lines++
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	return lines
}

func BenchmarkRead(b *testing.B) {
	for _, l := range bigLogs(b, 16<<20) {
		b.Run(l.name, func(b *testing.B) {
			b.SetBytes(int64(len(l.text)))
			b.ReportAllocs()
			for b.Loop() {
				readBig(b, l, 0)
			}
		})
		b.Run(l.name+"/lines", func(b *testing.B) {
			b.SetBytes(int64(len(l.text)))
			for b.Loop() {
				splitLines(l.text)
			}
		})
	}
}
