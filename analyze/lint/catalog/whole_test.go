package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// families are the rules that there are to be, by family: how many each has. TMO-01 has
// two severities, a default that ends being a note: with it there are 95.
var families = []struct {
	name  string
	rules int
}{
	{"BUD", 6}, {"CBK", 6}, {"CFG", 3}, {"CHN", 3}, {"CON", 3}, {"DRN", 3}, {"FLT", 1}, {"FOV", 3}, {"HDG", 4}, {"JVM", 1}, {"KAL", 6},
	{"LSN", 3}, {"POL", 6}, {"PRB", 4}, {"QUE", 4}, {"RTY", 10}, {"SHD", 1}, {"SRC", 6}, {"TMO", 18}, {"UNT", 3},
}

// The catalog is whole: no rule is missing, and none has come without being listed here.
func TestWhole(t *testing.T) {
	var want []string
	for _, f := range families {
		for n := range f.rules {
			want = append(want, fmt.Sprintf("%s-%02d", f.name, n+1))
		}
	}
	var got []string
	for _, r := range All() {
		got = append(got, r.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("rules\n%s\nwant\n%s", strings.Join(got, " "), strings.Join(want, " "))
	}
	if n := len(want) + 1; n != 95 {
		t.Errorf("%d rules with the two of TMO-01, want 95", n)
	}
}
