package stacks

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Some programs put a whole request into the names of their threads.
func TestLongThreadNames(t *testing.T) {
	name := strings.Repeat("é", 20_000)
	f, err := Read(strings.NewReader("Full thread dump OpenJDK 64-Bit Server VM (17):\n\n\"" + name + "\" #1 prio=5 tid=0x1 nid=0x2 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(B.java:1)\n\n"))
	if err != nil || len(f.Dumps) != 1 || len(f.Dumps[0].Threads) != 1 {
		t.Fatalf("%+v, %v", f, err)
	}
	got := f.Dumps[0].Threads[0].Name
	if len(got) > longestName+len("…") || len(got) < longestName-1 || !utf8.ValidString(got) || !strings.HasSuffix(got, "…") {
		t.Errorf("%d bytes", len(got))
	}
	if got := shortened("main"); got != "main" {
		t.Errorf("%q", got)
	}
}
