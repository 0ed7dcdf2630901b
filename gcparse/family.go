package gcparse

// A family reads one log family: a grammar with its own stamps and its own state.
// There is one instance a stream. It is called from one goroutine.
//
// Identifiers of a family begin with its name (legacyReader, goTrace…), so that
// files of families do not meet.
type family interface {
	// skim classifies a line that needs no state and changes none, and gives
	// true; or gives false for a line that feed must see. It is a pure function
	// of the bytes and is called from several goroutines at once, each with
	// other lines. Where most lines are noise, this is what the speed depends on
	// and what is spread over cores. A family without such lines returns
	// (0, false).
	skim(text []byte) (Class, bool)
	// feed reads a line that skim did not settle.
	feed(in *line) Class
	// rest tells that a stretch of the input is over: nothing that is pending
	// will be continued. It emits what is complete and drops (and accounts for)
	// what is not. The run goes on; feed may be called again.
	rest(why restReason)
}

// A familyKind describes a family before there is an instance of it.
type familyKind struct {
	// name is what users call it: "unified", "legacy", "openj9", "go", "v8".
	name string
	// claim tells how surely a line is one of this family's. It is a pure
	// function, cheap for lines that are not: it is asked for every line that
	// the present family does not know.
	claim func(text []byte) claim
	// make makes an instance that reports to the sink.
	make func(out *sink) family
}

// claim is how surely a line belongs to a family.
type claim uint8

const (
	notMine claim = iota
	maybeMine
	// surelyMine lines let a stream change to this family at once.
	surelyMine
)

// restReason is why pending state ends.
type restReason uint8

const (
	// atEnd is the end of the input.
	atEnd restReason = iota
	// atCut is a place where the input does not go on: a hole, another family,
	// a file that does not continue the one before.
	atCut
	// atIdle: the log is followed and nothing was written for a while. Only what
	// is complete may be emitted; half-read events stay pending.
	atIdle
)

// line is one line of the input, without its end, and without the prefix that a
// container or log shipper put before it.
type line struct {
	text   []byte // valid during the call only
	source int32
	no     int64 // from 1
	offset int64 // of its first byte in the decompressed source
	// wall is the time of the wrapper around the line in nanoseconds since 1970,
	// if hasWall. It is a fall-back for lines without a time of their own.
	wall    int64
	hasWall bool
}
