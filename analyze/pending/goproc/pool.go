package goproc

import (
	"cmp"
	"slices"

	"example.com/kneeline/heapdump/goroutines"
)

// pool is goroutines that serve no connection and began in the same function: the
// workers behind a channel, if that is what they are.
type pool struct {
	root  string
	seats []*seat
	total int64
	// idle are those that wait for an event in code of their own.
	idle int64
}

func (p *pool) busy() int64 { return p.total - p.idle }

// pools groups the goroutines that serve nothing known by where they began.
func (m *matcher) pools(seats []*seat) []*pool {
	index := map[string]*pool{}
	var out []*pool
	for _, s := range seats {
		if s.serve != nil || len(s.stack.Frames) == 0 {
			continue
		}
		root := m.rootOf(s.stack.Frames)
		if isStandard(root) || root == "main.main" {
			continue
		}
		p := index[root]
		if p == nil {
			p = &pool{root: root}
			index[root] = p
			out = append(out, p)
		}
		p.seats = append(p.seats, s)
		p.total += s.count()
		if s.how == howUnclear {
			p.idle += s.count()
		}
	}
	slices.SortFunc(out, func(a, b *pool) int {
		return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.root, b.root))
	})
	return out
}

// rootOf is the function that a goroutine began in, without the runtime's and
// without those that only call another: errgroup's and WaitGroup's.
func (m *matcher) rootOf(frames []goroutines.Frame) string {
	for i := len(frames) - 1; i >= 0; i-- {
		if n := m.name(frames[i].Func); !isPlumbing(n) && moduleOf(n) != "golang.org/x/sync" {
			return n
		}
	}
	return m.name(frames[len(frames)-1].Func)
}

// leastWorkers is how many goroutines make workers: of a single one it is more
// likely that it listens, cleans up or counts.
const leastWorkers = 2

// servedBy is the pool that works for those who wait at a place for a result: of
// the same package, all of it busy. The largest, where several are.
func servedBy(p *place, m *matcher, pools []*pool) *pool {
	pkg := packageOf(m.name(p.frame.Func))
	for _, w := range pools {
		if packageOf(w.root) == pkg && w.idle == 0 && w.total >= leastWorkers && w.works(m) {
			return w
		}
	}
	return nil
}

// works is true when the goroutines do work that somebody may wait for: none of
// them listens or sleeps where it began, as timers do, and not all wait for a turn
// themselves.
func (p *pool) works(m *matcher) bool {
	some := false
	for _, s := range p.seats {
		if s.stack.State == goroutines.StateSleep && m.name(s.frame(s.at).Func) == p.root {
			return false
		}
		for _, f := range s.stack.Frames {
			switch m.name(f.Func) {
			case "net.(*TCPListener).Accept", "net.(*UnixListener).Accept", "os/signal.loop", "net/http.(*Server).Serve":
				return false
			}
		}
		some = some || !s.waiting()
	}
	return some
}
