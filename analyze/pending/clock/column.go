package clock

import (
	"strings"
	"time"
	"unicode"
)

// Column is one field of 64 bits, read from the entries of a queue or from what
// each of them refers to.
type Column struct {
	// Source names the field, as Class#field.
	Source string
	// Hops is 0 for a field of the entry, 1 for one of an object it refers to.
	Hops int
	// Values has one value per entry, in the order of the queue.
	Values []int64
	// Valid tells which entries have a value; nil is all of them.
	Valid []bool
	// Objects tells in which object the value of each entry was found, by any
	// number that is the same for the same object; nil is one for each entry.
	Objects []uint64
	// Unit is the unit when it follows from the class, as with java.time.Instant;
	// UnitUnknown leaves it to the values.
	Unit Unit
	// Preferred marks a field that is known to be the stamp of arrival.
	Preferred bool
}

// valid reports whether entry i has a value. A zero is the mark of "not yet" in
// every server whose fields are known, and no stamp of any clock.
func (c *Column) valid(i int) bool {
	return c.Values[i] != 0 && (c.Valid == nil || c.Valid[i])
}

// Unit is what a stamp counts.
type Unit uint8

// Units of a stamp.
const (
	UnitUnknown Unit = iota
	EpochMillis
	EpochMicros
	EpochNanos
	// Nano is the VM's counter of nanoseconds with an arbitrary zero.
	Nano
)

// String returns the unit as people call it.
func (u Unit) String() string {
	switch u {
	case EpochMillis:
		return "epoch milliseconds"
	case EpochMicros:
		return "epoch microseconds"
	case EpochNanos:
		return "epoch nanoseconds"
	case Nano:
		return "nanosecond counter"
	}
	return "unknown"
}

// nanos returns how many nanoseconds one of the unit is.
func (u Unit) nanos() int64 {
	switch u {
	case EpochMillis:
		return int64(time.Millisecond)
	case EpochMicros:
		return int64(time.Microsecond)
	}
	return 1
}

// meaning is what the name of a field says of its value, the better the higher.
type meaning int

const (
	noStamp meaning = iota - 1 // a number of something else, or a time to come
	lastUse                    // moves with every use: no arrival, but good to tie two clocks
	neutral
	arrival
	known // said by the table of patterns
)

var (
	// notStamps are words of numbers that rise along a queue and are no times of
	// arrival: counters, sizes, and points of time that are yet to come.
	notStamps = words("id ids seq sequence num number count counter cnt version offset position pos index " +
		"size length len bytes hash nonce xid lsn term generation cursor " +
		"deadline expire expires expiry expiration expiring timeout until next ttl due trigger schedule scheduled " +
		"delay interval period max min limit budget wakeup")
	lastUses = words("last idle touched accessed access modified updated update heartbeat activity active refresh refreshed read write")
	arrivals = words("created create creation enqueued enqueue queued submitted submit submission arrived arrival " +
		"received receive accepted accept start started begin begun born stamp timestamp requested ingress admitted")
)

func words(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// meaningOf reads the words of a field's name. A word of a number that is no
// stamp outweighs the others, so that "nextStartTime" is none.
func meaningOf(source string) meaning {
	field := source[strings.LastIndexByte(source, '#')+1:]
	found := neutral
	for _, word := range split(field) {
		switch {
		case notStamps[word]:
			return noStamp
		case lastUses[word]:
			found = lastUse
		case arrivals[word] && found != lastUse:
			found = arrival
		}
	}
	return found
}

// split cuts a name into words at capitals, digits and underscores, in lower case.
func split(name string) []string {
	var out []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	upper := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r):
			flush()
			upper = false
			continue
		case unicode.IsUpper(r) && !upper:
			flush()
		}
		upper = unicode.IsUpper(r)
		word.WriteRune(unicode.ToLower(r))
	}
	flush()
	return out
}
