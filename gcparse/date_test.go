package gcparse

import "testing"

// Years for which nanoseconds have no room are no dates: they would come round to
// another time.
func TestDatesHaveRoom(t *testing.T) {
	for date, want := range map[string]bool{
		"2026-11-29T10:00:00.000+0000": true, "1970-01-01T00:00:00.000+0000": true, "1700-01-01T00:00:00.000+0000": true,
		"2200-12-31T23:59:59.000-1200": true, "1600-01-01T00:00:00.000+0000": false, "2300-01-01T00:00:00.000+0000": false,
		"9999-12-31T23:59:59.999+0000": false, "0001-01-01T00:00:00.000+0000": false,
	} {
		wall, n, _ := legacyDate([]byte(date))
		if got := n > 0; got != want || want && (wall > 0) != (date > "1970-01-01T00:00:00.000+0000") {
			t.Errorf("%s: %d, taken %v", date, wall, got)
		}
		events, _ := parse(t, "["+date+"][info][gc] GC(0) Pause Young (x) 2M->1M(4M) 1.000ms\n")
		if len(events) > 0 && events[0].Start.HasWall != want {
			t.Errorf("%s: %+v", date, events[0].Start)
		}
	}
}
