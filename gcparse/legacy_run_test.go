package gcparse

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const legacyHeadLines = "OpenJDK 64-Bit Server VM (25.352-b08) for linux-amd64 JRE (1.8.0_352-b08), built on Oct 1 2022 by \"x\" with gcc 4.4.7\n" +
	"Memory: 4k page, physical 2097152k(1048576k free), swap 0k(0k free)\n" +
	"CommandLine flags: -XX:InitialHeapSize=67108864 -XX:MaxHeapSize=1073741824 -XX:ParallelGCThreads=4 -XX:+UseConcMarkSweepGC -XX:+UseParNewGC\n"

func TestLegacyHead(t *testing.T) {
	_, res := parse(t, legacyHeadLines+"0.100: [GC (Allocation Failure)  2000K->500K(8000K), 0.0125000 secs]\n")
	if len(res.Runs) != 1 {
		t.Fatalf("%d runs", len(res.Runs))
	}
	r := res.Runs[0]
	if r.Version != "1.8.0_352-b08" || r.Memory != 2<<30 || r.HeapInitial != 64<<20 || r.HeapMax != 1<<30 || r.ParallelWorkers != 4 ||
		r.Collector != CMS || r.Options == "" {
		t.Errorf("%+v", r)
	}
}

// The head of a log says nothing of where a run begins: each file of a rotated set
// has one. The uptime does.
func TestLegacyRuns(t *testing.T) {
	at := func(stamp string) string { return stamp + ": [GC 2000K->500K(8000K), 0.0100000 secs]\n" }
	tests := []struct {
		name string
		log  string
		want []int32 // runs of the events
		why  RunReason
	}{
		{"one", at("10.000") + at("20.000"), []int32{0, 0}, 0},
		{"threads out of order", at("10.000") + at("20.000") + at("19.500") + at("21.000"), []int32{0, 0, 0, 0}, 0},
		{"rotation", at("10.000") + "2016-04-14 22:45:53 GC log file has reached the maximum size. Saved as gc.log.0\n" +
			"2016-04-14 22:45:53 GC log file created gc.log.1\n" + legacyHeadLines + at("20.000"), []int32{0, 0}, 0},
		{"a head in between", at("10.000") + legacyHeadLines + at("20.000"), []int32{0, 0}, 0},
		{"restart", at("1000.000") + at("2.000"), []int32{0, 1}, ClockFell},
		{"restart soon after the start, with a head", at("5.000") + legacyHeadLines + at("2.000"), []int32{0, 1}, NewHeader},
		{"restart soon after the start, by the wall clock", at("2016-01-02T03:04:05.000+0000: 5.000") + at("2016-01-02T03:04:07.000+0000: 2.000"),
			[]int32{0, 1}, ClockFell},
		{"dates alone, with a head", at("2016-01-02T03:04:05.000+0000") + legacyHeadLines + at("2016-01-02T03:04:15.000+0000"), []int32{0, 1}, NewHeader},
		{"dates alone, rotated", at("2016-01-02T03:04:05.000+0000") + "2016-01-02 03:04:10 GC log file created gc.log.1\n" + legacyHeadLines +
			at("2016-01-02T03:04:15.000+0000"), []int32{0, 0}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			events, res := parse(t, tt.log)
			var runs []int32
			for _, e := range events {
				runs = append(runs, e.Run)
			}
			if diff := cmp.Diff(tt.want, runs); diff != "" {
				t.Errorf("runs of the events (-want +got):\n%s", diff)
			}
			if why := res.Runs[len(res.Runs)-1].Why; why != tt.why {
				t.Errorf("the last run began as %q, want %q", why, tt.why)
			}
		})
	}
}

// The head of the second run is that run's, not the first one's.
func TestLegacyHeadOfLaterRun(t *testing.T) {
	_, res := parse(t, "1000.000: [GC 2000K->500K(8000K), 0.0100000 secs]\n"+legacyHeadLines+"2.000: [GC 2000K->500K(8000K), 0.0100000 secs]\n")
	if len(res.Runs) != 2 || res.Runs[0].HeapMax != 0 || res.Runs[1].HeapMax != 1<<30 {
		t.Errorf("%+v", res.Runs)
	}
}

func TestLegacyTimesOfUnstampedLines(t *testing.T) {
	tests := []struct {
		name    string
		log     string
		want    []string
		rebuilt bool
	}{
		{
			name: "between stamped ones",
			log: lines("100.000: [GC 2000K->500K(8000K), 0.2000000 secs]", "Total time for which application threads were stopped: 0.2500000 seconds",
				"Application time: 4.0000000 seconds", "Total time for which application threads were stopped: 0.0100000 seconds"),
			want: []string{
				`pause @100.000 0.2000s "GC" young heap 2000K->500K(8000K)`,
				`safepoint @100.000 0.2500s "application threads stopped"`,
				`safepoint @104.250 0.0100s "application threads stopped"`,
			},
		},
		{
			name: "no stamps at all",
			log: lines("Application time: 2.0000000 seconds", "[GC 2000K->500K(8000K), 0.2000000 secs]",
				"Total time for which application threads were stopped: 0.2500000 seconds", "Application time: 4.0000000 seconds",
				"[GC 2000K->500K(8000K), 0.2000000 secs]"),
			want: []string{
				`pause @2.000 0.2000s "GC" young heap 2000K->500K(8000K)`,
				`safepoint @2.000 0.2500s "application threads stopped"`,
				`pause @6.250 0.2000s "GC" young heap 2000K->500K(8000K)`,
			},
			rebuilt: true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			events, res := parse(t, tt.log)
			if diff := cmp.Diff(tt.want, tellAll(events)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if res.Runs[0].Rebuilt != tt.rebuilt {
				t.Errorf("rebuilt: %v", res.Runs[0].Rebuilt)
			}
		})
	}
}

// Dates are read with their zones; the wall clock of a container's line stands in
// where a line has none.
func TestLegacyWallClock(t *testing.T) {
	events, _ := parse(t, "2016-02-29T23:59:59.500-0130: 7.000: [GC 2000K->500K(8000K), 0.2000000 secs]\n")
	const want = 1456795799500 * 1e6 // 2016-03-01T01:29:59.500Z
	if s := events[0].Start; !s.HasWall || s.Wall != want || s.Borrowed || !s.HasUptime || s.Uptime != 7e9 {
		t.Errorf("%+v", s)
	}
	events, _ = parse(t, `{"log":"7.000: [GC 2000K-\u003e500K(8000K), 0.2000000 secs]\n","stream":"stdout","time":"2016-03-01T01:29:59.7Z"}`+"\n")
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	if s := events[0].Start; s.Wall != want || !s.Borrowed || s.Uptime != 7e9 {
		t.Errorf("%+v", s)
	}
}
