package tier

// End says how a stay in a tier ended.
type End uint8

const (
	// Left is a share that fell below the exit of the tier.
	Left End = iota
	// Open is a stay that went on when the record ended.
	Open
	// Cut is a stay that was ended by the end of its run: a restart, or a hole in
	// the record.
	Cut
)

// String returns the word for e.
func (e End) String() string {
	switch e {
	case Open:
		return "open"
	case Cut:
		return "cut"
	}
	return "left"
}

// Spell is one stay in a tier. Times are in nanoseconds on the clock of the parts
// that were added.
type Spell struct {
	// Tier is the index into the list.
	Tier int
	// Enter is the first instant in the tier, Leave the first one out of it, or the
	// last of the record.
	Enter, Leave int64
	End          End
	// Violated says that the stay reached the violation period, at ViolatedAt.
	Violated   bool
	ViolatedAt int64
	// KnowableAt is when that could be known: the end of the part that was under
	// way at ViolatedAt, since a record tells of it at its end only and a stopped
	// process cannot tell at all.
	KnowableAt int64
	// Peak is the highest share over the window, reached first at PeakAt.
	Peak   float64
	PeakAt int64
	// Busy is what r sums up to from a window before Enter until Leave, in
	// nanoseconds.
	Busy int64
}

// Observer is told what a [Meter] finds, in order of time: all of it is complete
// up to the time of the call.
type Observer[T any] interface {
	// Began is called for each part when time reaches its start.
	Began(item T, from, to int64)
	// Entered is called when a tier is entered, after Began of all parts that
	// began earlier.
	Entered(tier int, at int64)
	// Ended is called at the end of a stay.
	Ended(s Spell)
	// Moved is called for each stretch of time in which the share over the window
	// goes from a to b in a line. It is not called during the warm-up. Where no tier
	// is near, and the stretch ends by the time that Coarse returns, the share may
	// have gone down or up in several lines.
	Moved(from, to int64, a, b float64)
	// Coarse returns until when the observer does not care how exactly the share
	// went.
	Coarse() int64
}
