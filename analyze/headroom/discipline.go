package headroom

// discipline is the order in which a service takes up waiting requests, as far
// as it shows from outside.
type discipline uint8

const (
	// fifo serves in order of arrival.
	fifo discipline = iota
	// lifo serves the youngest first.
	lifo
	// shared works on all at once, so that any of them may be done next.
	shared
)

var disciplineNames = [...]string{fifo: "fifo", lifo: "lifo", shared: "shared"}

func (d discipline) String() string { return disciplineNames[d] }

// crowd holds the requests in a system one by one, by arrival in windows, for
// the disciplines under which a request's fate is not settled on arrival.
type crowd struct {
	order   discipline
	places  float64   // requests served at once; those being served are not in in
	serving int       // how many are being served, where the youngest go first
	in      []float64 // the others
	u       uint64    // state of a small generator for the shared discipline
}

// size is the number of requests in the system.
func (c *crowd) size() int { return c.serving + len(c.in) }

// enter takes in a request, and reports whether it need not wait for its turn.
func (c *crowd) enter(now float64) bool {
	if c.order == lifo && float64(c.serving) < c.places {
		c.serving++
		return true
	}
	c.in = append(c.in, now)
	return false
}

// leave completes a request. It returns when the one came that is done with
// waiting then: the youngest, which takes the place that has become free; or where
// all are worked on at once any of them, which is the one completed. It is false
// when none was waiting.
func (c *crowd) leave() (came float64, ok bool) {
	if len(c.in) == 0 {
		c.serving--
		return 0, false
	}
	i := len(c.in) - 1
	if c.order == shared {
		c.u = c.u*6364136223846793005 + 1442695040888963407
		i = int((c.u >> 33) % uint64(len(c.in)))
	}
	at := c.in[i]
	c.in[i] = c.in[len(c.in)-1]
	c.in = c.in[:len(c.in)-1]
	return at, true
}

// playEach is play for the disciplines other than fifo: it follows each request.
// Arrivals and completions of a window alternate evenly.
func (b *bench) playEach(rate, q float64, from, to int) (fates, float64) {
	var f fates
	m := b.m
	draw := newCounter(rate * windowSeconds)
	levels := m.levels()
	c := crowd{order: m.discipline, places: m.served, u: 1}
	for range int(q) {
		c.enter(float64(from))
	}
	planned, credit, inFlight := 0.0, 0.0, 0.0
	hopeless := int(50*rate*m.timeout + 10*m.served + 1000)
	for w := from; w < to && len(c.in) < hopeless; w++ {
		a := draw.at(b.u[w])
		own := m.own(w)
		planned += a
		done := b.cum[w+1] - b.cum[w]
		steps := int(a) + int(done) + 1
		came := 0.0
		for s := range steps {
			now := float64(w) + (float64(s)+0.5)/float64(steps)
			if came < a && came/a <= float64(s)/float64(steps) {
				came++
				if m.bound > 0 && float64(c.size()) >= m.bound {
					f.shed++
				} else if c.enter(now) {
					count(levels, own)
				}
			}
			credit += done / float64(steps) * min(1, float64(c.size())/max(m.served, 1))
			for credit >= 1 && c.size() > 0 {
				credit--
				if at, ok := c.leave(); ok {
					count(levels, now-at+own)
				}
			}
			if c.size() == 0 {
				credit = min(credit, 1)
			}
		}
		inFlight += float64(c.size())
	}
	end := float64(to)
	for _, at := range c.in {
		if end-at > m.timeout/windowSeconds {
			count(levels, end-at)
		}
	}
	if len(c.in) >= hopeless {
		f.timedOut = 1
		for i := range m.thresholds {
			f.late[i] = 1
		}
		return f, float64(c.size())
	}
	m.collect(&f, levels, planned)
	f.inFlight = inFlight / float64(to-from)
	f.planned = planned / (float64(to-from) * windowSeconds)
	return f, float64(c.size())
}

// own is the part of a request's time that follows its turn, in windows: its
// service, unless that began on arrival.
func (m *model) own(w int) float64 {
	if m.discipline == shared {
		return 0
	}
	return m.floorAt(w)
}

// count adds one request that took so many windows.
func count(levels []level, windows float64) {
	for i := range levels {
		if windows > levels[i].windows {
			levels[i].late++
		}
	}
}
