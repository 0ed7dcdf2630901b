package gcparse

import (
	"bytes"
	"fmt"
	"testing"
)

// legacyCMSLog makes a log of ParNew and CMS with n young collections.
func legacyCMSLog(n int) []byte {
	var b bytes.Buffer
	at := 1000.0
	stamp := func() string {
		return fmt.Sprintf("2015-03-01T10:%02d:%06.3f+0100: %.3f: ", int(at/60)%60, at-60*float64(int(at/60)), at)
	}
	for i := range n {
		at += 2.117
		fmt.Fprintf(&b, "%s[GC (Allocation Failure) %.3f: [ParNew: %dK->%dK(1887488K), 0.0%d secs] %dK->%dK(8178944K), 0.0%d secs] [Times: user=0.%02d sys=0.01, real=0.05 secs] \n",
			stamp(), at, 1700000+i%1000, 110000+i%777, 412311+i%90000, 4300000+i%5000, 2800000+i%7777, 413311+i%90000, i%100)
		if i%20 != 7 {
			continue
		}
		fmt.Fprintf(&b, "%s[GC (CMS Initial Mark) [1 CMS-initial-mark: 4194304K(6291456K)] 4300000K(8178944K), 0.0411480 secs] [Times: user=0.30 sys=0.00, real=0.04 secs] \n", stamp())
		for _, phase := range []string{"mark", "preclean", "abortable-preclean"} {
			fmt.Fprintf(&b, "%s[CMS-concurrent-%s-start]\n%s[CMS-concurrent-%s: 1.204/1.301 secs] [Times: user=4.01 sys=0.10, real=1.30 secs] \n", stamp(), phase, stamp(), phase)
		}
		fmt.Fprintf(&b, "%s[GC (CMS Final Remark) [YG occupancy: 907112 K (1887488 K)]%.3f: [Rescan (parallel) , 0.0711231 secs]%.3f: [weak refs processing, 0.0012341 secs] [1 CMS-remark: 4194304K(6291456K)] 5100000K(8178944K), 0.0801120 secs] [Times: user=0.61 sys=0.00, real=0.08 secs] \n", stamp(), at, at+0.071)
		for _, phase := range []string{"sweep", "reset"} {
			fmt.Fprintf(&b, "%s[CMS-concurrent-%s-start]\n%s[CMS-concurrent-%s: 2.204/2.301 secs] [Times: user=4.01 sys=0.10, real=2.30 secs] \n", stamp(), phase, stamp(), phase)
		}
	}
	return b.Bytes()
}

// BenchmarkLegacyCMS reads a log in memory with one thread.
func BenchmarkLegacyCMS(b *testing.B) {
	text := legacyCMSLog(20_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if events, _ := parseFrom(b, bytes.NewReader(text)); len(events) < 20_000 {
			b.Fatalf("%d events", len(events))
		}
	}
}
