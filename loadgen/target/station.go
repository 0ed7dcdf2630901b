package target

import (
	"math/rand/v2"
	"time"
)

// station is the model itself: workers, queue and rate limit on any clock. Time
// is ns since the start and is only ever told to it. Completions are planned as
// absolute instants; a worker begins its next request at the planned end of the
// last one, however late the caller comes to ask.
type station struct {
	cfg     Config
	work    worktime
	service sampler
	luck    *rand.Rand // decides which answers are degraded
	bucket  bucket

	now     int64
	running []service // a heap, the earliest end first
	waiting ring
	out     []event // answers not yet delivered, in time order
	sent    int     // how many of out have been delivered

	// fullTime is how long all workers were busy at once, up to fullSince where
	// they are now, and fullDone how many completions fell into it.
	fullTime, fullSince int64
	fullDone            uint64

	// left reports whether the client of a request has left; it is asked only
	// when dead requests are not to be served.
	left func(id uint64) bool
}

// service is a request that a worker is busy with.
type service struct {
	request
	begin, end int64
}

// event is an answer at its instant.
type event struct {
	id     uint64
	at     int64
	answer Answer
}

// The random streams of one seed. Separate streams keep service times the same
// when the degraded share changes.
const (
	streamService = 0x5e41ce
	streamLuck    = 0xdec0de
)

func newStation(cfg Config, seed uint64) *station {
	cfg.Workers = max(cfg.Workers, 1)
	return &station{
		cfg:     cfg,
		work:    newWorktime(cfg.Stall),
		service: newSampler(cfg.Service, rand.New(rand.NewPCG(seed, streamService))),
		luck:    rand.New(rand.NewPCG(seed, streamLuck)),
		bucket:  newBucket(cfg.RateLimit),
		running: make([]service, 0, min(cfg.Workers, 1024)),
	}
}

// pending returns how many requests wait or are being served.
func (s *station) pending() int { return s.waiting.n + len(s.running) }

// arrive takes in a request at an instant not before the last one; an earlier
// instant counts as now.
func (s *station) arrive(at int64, id uint64) {
	s.advance(at)
	q := request{id: id, arrived: s.now}
	if ok, wait := s.bucket.take(s.now); !ok {
		s.emit(id, s.now, Answer{Kind: Shed, Status: 429, RetryAfter: time.Duration(wait), limited: true})
		return
	}
	switch {
	case len(s.running) < s.cfg.Workers:
		s.running = append(s.running, s.begin(q, s.now))
		s.siftUp(len(s.running) - 1)
		if len(s.running) == s.cfg.Workers {
			s.fullSince = s.now
		}
	case s.cfg.Queue < 0 || s.waiting.n < s.cfg.Queue:
		s.waiting.push(q)
	default:
		s.emit(id, s.now, Answer{Kind: Shed, Status: s.cfg.ShedStatus, RetryAfter: s.cfg.RetryAfter})
	}
}

// saturated returns how long all workers were busy at once, and how many
// requests they completed meanwhile.
func (s *station) saturated() (time.Duration, uint64) {
	t := s.fullTime
	if len(s.running) == s.cfg.Workers {
		t += s.now - s.fullSince
	}
	return time.Duration(t), s.fullDone
}

// next returns the earliest planned completion.
func (s *station) next() (int64, bool) {
	if len(s.running) == 0 {
		return 0, false
	}
	return s.running[0].end, true
}

// advance completes everything planned up to an instant.
func (s *station) advance(to int64) {
	for len(s.running) > 0 && s.running[0].end <= to {
		s.complete()
	}
	s.now = max(s.now, to)
}

// complete ends the earliest service and gives its worker the next request.
func (s *station) complete() {
	done := s.running[0]
	s.now = done.end
	a := Answer{Status: 200, Wait: time.Duration(done.begin - done.arrived), Service: time.Duration(done.end - done.begin)}
	if s.cfg.Degraded > 0 && s.luck.Float64() < s.cfg.Degraded {
		a.Kind = Degraded
	}
	s.emit(done.id, done.end, a)

	full := len(s.running) == s.cfg.Workers
	if full {
		s.fullDone++
	}
	if q, ok := s.dequeue(done.end); ok {
		s.running[0] = s.begin(q, done.end)
	} else {
		last := len(s.running) - 1
		s.running[0] = s.running[last]
		s.running = s.running[:last]
		if full {
			s.fullTime += done.end - s.fullSince
		}
	}
	s.siftDown()
}

// dequeue takes the request whose turn it is, dropping those not worth serving.
func (s *station) dequeue(at int64) (request, bool) {
	for s.waiting.n > 0 {
		var q request
		if s.cfg.Discipline == LIFO {
			q = s.waiting.popYoungest()
		} else {
			q = s.waiting.popOldest()
		}
		if !s.useless(q, at) {
			return q, true
		}
		s.emit(q.id, at, Answer{Kind: Dropped, Status: 503, Wait: time.Duration(at - q.arrived)})
	}
	return request{}, false
}

func (s *station) useless(q request, at int64) bool {
	if s.cfg.DropExpired > 0 && at-q.arrived > int64(s.cfg.DropExpired) {
		return true
	}
	return !s.cfg.ServeDead && s.left != nil && s.left(q.id)
}

// begin plans the service of a request that a worker takes at an instant. A
// worker can be taken during a stall; work then begins when the stall ends.
func (s *station) begin(q request, at int64) service {
	b := s.work.resume(at)
	return service{request: q, begin: b, end: s.work.after(b, s.service.draw())}
}

func (s *station) emit(id uint64, at int64, a Answer) {
	s.out = append(s.out, event{id: id, at: at, answer: a})
}

// deliver hands out the answers so far, in time order. done may call arrive.
func (s *station) deliver(done func(id uint64, at time.Duration, a Answer)) {
	for s.sent < len(s.out) {
		e := s.out[s.sent]
		s.sent++
		done(e.id, time.Duration(e.at), e.answer)
	}
	s.out, s.sent = s.out[:0], 0
}

func (s *station) siftUp(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if s.running[parent].end <= s.running[i].end {
			return
		}
		s.running[parent], s.running[i] = s.running[i], s.running[parent]
		i = parent
	}
}

func (s *station) siftDown() {
	h := s.running
	if len(h) < 2 {
		return
	}
	x := h[0]
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].end < h[child].end {
			child++
		}
		if x.end <= h[child].end {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = x
}
