package workers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/stacks"
)

const (
	// maxStack is how many frames of a group's stack are told.
	maxStack = 64
	// maxLocals is how many classes of a group's locals are told.
	maxLocals = 16
)

// Of tells what the threads of a process do.
func Of(in Input) *Overview {
	a := analysis{in: in, holders: holdersOf(in.Threads), pools: map[string]*pool{}, stacks: map[*stacks.Frame]*stackInfo{}, byText: map[string]*stackInfo{}, out: &Overview{}}
	for i := range in.Threads {
		a.thread(i)
	}
	a.finish()
	a.out.Deadlocks = deadlocksOf(in, a.holders)
	return a.out
}

type analysis struct {
	in      Input
	holders holding
	// stacks are what was found out of each, by its first frame: threads with equal
	// stacks share them.
	stacks map[*stacks.Frame]*stackInfo
	byText map[string]*stackInfo
	pools  map[string]*pool
	keys   []string
	out    *Overview
}

// pool is one that is being put together.
type pool struct {
	Pool
	stems  map[string]int
	kinds  map[string]int
	groups map[string]*group
	order  []string
}

type group struct {
	Group
	stacks map[string]int64
	frames map[string][]string
	locals map[string]int64
}

// thread counts one thread into its pool.
func (a *analysis) thread(i int) {
	t := &a.in.Threads[i]
	if !t.Java || !t.Virtual && system(t.Name) {
		a.out.System++
		return
	}
	a.out.Threads++
	if t.Virtual {
		a.out.Virtual++
	}
	p := a.poolOf(i, t)
	p.Total++
	p.Members = append(p.Members, i)
	s := a.stackOf(t.Frames)
	if s.kind != "" {
		p.kinds[s.kind]++
	}
	switch {
	case t.State == stacks.New:
		p.Idle++ // it has not begun
	case len(t.Frames) == 0:
		p.NoStack++
		a.out.NoStack++
	case s.idle:
		p.Idle++
	default:
		a.busy(p, i, t, s)
	}
}

// ownRows are calls with which a pool does its own business.
var ownRows = []call{
	{"org.eclipse.jetty.io.ManagedSelector$SelectorProducer", ""},
	{"org.eclipse.jetty.server.AbstractConnector$Acceptor", ""},
}

// busy counts a thread that is not idle. Waiting for connections or network events is
// what the threads of an event loop do when there is nothing to do; of a pool of
// workers it takes one away.
func (a *analysis) busy(p *pool, i int, t *stacks.Thread, s *stackInfo) {
	w := a.waitOf(t)
	own := w.state == Accepting || w.state == Selecting
	if own && (s.kind == "" || strings.HasPrefix(s.kind, "Netty") || strings.HasPrefix(s.kind, "XNIO")) {
		p.Idle++
		return
	}
	own = own || s.own
	p.Busy++
	if own {
		p.Own++
	}
	g := p.group(a.groupOf(w, s.place, own))
	g.Count++
	g.Threads = append(g.Threads, i)
	g.stacks[s.key]++
	g.frames[s.key] = s.texts
	if a.in.Locals != nil {
		for _, class := range a.in.Locals(i) {
			g.locals[class]++
		}
	}
}

// groupOf is the group that a busy thread belongs to, without counts, and its key.
func (a *analysis) groupOf(w wait, place string, own bool) (string, Group) {
	g := Group{State: w.state, WaitsFor: w.words, Place: place, Own: own}
	object := ""
	if w.lock != nil {
		object = w.lock.Object
		if h, ok := a.holders.of(w.lock); ok {
			holder := &a.in.Threads[h]
			g.Holder = holder.Name
			place := a.stackOf(holder.Frames).place
			g.HolderDoes = "runs in " + place
			if does := a.waitOf(holder); does.state != Running {
				g.HolderDoes = "waits for " + does.words + " in " + place
			}
		}
	}
	return fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%t", g.State, w.words, g.Place, object, own), g
}

func (p *pool) group(key string, g Group) *group {
	if known, ok := p.groups[key]; ok {
		return known
	}
	p.groups[key] = &group{Group: g, stacks: map[string]int64{}, frames: map[string][]string{}, locals: map[string]int64{}}
	p.order = append(p.order, key)
	return p.groups[key]
}

// poolOf is the pool of a thread: by its executor in the heap, by its container in
// the dump, or by its name.
func (a *analysis) poolOf(i int, t *stacks.Thread) *pool {
	name, _ := stem(t.Name)
	if t.Virtual && strings.Trim(t.Name, "0123456789") == "" {
		name = "virtual threads"
	}
	key := "name " + name
	var executor heapdump.ID
	switch {
	case a.in.Members != nil && a.in.Members[i] != 0:
		executor = a.in.Members[i]
		key = fmt.Sprintf("executor %d", executor)
	case t.Container != "":
		key = "container " + t.Container
	}
	p, ok := a.pools[key]
	if !ok {
		p = &pool{stems: map[string]int{}, kinds: map[string]int{}, groups: map[string]*group{}}
		p.Executor, p.Class = executor, a.in.Executors[executor]
		if executor == 0 && t.Container != "" {
			p.Class, _, _ = strings.Cut(t.Container, "@")
		}
		a.pools[key] = p
		a.keys = append(a.keys, key)
	}
	p.stems[name]++
	return p
}

// finish names the pools, and puts together as others what is none.
func (a *analysis) finish() {
	others := &pool{groups: map[string]*group{}}
	for _, key := range a.keys {
		p := a.pools[key]
		p.Name, p.Kind = mostFrequent(p.stems), mostFrequent(p.kinds)
		if p.Total > 1 || p.Kind != "" || p.Executor != 0 {
			p.close()
			a.out.Pools = append(a.out.Pools, p.Pool)
			continue
		}
		others.absorb(p)
	}
	others.close()
	a.out.Others = others.Pool
	slices.SortStableFunc(a.out.Pools, func(x, y Pool) int {
		return cmp.Or(cmp.Compare(y.Busy-y.Own, x.Busy-x.Own), cmp.Compare(y.Total, x.Total), cmp.Compare(x.Name, y.Name))
	})
}

func (p *pool) absorb(more *pool) {
	p.Total, p.Busy, p.Idle = p.Total+more.Total, p.Busy+more.Busy, p.Idle+more.Idle
	p.NoStack, p.Own = p.NoStack+more.NoStack, p.Own+more.Own
	p.Members = append(p.Members, more.Members...)
	for _, key := range more.order {
		from := more.groups[key]
		empty := from.Group
		empty.Count, empty.Threads = 0, nil
		g := p.group(key, empty)
		g.Count += from.Count
		g.Threads = append(g.Threads, from.Threads...)
		for s, n := range from.stacks {
			g.stacks[s] += n
			g.frames[s] = from.frames[s]
		}
		for c, n := range from.locals {
			g.locals[c] += n
		}
	}
}

// close puts the groups of a pool in order.
func (p *pool) close() {
	for _, key := range p.order {
		g := p.groups[key]
		g.Stack = g.frames[mostFrequent(g.stacks)]
		for class, n := range g.locals {
			g.Locals = append(g.Locals, LocalCount{class, n})
		}
		slices.SortFunc(g.Locals, func(x, y LocalCount) int {
			return cmp.Or(cmp.Compare(origin(x.Class), origin(y.Class)), cmp.Compare(y.Count, x.Count), cmp.Compare(x.Class, y.Class))
		})
		g.Locals = g.Locals[:min(len(g.Locals), maxLocals)]
		p.Groups = append(p.Groups, g.Group)
	}
	slices.SortStableFunc(p.Groups, func(x, y Group) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Place, y.Place), cmp.Compare(x.WaitsFor, y.WaitsFor))
	})
}

// origin orders classes by how much they say: those of the application, of its
// libraries, of the JDK.
func origin(class string) int {
	switch {
	case begins(class, jdk):
		return 2
	case begins(class, libraries):
		return 1
	}
	return 0
}

// mostFrequent is the key that was counted most, of equal ones the first in order.
func mostFrequent[N int | int64](counts map[string]N) string {
	best := ""
	for key, n := range counts {
		if most := counts[best]; n > most || n == most && key < best {
			best = key
		}
	}
	return best
}
