package accesslog

import "time"

// Unknown is the value of sizes and durations that a line does not give.
const Unknown = -1

// Record is one request. The byte slices are part of the reader's buffer: they are
// valid until the next record is read.
type Record struct {
	// At is the instant that the line gives, in ns since 1970 UTC. A line without a
	// time zone counts as UTC.
	At int64
	// Resolution is how exact At is: [time.Second] where the line has whole seconds.
	Resolution time.Duration
	// Offset is the line's time zone in seconds east of UTC.
	Offset int
	// AtEnd says that At is when the answer was complete (nginx, Caddy, AWS); else it
	// is when the request began, or the line does not say.
	AtEnd bool

	// Method is empty where the line has no readable request line, as with requests
	// that were no HTTP.
	Method []byte
	// Path is the path with its query; of an absolute URL only that.
	Path []byte
	// Protocol is the last word of the request line, such as HTTP/1.1.
	Protocol []byte
	// Status is 0 where none is given.
	Status int
	// Sent is the size of the answer in bytes, Received that of the request.
	Sent, Received int64
	// Duration is from the first byte of the request to the end of the answer,
	// Upstream the part in which the server behind answered.
	Duration, Upstream time.Duration
}

// Arrival is when the request began, in ns since 1970: At, less the duration where
// At is the end and the duration is known.
func (r *Record) Arrival() int64 {
	if r.AtEnd && r.Duration > 0 {
		return r.At - int64(r.Duration)
	}
	return r.At
}

func (r *Record) reset() {
	*r = Record{Sent: Unknown, Received: Unknown, Duration: Unknown, Upstream: Unknown}
}
