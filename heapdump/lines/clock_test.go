package lines

import (
	"testing"
	"time"
)

func TestStampOf(t *testing.T) {
	at := time.Date(2026, 11, 29, 17, 43, 58, 0, time.UTC)
	for _, c := range []struct {
		line  string
		want  time.Time
		zoned bool
	}{
		{"2026-11-29 17:43:58", at, false},
		{"2026-11-29T17:43:58Z", at, true},
		{"[2026-11-29T18:43:58.250+0100][info] GC(1)", at.Add(250 * time.Millisecond), true},
		{"web-1 | 2026-11-29T18:43:58,25+01:00 x", at.Add(250 * time.Millisecond), true},
		{"Sun Nov 29 17:43:58 UTC 2026", at, true},
		{"Sun 29 Nov 2026 05:43:58 PM UTC", at, true},
		{"1795974238", at, true},
		{"1795974238.5", at.Add(500 * time.Millisecond), true},
	} {
		got, ok := StampOf([]byte(c.line))
		if !ok || !got.Time.Equal(c.want) || got.Zoned != c.zoned {
			t.Errorf("%q: got %v %v %v", c.line, got.Time, got.Zoned, ok)
		}
	}
	for _, line := range []string{"", "2026-13-45 99:99:99", "12:30:00", "   1:   19500  2184000  a.B", "17959742381"} {
		if got, ok := StampOf([]byte(line)); ok {
			t.Errorf("%q: got %v", line, got)
		}
	}
}
