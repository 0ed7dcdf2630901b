package heapinput

import "encoding/binary"

const (
	// lastField is the highest number of a field of a profile.
	lastField = 14
	// fewestFields is how many fields in a row have to fit a profile before bytes
	// are taken for one.
	fewestFields = 4
)

// wireTypes are the wire types that the fields of a profile may have: 0 a varint, 2
// length-delimited. Numbers that may repeat come packed too. From proto/profile.proto
// of github.com/google/pprof.
var wireTypes = [lastField + 1]string{
	1: "2", 2: "2", 3: "2", 4: "2", 5: "2", 6: "2",
	7: "0", 8: "0", 9: "0", 10: "0", 11: "2", 12: "0", 13: "02", 14: "0",
}

// looksLikeProfile says whether bytes begin as the protobuf of a profile does:
// the format has no magic number, so the fields are walked as far as they go.
func looksLikeProfile(head []byte) bool {
	fields := 0
	for at := 0; at < len(head); fields++ {
		key, n := binary.Uvarint(head[at:])
		if n == 0 {
			break // cut off by the window
		}
		field, wire := key>>3, key&7
		if n < 0 || field == 0 || field > lastField || !fits(wireTypes[field], wire) {
			return false
		}
		at += n
		value, n := binary.Uvarint(head[at:])
		if n == 0 {
			break
		}
		if n < 0 {
			return false
		}
		at += n
		if wire == 2 {
			if value > uint64(len(head)-at) {
				break // goes on behind the window
			}
			at += int(value)
		}
	}
	return fields >= fewestFields
}

func fits(allowed string, wire uint64) bool {
	for _, w := range allowed {
		if uint64(w-'0') == wire {
			return true
		}
	}
	return false
}
