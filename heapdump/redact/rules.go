package redact

import (
	"unicode/utf16"

	"example.com/kneeline/heapdump"
)

// Use is what becomes of a number in a field.
type Use uint8

const (
	// Zero: it becomes zero.
	Zero Use = iota
	// Keep: it stays.
	Keep
	// KeepTime: it stays if it is a time within the weeks before the dump.
	KeepTime
)

// Rules say what stays of a dump beside its references and sizes.
type Rules struct {
	// Field decides of a field of a class, by the class of the instances and the
	// field; a nil Field zeroes all.
	Field func(class int, field heapdump.Column) Use
	// Static decides of a static number.
	Static func(class int, field heapdump.Field) Use
	// Names are contents that stay, whatever array has them: the names of threads
	// and pools.
	Names []string
	// Arrays are arrays of numbers that stay.
	Arrays map[heapdump.ID]bool
}

// longestName is how many bytes an array has at most that is looked at for a name.
const longestName = 1024

// contents are the names as arrays hold them: bytes of Latin-1, or of UTF-16 in
// either order of bytes, which is also how a char[] stands in the file.
func contents(names []string) map[string]bool {
	out := map[string]bool{}
	for _, name := range names {
		latin, narrow := []byte{}, true
		var little, big []byte
		for _, u := range utf16.Encode([]rune(name)) {
			narrow = narrow && u < 0x100
			latin = append(latin, byte(u))
			little = append(little, byte(u), byte(u>>8))
			big = append(big, byte(u>>8), byte(u))
		}
		if narrow {
			out[string(latin)] = true
		}
		out[string(little)], out[string(big)] = true, true
	}
	return out
}

// Times that [KeepTime] keeps lie within these of the dump's own time.
const (
	oldestTime = 30 * 24 * 3600
	newestTime = 24 * 3600
)

// isTime says whether a number is a time near that of the dump, in seconds,
// milliseconds, microseconds or nanoseconds since 1970.
func isTime(v, dumpMillis int64) bool {
	now := dumpMillis / 1000
	for _, unit := range []int64{1, 1e3, 1e6, 1e9} {
		if s := v / unit; s >= now-oldestTime && s <= now+newestTime {
			return true
		}
	}
	return false
}
