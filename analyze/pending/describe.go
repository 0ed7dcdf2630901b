package pending

import (
	"cmp"
	"slices"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/internal/units"
)

// standing is what a queue stands for, beyond what the result shows of it.
type standing struct {
	// garbage is true when no root reaches most of its entries.
	garbage bool
	// requests and internal are the shares of entries that the table knows as
	// requests, and as the server's own work.
	requests, internal float64
	// collection is true for a class that holds anything, not only work.
	collection bool
	// evidence is what says that work piles up in it, as sentences.
	evidence []string
}

// maxPayload is how many classes of entries are named.
const maxPayload = 10

// describe turns what was read into what the result shows.
func (a *analysis) describe() {
	for _, f := range a.queues {
		q, s := a.describeQueue(f)
		a.res.Queues = append(a.res.Queues, q)
		a.standing = append(a.standing, s)
	}
	a.cluster()
}

// Limits of looking for what comes in equal numbers with the entries of queues.
const (
	maxAnchors = 20   // queues, the longest
	minOfQueue = 0.01 // share of the entries from which a class of them is taken
)

// cluster finds what comes in equal numbers with the entries of each queue: one
// request, and its cost.
func (a *analysis) cluster() {
	var anchors []anchor
	for i := range min(len(a.res.Queues), maxAnchors) {
		q := &a.res.Queues[i]
		at := anchor{count: q.Entries, request: q.Requests || q.Role == RoleRequests || q.Role == RoleConnections}
		for _, p := range q.Payload {
			if p.Share >= minOfQueue {
				at.classes = append(at.classes, p.Class)
			}
		}
		anchors = append(anchors, at)
	}
	clusters, index := newClusterer(a.h, a.t).clusters(anchors)
	a.res.Clusters = clusters
	for i, at := range index {
		if at < 0 {
			continue
		}
		if !slices.Contains(index[:i], at) {
			a.addShared(&clusters[at])
		}
		q := &a.res.Queues[i]
		if q.BytesEach != nil && clusters[at].BytesEach < *q.BytesEach {
			continue // the entries and their nodes are more than what comes with them
		}
		q.Cluster = &at
		q.setBytes(clusters[at].BytesEach, a.heapOf(a.queues[i]))
		q.Counted = "what is there in equal numbers with the entries: " + units.Count(int64(len(clusters[at].Classes))) + " classes"
	}
}

func (a *analysis) describeQueue(f *found) (Queue, standing) {
	q := Queue{
		Name: f.title(a.h), Class: display(f.class), Kind: f.kind, Role: RoleUnknown,
		Entries: f.n, CountField: f.count, Instances: f.instances, Capacity: f.capacity, Unbounded: f.unbounded,
		Sampled: f.sampled, Confidence: ConfidenceLow,
	}
	if f.instances == 1 {
		q.Address = hex(f.id)
	}
	if f.row != nil {
		q.Server, q.Pattern, q.Role, q.Confidence = f.row.Server, f.row.Name, f.row.Role, ConfidenceMedium
	}
	if f.shape != nil {
		q.Confidence = f.shape.confidence()
		if f.shape.requests() {
			q.Role = RoleTasks
		}
	}
	a.describeOwner(f, &q)
	if q.Capacity != nil && *q.Capacity > 0 {
		q.Fill = share(q.Entries, *q.Capacity)
	}
	var s standing
	q.Payload, s = a.payload(&f.entries)
	s.collection = f.row != nil && f.row.Collection && f.owner.row == nil
	if f.row != nil && f.row.Role == pattern.Requests && f.owner.row == nil {
		s.requests = 1 // the table says it of the queue, whatever class its entries are of
	}
	if s.requests >= 0.5 && (q.Role == RoleTasks || q.Role == RoleUnknown) {
		q.Role = RoleRequests
	}
	if q.Role == RoleRequests && s.requests < 0.5 && len(q.Payload) > 0 {
		q.Role = RoleTasks // what waits there is the application's, and may be anything
	}
	q.Requests = s.requests >= 0.5
	a.agree(f, &q)
	if q.Role == RoleTimers {
		a.size(f, &q)
		return q, s // when they were set says nothing of a wait
	}
	q.Age = agesOf(a.h, a.clock, a.t, &f.entries).age()
	if q.Age != nil && !q.Age.HeadOnly && q.Age.Head > q.Age.Tail && q.Entries > 1 {
		rate := float64(q.Entries-1) / (q.Age.Head - q.Age.Tail)
		q.ArrivalRate = &rate
	}
	if counted := int64(len(f.ids)) * max(f.step, 1); q.Age != nil && !q.Age.HeadOnly && f.cut != "" && counted < f.n {
		q.Age.Median, q.Age.Steps = (q.Age.Head+q.Age.Tail)/2, nil // those that are there are the first ones
	}
	a.size(f, &q)
	return q, s
}

// describeOwner says who holds the queue.
func (a *analysis) describeOwner(f *found, q *Queue) {
	o := f.owner
	defer func() { // when the owner's name is known
		a.linkPool(f, q)
		a.nameByThreads(f, q)
	}()
	if o.class == nil {
		return
	}
	q.Owner, q.OwnerField, q.OwnerStatic = display(o.class), o.field, o.static
	if o.row == nil {
		return
	}
	q.Server = cmp.Or(o.row.Server, q.Server)
	if q.Role != RoleTimers {
		q.Role = cmp.Or(o.row.Role, q.Role)
	}
	q.OwnerName = textAt(a.h, o.id, o.row.Named)
	q.Confidence = ConfidenceHigh
	if most := a.number(f, o.row.MaxThreads); most != nil && *most > 0 && *most < noLimit && f.instances == 1 {
		q.threads = *most
	}
	if c, ok := numberAt(a.h, o.id, o.row.Capacity); ok && f.instances == 1 && c > 0 && c < noLimit {
		q.Capacity, q.Unbounded = &c, false
	}
}

// agree holds the queue's own count against what was counted.
func (a *analysis) agree(f *found, q *Queue) {
	switch {
	case f.cut != "":
		a.warn("the entries of the %s could not all be counted: %s", q.Name, f.cut)
		q.Confidence = ConfidenceMedium
	case f.sampled, f.count == nil || *f.count == f.n:
	default:
		q.Confidence = ConfidenceMedium
	}
}

// payload tells the classes of entries.
func (a *analysis) payload(e *entries) ([]PayloadShare, standing) {
	var s standing
	out := []PayloadShare{}
	if len(e.ids) == 0 {
		return out, s
	}
	counts := map[int]int64{}
	for _, id := range e.ids {
		class, ok := a.h.ClassOf(id)
		if !ok {
			class = -1
		}
		counts[class]++
	}
	all := float64(len(e.ids))
	byName := map[string]*PayloadShare{}
	for class, n := range counts {
		part := float64(n) / all
		item := a.t.Item(line(a.h, class))
		name := display(a.h.Class(class))
		p, ok := byName[name]
		if !ok {
			p = &PayloadShare{Class: name}
			byName[name] = p
		}
		if item != nil {
			p.Means = item.Means
			if item.Request {
				s.requests += part
			}
			if item.Internal {
				s.internal += part
			}
		}
		p.Count += n
		p.Share += part
	}
	for _, p := range byName {
		if e.n != int64(len(e.ids)) {
			p.Count = int64(p.Share*float64(e.n) + 0.5)
		}
		out = append(out, *p)
	}
	slices.SortFunc(out, func(x, y PayloadShare) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Class, y.Class))
	})
	return out[:min(len(out), maxPayload)], s
}

// mainPayload is the class that most entries are of.
func (a *analysis) mainPayload(f *found) *heapdump.Class {
	c, _ := mainClass(a.h, spread(f.ids, shapeSample))
	return c
}

// size says what the entries hold, as far as one pass can tell: the entries
// themselves and the nodes they hang on.
func (a *analysis) size(f *found, q *Queue) {
	if len(f.ids) == 0 || q.Entries == 0 {
		return
	}
	var sum float64
	known := 0
	for _, id := range f.ids {
		class, ok := a.h.ClassOf(id)
		if !ok {
			continue
		}
		known++
		if c := a.h.Class(class); c.Instances > 0 {
			sum += float64(c.Bytes) / float64(c.Instances)
		}
	}
	if 2*known < len(f.ids) {
		return // most entries are in the part of the dump that is missing
	}
	each := sum / float64(known)
	q.Counted = "the entries themselves"
	if node := a.nodeBytes(f); node > 0 {
		each += node
		q.Counted = "the entries themselves and the nodes they hang on"
	}
	q.setBytes(each, a.heapOf(f))
}

// heapOf is what the bytes of a queue are a share of: 0, no share, where entries
// are counted that were not read.
func (a *analysis) heapOf(f *found) int64 {
	if f.cut != "" {
		return 0
	}
	return a.h.Bytes
}

// setBytes takes what one entry holds.
func (q *Queue) setBytes(each float64, heap int64) {
	bytes := int64(each*float64(q.Entries) + 0.5)
	q.BytesEach, q.Bytes, q.HeapShare, q.AtLeast = &each, &bytes, share(bytes, heap), true
	q.AtCapacity = nil
	if q.Capacity != nil && *q.Capacity > q.Entries {
		full := int64(each*float64(*q.Capacity) + 0.5)
		q.AtCapacity = &full
	}
}

// nodeBytes is what one node of a chain takes, 0 where the entries hang on none.
func (a *analysis) nodeBytes(f *found) float64 {
	if f.row == nil || f.row.Kind != pattern.Linked || len(f.row.Item) == 0 {
		return 0
	}
	for _, path := range f.row.First {
		first, ok := refAt(a.h, f.id, path)
		if !ok || first == 0 {
			continue
		}
		if class, ok := a.h.ClassOf(first); ok {
			if c := a.h.Class(class); c.Instances > 0 {
				return float64(c.Bytes) / float64(c.Instances)
			}
		}
	}
	return 0
}

// number reads a number of the queue's owner.
func (a *analysis) number(f *found, path string) *int64 {
	if f.owner.id == 0 || path == "" {
		return nil
	}
	n, ok := numberAt(a.h, f.owner.id, path)
	if !ok {
		return nil
	}
	return &n
}
