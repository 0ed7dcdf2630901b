package pending

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/heapdump/hprofgen"
)

// judged reads a dump as the command does, and judges it.
func judged(t testing.TB, data []byte) *Result {
	t.Helper()
	h, err := hprof.Read(context.Background(), bytes.NewReader(data), hprof.Options{Keep: Keeper(pattern.Builtin()), TempDir: t.TempDir()})
	if err != nil {
		return nil // no dump at all
	}
	defer h.Close()
	return Analyze(h, Options{Name: "test"})
}

// lambdas wraps items as an executor's callers do.
func lambdas(d *hprofgen.Dump, items []hprofgen.ID) []hprofgen.ID {
	c := d.Class("shop.App$$Lambda$14+0x00007f0000c01000", nil, hprofgen.F("arg$1", hprofgen.Object))
	out := make([]hprofgen.ID, len(items))
	for i, id := range items {
		out[i] = d.Object(c, "arg$1", id)
	}
	return out
}

// arrivingAt spreads n arrivals over some seconds up to a second before the dump.
func arrivingAt(n, secs int) func(int) int64 {
	return func(i int) int64 {
		return hprofgen.Taken.Add(-time.Second - time.Duration(secs)*time.Second*time.Duration(n-1-i)/time.Duration(n-1)).UnixMilli()
	}
}

// TestOwnQueueInADump goes all the way from bytes: what the reader keeps by
// itself and what it is asked to keep must be enough.
func TestOwnQueueInADump(t *testing.T) {
	for _, opt := range []hprofgen.Options{{}, {IDSize: 4}, {Segment: 1 << 20, Shuffle: true}, {ClassesLast: true}} {
		const n = 9_000
		d := hprofgen.New(opt)
		items := lambdas(d, d.Tasks("shop.Call", n, 40, arrivingAt(n, 30)))
		d.OwnQueue("shop.Backlog", 10_000, items...)
		for i := range 4 {
			d.Thread(fmt.Sprintf("worker-%d", i), nil, hprofgen.At("java.lang.Object", "wait", -3), hprofgen.At("shop.App", "lambda$submit$0", 12))
		}
		r := judged(t, d.Encode().Data)
		if r == nil || len(r.Queues) == 0 {
			t.Errorf("%+v: no queue", opt)
			continue
		}
		q := r.Queues[0]
		if q.Class != "shop.Backlog" || q.Entries != n || q.Capacity == nil || *q.Capacity != 10_000 || q.Confidence != ConfidenceMedium {
			t.Errorf("%+v: %+v", opt, q)
		}
		if r.Verdict.Answer != PileUp {
			t.Errorf("%+v: %s", opt, r.Verdict.Sentence)
		}
		if opt.ClassesLast {
			continue // nobody can be asked what to keep before objects come
		}
		if q.Age == nil || q.Age.Head < 30.9 || q.Age.Head > 31.1 || q.Age.Source != "shop.Call#created" {
			t.Errorf("%+v: age %+v", opt, q.Age)
		}
	}
}

// TestDecoysInADump holds what has the size of a pile-up and is none.
func TestDecoysInADump(t *testing.T) {
	for name, build := range map[string]func(d *hprofgen.Dump){
		"cache":  func(d *hprofgen.Dump) { d.Cache(5_000) },
		"points": func(d *hprofgen.Dump) { d.Small(20_000) },
		"work list of a batch": func(d *hprofgen.Dump) {
			d.ArrayList(8_000, d.Tasks("shop.Row", 6_000, 24, arrivingAt(6_000, 3_600))...)
			d.Thread("batch", nil, hprofgen.At("shop.Row", "post", 7))
		},
		"table": func(d *hprofgen.Dump) {
			rows := d.Tasks("shop.Row", 6_000, 24, arrivingAt(6_000, 3_600))
			d.Object(d.Class("shop.RowTable", nil, hprofgen.F("rows", hprofgen.Object), hprofgen.F("first", hprofgen.Int), hprofgen.F("size", hprofgen.Int)),
				"rows", d.Array("java.lang.Object", rows...), "first", 0, "size", 6_000)
		},
		"stack that nobody holds": func(d *hprofgen.Dump) { d.Pile("shop.Step", d.Tasks("shop.Move", 5_000, 24, nil)...) },
		"map of sessions": func(d *hprofgen.Dump) {
			sessions := d.Tasks("shop.Session", 4_000, 24, arrivingAt(4_000, 600))
			d.HashMap(sessions, sessions)
		},
		"set":  func(d *hprofgen.Dump) { d.HashSet(d.Tasks("shop.Request", 4_000, 24, arrivingAt(4_000, 600))...) },
		"none": func(*hprofgen.Dump) {},
	} {
		t.Run(name, func(t *testing.T) {
			d := hprofgen.New(hprofgen.Options{})
			build(d)
			if r := judged(t, d.Encode().Data); r == nil || r.Verdict.Answer == PileUp {
				t.Errorf("%+v", r.Verdict)
			}
		})
	}
}

// TestCutDump judges a dump that ends anywhere: what is there is named, and
// nothing is made up.
func TestCutDump(t *testing.T) {
	const n = 2_000
	d := hprofgen.New(hprofgen.Options{})
	d.OwnQueue("shop.CallQueue", 4_000, d.Tasks("shop.Call", n, 40, arrivingAt(n, 30))...)
	data := d.Encode().Data
	for _, share := range []float64{0.05, 0.3, 0.6, 0.9, 0.99, 1} {
		r := judged(t, data[:int(share*float64(len(data)))])
		if r == nil {
			t.Fatalf("%.0f %%: not judged", 100*share)
		}
		for _, q := range r.Queues {
			if q.Entries > n {
				t.Errorf("%.0f %%: %d entries of %d", 100*share, q.Entries, n)
			}
		}
		if share == 1 && r.Verdict.Answer != PileUp {
			t.Errorf("whole: %s", r.Verdict.Sentence)
		}
	}
}

// FuzzAnalyze changes bytes of a dump that has everything. Whatever they say,
// the result is made, and no number in it is beyond what the dump can hold.
func FuzzAnalyze(f *testing.F) {
	seed := func(opt hprofgen.Options) []byte {
		d := hprofgen.Everything(opt)
		d.OwnQueue("shop.CallQueue", 200, d.Tasks("shop.Call", 120, 4, arrivingAt(120, 30))...)
		return d.Encode().Data
	}
	// Only the change is up to the fuzzer: a dump as its input makes it slow, and
	// package hprof has a test of that kind.
	dumps := [][]byte{seed(hprofgen.Options{}), seed(hprofgen.Options{IDSize: 4, ClassesLast: true})}
	for which := range dumps {
		for _, at := range []uint32{0, 77, 4_321, 20_011} {
			f.Add(byte(which), at, uint32(0), byte(0xff), byte(3))
			f.Add(byte(which), at, at+9_999, byte(0x01), byte(0))
		}
	}
	f.Fuzz(func(t *testing.T, which byte, at, end uint32, to, step byte) {
		changed := bytes.Clone(dumps[int(which)%len(dumps)])
		if end > 0 {
			changed = changed[:int(end)%len(changed)]
		}
		for i := int(at); i < len(changed); i += 1 + 97*int(step) {
			changed[i] ^= to
		}
		r := judged(t, changed)
		if r == nil {
			return
		}
		for _, q := range r.Queues {
			// An entry takes four bytes of the dump at least: the reference to it.
			if q.Kind != KindCount && q.Kind != KindMap && !q.Sampled && q.CountField == nil && q.Entries > int64(len(changed)) {
				t.Errorf("%d entries of a dump of %d bytes", q.Entries, len(changed))
			}
			if a := q.Age; a != nil && (a.Head < 0 || a.Tail < 0 || a.Known < 0 || a.Known > 1) {
				t.Errorf("age %+v", a)
			}
		}
	})
}
