package gc

// peakSpan is over how long the highest rate of allocation is taken, in
// nanoseconds in which the program ran.
const peakSpan = int64(10e9)

// slots are in how many parts a stretch is kept. With each of them a thirtieth of
// the span at least, there are always some left over.
const slots = 32

// stretch is what was allocated in the last ten seconds in which the program ran.
type stretch struct {
	ring [slots]struct{ bytes, ns int64 }
	// oldest and n are which of them are in use.
	oldest, n  int
	bytes, ns  int64
	highest    float64 // bytes a second, over peakSpan at least
	hasHighest bool
}

// clear forgets what was allocated, and not how fast.
func (s *stretch) clear() { *s = stretch{highest: s.highest, hasHighest: s.hasHighest} }

// add takes what was allocated between two collections.
func (s *stretch) add(bytes, ns int64) {
	newest := (s.oldest + s.n + slots - 1) % slots
	if s.n == 0 || s.ring[newest].ns >= peakSpan/(slots-2) {
		newest = (s.oldest + s.n) % slots
		s.ring[newest].bytes, s.ring[newest].ns = 0, 0
		s.n++
	}
	s.ring[newest].bytes += bytes
	s.ring[newest].ns += ns
	s.bytes, s.ns = s.bytes+bytes, s.ns+ns
	for s.n > 1 && s.ns-s.ring[s.oldest].ns >= peakSpan {
		s.bytes, s.ns = s.bytes-s.ring[s.oldest].bytes, s.ns-s.ring[s.oldest].ns
		s.oldest, s.n = (s.oldest+1)%slots, s.n-1
	}
	if s.ns >= peakSpan {
		s.highest, s.hasHighest = max(s.highest, float64(s.bytes)/seconds(s.ns)), true
	}
}
