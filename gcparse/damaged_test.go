package gcparse

import "testing"

// Lengths that cannot be make no pause longer than it can have been, and none is
// lost in silence.
func TestDamagedLengths(t *testing.T) {
	for _, c := range []struct {
		line    string
		pauses  int
		unknown int64
	}{
		{"[1.000s][info][gc] GC(0) Pause Young (Normal) (x) 10M->5M(20M) -10.000ms", 0, 1},
		{"[1.000s][info][gc] GC(0) Pause Young (Normal) (x) 10M->5M(20M) 1e300ms", 0, 1},
		{"[1.000s][info][gc] GC(0) Pause Young (Normal) (x) 10M->5M(20M) NaNms", 0, 1},
		{"[1.000s][info][gc] GC(0) Pause Young (Normal) (x) 10M->5M(20M) 999999999999999999999999.0ms", 0, 1},
		{"[1.000s][info][gc,start] GC(0) Pause Young (Normal) (x)", 0, 0},
		{"1.000: [GC (x) [PSYoungGen: 100K->10K(200K)] 100K->20K(400K), -0.0100000 secs] [Times: user=0.01 sys=0.00, real=-0.01 secs] ", 1, 0},
	} {
		events, res := parse(t, c.line+"\n")
		pauses := 0
		for i := range events {
			if e := &events[i]; e.Stops() {
				pauses++
				if e.Duration != 0 || e.Real != 0 {
					t.Errorf("%s: %v ns, real %v ns", c.line, e.Duration, e.Real)
				}
			}
		}
		if pauses != c.pauses || res.Ledger.Unknown() != c.unknown {
			t.Errorf("%s: %d pauses, lines %v", c.line, pauses, res.Ledger.Lines)
		}
	}
}
