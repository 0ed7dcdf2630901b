package hprof

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A name as long as the format allows is not told in full, and not cut within a
// character.
func TestLongNames(t *testing.T) {
	var n names
	long := strings.Repeat("déjà", 5000)
	n.add(1, []byte(long))
	n.add(2, []byte("java.lang.Object"))
	got, ok := n.get(1)
	if !ok || len(got) > longestName+len("…") || len(got) < longestName-3 || !utf8.ValidString(got) || strings.ContainsRune(got, utf8.RuneError) || !strings.HasSuffix(got, "…") {
		t.Errorf("%d bytes, ends in %q", len(got), got[len(got)-10:])
	}
	if got, ok := n.get(2); !ok || got != "java.lang.Object" {
		t.Errorf("%q", got)
	}
}
