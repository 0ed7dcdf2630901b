package pending

import (
	"time"

	"example.com/kneeline/heapdump"
)

// utc returns the nanoseconds since 1970 of year, month, day, hour, minute,
// second and nanosecond in UTC; 0 where they do not fit.
func utc(p [7]int64) int64 {
	if p[0] < 1970 || p[0] > 2200 {
		return 0
	}
	return time.Date(int(p[0]), time.Month(p[1]), int(p[2]), int(p[3]), int(p[4]), int(p[5]), int(p[6]), time.UTC).UnixNano()
}

// zoneOffset returns the seconds east of the VM's default time zone, by which
// dates without a zone were made. It reports false where the dump does not tell,
// or where the zone knows daylight saving: which of its two offsets held then is
// not in the object, and a stamp that is an hour wrong is worse than none.
func zoneOffset(h *heapdump.Heap) (int64, bool) {
	for _, index := range h.ClassNamed("java.util.TimeZone") {
		for _, s := range h.Class(index).Statics {
			if s.Name != "defaultTimeZone" || s.Type != typeObject {
				continue
			}
			zone, ok := h.Instance(heapdump.ID(s.Value))
			if !ok {
				continue
			}
			raw, ok := zone.Long("rawOffset")
			saving, told := zone.Long("dstSavings")
			if ok && told && saving == 0 {
				return raw / 1000, true
			}
		}
	}
	return 0, false
}
