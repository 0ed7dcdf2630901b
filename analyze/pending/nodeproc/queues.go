package nodeproc

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/v8"
	"example.com/kneeline/queuecalc"
)

func byBytes(a, b pending.ClassRow) int {
	return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Class, b.Class))
}

// Names of the queues that Node's own modules keep.
const (
	openName     = "open HTTP requests"
	outgoingName = "outgoing HTTP requests without a connection"
	ticksName    = "queue of process.nextTick"
	timersName   = "timers"
	immediates   = "queue of setImmediate"
)

// findOpen adds the requests that are not answered, and what they hold.
func (j *judge) findOpen() {
	n := j.open.n + j.streams.n
	waiting := n - j.begun.n
	if waiting < j.o.MinEntries {
		return
	}
	q := pending.Queue{
		Name: openName, Server: "node", Class: "ServerResponse", Kind: pending.KindObjects, Role: pending.RoleRequests,
		Entries: waiting, Instances: 1, Unbounded: true, Requests: true, Confidence: pending.ConfidenceMedium,
		Payload: []pending.PayloadShare{}, Setting: &pending.Setting{Name: "a limit of open requests, 503 beyond it", Note: "the value follows from --capacity and --timeout"},
	}
	classes := map[string]int64{}
	for at := range j.s.Nodes() {
		if (j.open.has(at) || j.streams.has(at)) && !j.begun.has(at) {
			classes[j.s.Class(at)]++
			q.IDs = append(q.IDs, j.s.ID(at))
		}
	}
	q.Payload = payload(classes, waiting, map[string]string{"ServerResponse": "HTTP/1 request, no answer begun", serverStream: "stream of HTTP/2"})
	q.Class = q.Payload[0].Class
	if b := j.holderOf(n); b != nil {
		q.Owner, q.OwnerField = b.holder(j.s)
		q.Confidence = pending.ConfidenceHigh
	}
	j.cost(&q, n)
	j.useful(&q)
	j.res.Queues = append(j.res.Queues, q)
}

// most is the share of open requests that an array or map must hold to be the queue
// that they wait in.
const most = 0.5

// holderOf is the array or map of the program that most open requests are in.
func (j *judge) holderOf(open int64) *container {
	var best *container
	for _, b := range j.holders {
		if float64(b.holding) < most*float64(open) || b.holding < j.o.MinEntries || ownMap(j.s, b) {
			continue
		}
		if best == nil || b.holding > best.holding {
			best = b
		}
	}
	return best
}

// ownMap is true for the maps in which a session of HTTP/2 keeps its streams.
func ownMap(s *v8.Snapshot, b *container) bool {
	return b.kind == mapKind && b.isHeld && s.EdgeName(b.held) == "streams" && b.payload[serverStream] == b.holding
}

// cost is what the open requests hold together: all that goes when they, their
// connections and the entries that refer to them go.
func (j *judge) cost(q *pending.Queue, open int64) {
	if j.links == nil {
		return
	}
	set := newMembers(j.s.Nodes())
	part := map[string]bool{"HTTPParser": true, "TCP": true, "Pipe": true, "TLSWrap": true, "TLSSocket": true, "Socket": true,
		"IncomingMessage": true, "HTTPServerAsyncResource": true, "Http2Stream": true, "Http2ServerRequest": true, "Http2ServerResponse": true}
	for n := range j.s.Nodes() {
		if !j.open.has(n) && !j.sockets.has(n) && !j.streams.has(n) || j.outgoing.has(n) {
			continue
		}
		set.add(n)
		for _, to := range j.links.to[j.links.from[n]:j.links.from[n+1]] {
			// What stands for a class (its prototype) has the name of the class too and
			// is held by all; it belongs to none.
			if j.s.Kind(to) != v8.Synthetic && part[j.s.Class(to)] && !j.protos.has(to) {
				set.add(to)
			}
		}
	}
	for _, b := range j.holders {
		if b.kind == arrayKind && b.holding > 0 {
			for _, e := range j.links.to[j.links.from[b.node]:j.links.from[b.node+1]] {
				if j.refersTo(e, set) {
					set.add(e)
				}
			}
		}
	}
	bytes, _ := j.links.retained(j.s, set)
	each := float64(bytes) / float64(open)
	all := int64(each*float64(q.Entries) + 0.5)
	q.Bytes, q.BytesEach, q.HeapShare = &all, &each, ratio(all, j.res.Heap.Bytes)
	q.Counted = "what goes when they and their connections go, as a set"
}

// refersTo is true for a plain object that refers to one of a set.
func (j *judge) refersTo(n node, set *members) bool {
	if j.s.Kind(n) != v8.Object && j.s.Kind(n) != v8.Closure {
		return false
	}
	for _, to := range j.links.to[j.links.from[n]:j.links.from[n+1]] {
		if j.open.has(to) || j.streams.has(to) || j.sockets.has(to) {
			return true
		}
	}
	return false
}

// useful tells how many open requests are of use, and how long a new one waits, by
// Little's law.
func (j *judge) useful(q *pending.Queue) {
	if j.o.Capacity == nil || *j.o.Capacity <= 0 {
		return
	}
	rate := *j.o.Capacity
	q.Throughput, q.ThroughputFrom = &rate, pending.FromCapacity
	if wait, err := queuecalc.LittleTime(float64(q.Entries), rate); err == nil {
		q.WaitOfNew = &wait
	}
	if j.o.Timeout == nil || *j.o.Timeout <= 0 {
		return
	}
	in, err := queuecalc.LittleInSystem(rate, *j.o.Timeout)
	if err != nil {
		return
	}
	positions := max(int64(in), 1)
	dead := max(q.Entries-positions, 0)
	q.UsefulPositions, q.Dead = &positions, &dead
	q.Setting.Value = fmt.Sprint(positions)
	q.Setting.Note = "capacity × timeout: what is open beyond it is answered too late"
}

// payload is the classes of entries, the most frequent first.
func payload(classes map[string]int64, entries int64, means map[string]string) []pending.PayloadShare {
	out := make([]pending.PayloadShare, 0, len(classes))
	for class, n := range classes {
		out = append(out, pending.PayloadShare{Class: class, Count: n, Share: float64(n) / float64(max(entries, 1)), Means: means[class]})
	}
	slices.SortFunc(out, func(a, b pending.PayloadShare) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Class, b.Class))
	})
	return out[:min(len(out), 10)]
}

// findOutgoing adds the requests of this process that wait for a connection.
func (j *judge) findOutgoing() {
	waiting, ids := int64(0), []uint32(nil)
	for n := range j.s.Nodes() {
		if j.s.Kind(n) == v8.Object && j.s.Class(n) == clientRequest && !j.outgoing.has(n) && !j.protos.has(n) {
			waiting++
			ids = append(ids, j.s.ID(n))
		}
	}
	if waiting < j.o.MinEntries {
		return
	}
	j.res.Queues = append(j.res.Queues, pending.Queue{
		Name: outgoingName, Server: "node", Owner: "Agent", OwnerField: "requests", Class: clientRequest, Kind: pending.KindArray, Role: pending.RoleWaiters, IDs: ids,
		Entries: waiting, Instances: 1, Unbounded: true, Confidence: pending.ConfidenceHigh,
		Payload: []pending.PayloadShare{{Class: clientRequest, Count: waiting, Share: 1, Means: fmt.Sprintf("%d others have a connection", j.outgoing.n)}},
	})
}

// findLoop adds what waits for the event loop.
func (j *judge) findLoop() {
	ticks := int64(0)
	for _, slots := range j.ticks {
		ticks += slots
	}
	add := func(name, class, role string, n int64) {
		if n >= j.o.MinEntries {
			j.res.Queues = append(j.res.Queues, pending.Queue{Name: name, Server: "node", Class: class, Kind: pending.KindLinked, Role: role, Entries: n,
				Instances: 1, Unbounded: true, Confidence: pending.ConfidenceHigh, Payload: []pending.PayloadShare{{Class: class, Count: n, Share: 1}}})
		}
	}
	add(ticksName, "TickObject", pending.RoleTasks, ticks)
	add(immediates, "Immediate", pending.RoleTasks, j.counts["Immediate"])
	add(timersName, "Timeout", pending.RoleTimers, j.counts["Timeout"])
}

// findArrays adds the arrays and maps with many entries: queues where they hold open
// requests, else what the heap may be full of.
func (j *judge) findArrays() {
	for _, b := range j.holders {
		owner, field := b.holder(j.s)
		if b.holding >= j.o.MinEntries && !ownMap(j.s, b) {
			kind := map[string]string{arrayKind: pending.KindArray, mapKind: pending.KindMap, setKind: pending.KindMap}[b.kind]
			j.res.Queues = append(j.res.Queues, pending.Queue{Name: b.called(j.s), Owner: owner, OwnerField: field, Class: j.s.Class(b.node), Kind: kind,
				Role: pending.RoleRequests, Entries: b.entries, Instances: 1, Unbounded: true, Payload: payload(b.payload, b.entries, nil),
				Confidence: pending.ConfidenceMedium, Address: j.address(b.node)})
			continue
		}
		if len(j.res.Arrays) < j.o.Rows && !j.isTicks(b.node) {
			if field != "" {
				owner += "." + field
			}
			j.res.Arrays = append(j.res.Arrays, pending.ArrayRow{Class: j.s.Class(b.node), Address: j.address(b.node), Length: b.entries, Bytes: j.bytesOf(b), Owner: owner})
		}
	}
}

// address is the identifier of an object as Chrome's DevTools show it.
func (j *judge) address(n node) string { return address(j.s, n) }

func address(s *v8.Snapshot, n node) string { return fmt.Sprintf("@%d", s.ID(n)) }

// bytesOf is what a container takes, with the array or table below it.
func (j *judge) bytesOf(b *container) int64 { return j.s.Size(b.node) + b.below }

func (j *judge) isTicks(n node) bool {
	_, ok := j.ticks[n]
	return ok
}
