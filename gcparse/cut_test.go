package gcparse

import (
	"strings"
	"testing"
)

// What the end of a log cut off is neither understood nor unknown, wherever that
// end lies; and no pause is told that is not in the log.
func TestCutAnywhere(t *testing.T) {
	for name, log := range map[string]string{
		"legacy": "1.000: [GC [PSYoungGen: 100K->10K(200K)] 100K->50K(400K), 0.0123456 secs] [Times: user=0.01 sys=0.00, real=0.01 secs]\n" +
			"2.000: [GC\nDesired survivor size 1 bytes, new threshold 7 (max 15)\n- age   1:       16 bytes,       16 total\n" +
			" [PSYoungGen: 100K->10K(200K)] 150K->60K(400K), 0.0234567 secs] [Times: user=0.01 sys=0.00, real=0.02 secs]\n",
		"unified": "[1.000s][info][gc,start] GC(0) Pause Young (Normal) (G1 Evacuation Pause)\n" +
			"[1.010s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 100M->20M(256M) 10.123ms\n" +
			"[2.000s][info][gc,start] GC(1) Pause Young (Normal) (G1 Evacuation Pause)\n" +
			"[2.020s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 100M->20M(256M) 20.234ms\n",
		"go": "gc 1 @0.071s 0%: 0.018+0.46+0.071 ms clock, 0.14+0.30/0.21/0+0.57 ms cpu, 4->4->1 MB, 5 MB goal, 8 P\n" +
			"gc 2 @0.171s 0%: 0.018+0.46+0.071 ms clock, 0.14+0.30/0.21/0+0.57 ms cpu, 4->4->1 MB, 5 MB goal, 8 P\n",
		"v8": "[1:0x1]       30 ms: Scavenge 2.0 (4.0) -> 1.5 (5.0) MB, 1.2 / 0.0 ms  (average mu = 1.000, current mu = 1.000) allocation failure; \n" +
			"[1:0x1]       60 ms: Scavenge 3.0 (5.0) -> 2.5 (6.0) MB, 2.2 / 0.0 ms  (average mu = 1.000, current mu = 1.000) allocation failure; \n",
		"openj9": `<exclusive-start id="2" timestamp="2020-01-01T00:00:00.000" intervalms="1.0">` + "\n" +
			`<gc-start id="3" type="scavenge" contextid="4" timestamp="2020-01-01T00:00:00.001">` + "\n</gc-start>\n" +
			`<gc-end id="5" type="scavenge" contextid="4" durationms="2.000" timestamp="2020-01-01T00:00:00.003">` + "\n</gc-end>\n" +
			`<exclusive-end id="6" timestamp="2020-01-01T00:00:00.004" durationms="3.000" />` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			all, whole := parse(t, log)
			for end := range len(log) {
				events, res := parse(t, log[:end])
				if n := res.Ledger.Unknown(); n > 0 {
					t.Fatalf("cut behind %q: %d lines are unknown: %+v", tailOf(log[:end]), n, res.Ledger.Shapes)
				}
				if res.Ledger.Total() > whole.Ledger.Total() {
					t.Fatalf("cut behind %q: %d lines", tailOf(log[:end]), res.Ledger.Total())
				}
				if got, want := pauseTimes(events), pauseTimes(all); !prefixOf(got, want) {
					t.Fatalf("cut behind %q: pauses of %v, in all %v", tailOf(log[:end]), got, want)
				}
			}
		})
	}
}

func tailOf(s string) string { return s[max(0, len(s)-40):] }

func pauseTimes(events []Event) []int64 {
	var out []int64
	for _, e := range events {
		if e.Stops() && e.Flags&DurationDerived == 0 {
			out = append(out, e.Duration)
		}
	}
	return out
}

func prefixOf(part, all []int64) bool {
	if len(part) > len(all) {
		return false
	}
	for i, x := range part {
		if x != all[i] {
			return false
		}
	}
	return true
}

// A line in the middle of the log that was not understood is not excused by the
// log's end.
func TestUnknownIsNotCut(t *testing.T) {
	open := "1.000: [GC [PSYoungGen: 100K->10K(200K)\n"
	_, res := parse(t, open+strings.Repeat("- age   1:       16 bytes,       16 total\nsome words (\n", 200))
	if res.Ledger.Unknown() == 0 || res.Ledger.Lines[CutLine] > 0 {
		t.Errorf("%v", res.Ledger.Lines)
	}
}

// Pauses that begin and do not end are counted, and the last of them is told.
func TestUnclosedPauses(t *testing.T) {
	begin := func(id string) string {
		return "[1.000s][info][gc,start] GC(" + id + ") Pause Young (Normal) (G1 Evacuation Pause)\n"
	}
	end := func(id string) string {
		return "[1.010s][info][gc] GC(" + id + ") Pause Young (Normal) (G1 Evacuation Pause) 100M->20M(256M) 10.0ms\n"
	}
	for _, c := range []struct {
		name, log string
		unclosed  int64
		ends      bool
	}{
		{"all closed", begin("0") + end("0") + begin("1") + end("1"), 0, false},
		{"the last is open", begin("0") + end("0") + begin("1"), 1, true},
		{"one in the middle", begin("0") + begin("2") + end("2"), 1, false},
		{"ten in a row", strings.Repeat(begin("0"), 10), 10, true},
		{"nested", begin("0") + "[1.001s][info][gc,start] GC(1) Pause Full (Allocation Failure)\n" +
			"[1.009s][info][gc] GC(1) Pause Full (Allocation Failure) 100M->20M(256M) 8.0ms\n" + end("0"), 0, false},
		{"a pause that the process did not survive", begin("0") + end("0") + begin("1") +
			"[0.005s][info][gc] Using G1\n" + "[0.900s][info][gc,start] GC(0) Pause Young (Normal) (G1 Evacuation Pause)\n" + end("0"), 1, false},
		{"legacy", "1.000: [Full GC [PSYoungGen: 100K->10K(200K)\n", 1, true},
	} {
		_, res := parse(t, c.log)
		if res.Unclosed != c.unclosed || res.EndsInPause != c.ends {
			t.Errorf("%s: %d unclosed, ends in one: %v", c.name, res.Unclosed, res.EndsInPause)
		}
	}
}
