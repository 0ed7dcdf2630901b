package gcparse

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// intruders are what other threads and options print into the text of a pause.
// Each is balanced in brackets, and ends its line.
var intruders = []string{
	"2015-02-03T10:00:00.500+0100: 103.000: [CMS-concurrent-mark: 2.400/2.500 secs] [Times: user=5.00 sys=0.10, real=2.50 secs] \n",
	"103.000: [CMS-concurrent-preclean-start]\n",
	"[GC concurrent-mark-start]\n",
	"103.000: [GC concurrent-root-region-scan-end, 0.0127300 secs]\n",
	"\nDesired survivor size 1048576 bytes, new threshold 7 (max 15)\n- age   1:     100000 bytes,     100000 total\n",
	"{Heap before GC invocations=7 (full 1):\n par new generation   total 900K, used 90K [0x00000000f6400000, 0x00000000f9800000, 0x00000000f9800000)\n}\n",
	" concurrent-mark-sweep perm gen total 28412K, used 15867K [10e610000, 1101cf000, 113a10000)\n",
	"Heap\n PSYoungGen total 100K, used 10K [10e610000, 1101cf000, 113a10000)\n  eden space [10e610000,1101cf000,113a10000)\n",
	"103.000: [Class Histogram:\n num     #instances         #bytes  class name\n   1:       2050241     4701812112  [Ljava.lang.Object;\nTotal       2050241     4701812112\n, 25.2253758 secs]\n",
	"CMS: abort preclean due to time 103.000: [CMS-concurrent-abortable-preclean: 0.100/5.000 secs]\n",
	"AdaptiveSizePolicy::survivor space sizes: collection: 4 (8192, 8192) -> (8192, 8192) \n",
}

// pauseParts are the texts of pauses, cut where something may be printed between.
func pauseParts(i int) ([]string, string) {
	at, secs := 1000+10*float64(i), 0.1+float64(i)/1000
	switch i % 4 {
	case 0:
		return []string{fmt.Sprintf("%.3f: [GC %.3f: [ParNew", at, at), ": 900K->90K(1000K), 0.0100000 secs] ", "2900K->2100K(9000K)", fmt.Sprintf(", %.7f secs]\n", secs)},
			fmt.Sprintf("@%.3f %.4fs 2900 2100", at, secs)
	case 1:
		return []string{fmt.Sprintf("%.3f: [Full GC %.3f: [CMS", at, at), " (concurrent mode failure): 7000K->2000K(8000K), 0.0500000 secs]", " 7900K->2000K(9000K), ",
				"[CMS Perm : 50K->50K(90K)]", fmt.Sprintf(", %.7f secs]\n", secs)},
			fmt.Sprintf("@%.3f %.4fs 7900 2000", at, secs)
	case 2:
		return []string{fmt.Sprintf("%.3f: [GC pause (young)", at), " 21M->20M(22M)", fmt.Sprintf(", %.7f secs]\n", secs)},
			fmt.Sprintf("@%.3f %.4fs 21504 20480", at, secs)
	}
	return []string{fmt.Sprintf("%.3f: [GC[YG occupancy: 400 K (1000 K)]", at), fmt.Sprintf("%.3f: [Rescan (parallel) , 0.0100000 secs]", at),
			" [1 CMS-remark: 4010K(8000K)]", " 4050K(9000K)", fmt.Sprintf(", %.7f secs]\n", secs)},
		fmt.Sprintf("@%.3f %.4fs 0 4050", at, secs)
}

// Whatever is printed into pauses, at any place, they keep their times, durations
// and sizes, and none is lost.
func TestLegacyIntruders(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var log strings.Builder
		var want []string
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		for i := range rapid.IntRange(1, 12).Draw(rt, "pauses") {
			parts, pause := pauseParts(i)
			want = append(want, pause)
			for k, part := range parts {
				for k > 0 && random.IntN(3) == 0 {
					log.WriteString(intruders[random.IntN(len(intruders))])
				}
				log.WriteString(part)
			}
		}
		events, _ := readOnly(legacyFamily, []byte(log.String()))
		var got []string
		for i := range events {
			if e := &events[i]; e.Stops() {
				got = append(got, fmt.Sprintf("@%.3f %.4fs %d %d", float64(e.Start.Uptime)/1e9, float64(e.Duration)/1e9, e.Heap.Before>>10, e.Heap.After>>10))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("pauses (-want +got):\n%s\nof\n%s", diff, log.String())
		}
	})
}
