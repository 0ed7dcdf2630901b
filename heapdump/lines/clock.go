package lines

import (
	"regexp"
	"strconv"
	"time"
)

// iso is a date and time as virtual machines, loggers and orchestrators write it.
var iso = regexp.MustCompile(`\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)([.,]\d{1,9})?(Z|[+-]\d\d:?\d\d)?`)

// dates are what date(1) prints without a format, in the locales met most.
var dates = []string{
	"Mon Jan _2 15:04:05 MST 2006",
	"Mon Jan _2 15:04:05 2006",
	"Mon 02 Jan 2006 03:04:05 PM MST",
	"Mon _2 Jan 15:04:05 MST 2006",
}

// epoch is what date +%s prints, or with its fraction: a line of its own.
var epoch = regexp.MustCompile(`^\s*(\d{10})(\.\d{1,9})?\s*$`)

// Stamp is a moment that a line tells.
type Stamp struct {
	Time time.Time
	// Zoned is true when the line tells the zone; else Time reads the line as UTC,
	// and only differences to others of the same source mean something.
	Zoned bool
}

// StampOf finds the moment that a line tells: a date and time as ISO 8601 has it,
// anywhere in the line, or a line that is what date(1) prints.
func StampOf(line []byte) (Stamp, bool) {
	line = line[:min(len(line), MaxPrefix)]
	if m := iso.FindSubmatch(line); m != nil {
		text, zone := string(m[1])+"T"+string(m[2]), string(m[4])
		if len(m[3]) > 0 {
			text += "." + string(m[3][1:])
		}
		layout := "2006-01-02T15:04:05.999999999"
		switch {
		case len(zone) == 5:
			layout += "-0700"
		case zone != "":
			layout += "Z07:00"
		}
		if t, err := time.Parse(layout, text+zone); err == nil {
			return Stamp{Time: t.UTC(), Zoned: zone != ""}, true
		}
	}
	if m := epoch.FindSubmatch(line); m != nil {
		seconds, _ := strconv.ParseInt(string(m[1]), 10, 64)
		fraction, _ := strconv.ParseFloat("0"+string(m[2]), 64)
		return Stamp{Time: time.Unix(seconds, int64(fraction*1e9)).UTC(), Zoned: true}, true
	}
	for _, layout := range dates {
		if t, err := time.Parse(layout, string(line)); err == nil {
			// The offset of an abbreviated zone is not known unless it is UTC.
			name, offset := t.Zone()
			return Stamp{Time: t.UTC(), Zoned: offset != 0 || name == "UTC"}, true
		}
	}
	return Stamp{}, false
}
