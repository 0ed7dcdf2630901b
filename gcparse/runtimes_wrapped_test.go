package gcparse

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The traces of Go and V8 are read from whatever shipped them, as HotSpot's logs are.
func TestRuntimesWrapped(t *testing.T) {
	for name, log := range map[string]string{
		"Go": "listening on :8080\n" + goLine(1, 10) + goLine(2, 20) + "request 17 done\n" + goLine(3, 30),
		"V8": v8Scavenged(0x1000, 100) + "request 17 done\n" + v8Scavenged(0x1000, 200) + v8Scavenged(0x2000, 40),
	} {
		want, _ := parse(t, log)
		for _, tt := range wrapperTests {
			if strings.Contains(tt.name, "Tanuki") {
				continue // it runs Java only
			}
			got, res := parse(t, wrapLines(log, tt.how))
			if diff := cmp.Diff(unshipped(want), unshipped(got)); diff != "" || res.Ledger.Unknown() > 0 {
				t.Errorf("%s, %s: unknown %+v, events (-want +got):\n%s", name, tt.name, res.Ledger.Shapes, diff)
			}
			if tt.wall && strings.HasPrefix(tt.name, "docker json") && !got[len(got)-1].Start.HasWall {
				t.Errorf("%s, %s: the wrapper's time is not taken", name, tt.name)
			}
		}
	}
}

// unshipped says what events are, but for the wall clock of what shipped them.
func unshipped(events []Event) []string {
	said := []string{}
	for _, e := range events {
		e.Start.HasWall = false
		said = append(said, sayTrace(&e))
	}
	return said
}
