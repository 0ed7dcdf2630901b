package cmd

import (
	"testing"
	"time"

	"example.com/kneeline/gcparse"
)

func TestInstantValue(t *testing.T) {
	wall := func(text string) int64 {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		return at.UnixNano()
	}
	for text, want := range map[string]instantValue{
		"90s":                       {uptime: 90e9},
		"1h5m":                      {uptime: 3900e9},
		"2026-11-28":                {isWall: true, zoneless: true, wall: wall("2026-11-28T00:00:00Z")},
		"2026-11-28T10:00":          {isWall: true, zoneless: true, wall: wall("2026-11-28T10:00:00Z")},
		"2026-11-28 10:00:07.25":    {isWall: true, zoneless: true, wall: wall("2026-11-28T10:00:07.25Z")},
		"2026-11-28T10:00:00+01:00": {isWall: true, wall: wall("2026-11-28T09:00:00Z")},
		"2026-11-28T10:00:00+0100":  {isWall: true, wall: wall("2026-11-28T09:00:00Z")},
		"2026-11-28t10:00:00z":      {isWall: true, wall: wall("2026-11-28T10:00:00Z")},
	} {
		var got instantValue
		if err := got.Set(text); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		want.set, want.text = true, text
		if got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	for _, text := range []string{"", "10", "noon", "2026-13-01", "0001-01-01", "2026-11-28T25:00"} {
		if err := new(instantValue).Set(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

// Events are cut on either clock; one that reaches into the range is in it.
func TestCutter(t *testing.T) {
	at := func(uptime, wall int64) gcparse.Stamp {
		return gcparse.Stamp{Uptime: uptime * 1e9, HasUptime: uptime >= 0, Wall: wall * 1e9, HasWall: wall >= 0}
	}
	pause := func(s gcparse.Stamp, seconds int64) *gcparse.Event {
		return &gcparse.Event{Kind: gcparse.Pause, Start: s, Duration: seconds * 1e9, HasDuration: true}
	}
	since := instantValue{set: true, isWall: true, wall: 1000e9}
	until := instantValue{set: true, isWall: true, wall: 1100e9}
	c := newCutter(timeRange{since, until})
	for i, x := range []struct {
		e    *gcparse.Event
		want bool
	}{
		{pause(at(10, -1), 1), false}, // no wall clock is known yet
		{pause(at(20, 990), 1), false},
		{pause(at(29, 999), 2), true},
		{pause(at(40, -1), 1), true}, // by the offset
		{pause(at(-1, 1100), 1), true},
		{pause(at(131, 1101), 1), false},
	} {
		if got := c.keep(x.e); got != x.want {
			t.Errorf("event %d: kept %v", i, got)
		}
	}
	if c.kept != 3 || c.unplaced != 1 {
		t.Errorf("kept %d, without a time %d", c.kept, c.unplaced)
	}
	runs := c.clip([]gcparse.Run{{First: at(0, 970), Last: at(200, 1170)}})
	if runs[0].First != at(30, 1000) || runs[0].Last != at(130, 1100) || !runs[0].Headless {
		t.Errorf("the run is clipped to %+v", runs[0])
	}
}
