package pending

import (
	"slices"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// maxClusters is how many clusters are named.
const maxClusters = 10

// anchor is a count around which a cluster is looked for, and the classes that
// are known to be of it.
type anchor struct {
	// count is the number of the things: the entries of a queue, or the objects of a
	// class.
	count int64
	// classes have that count, or share it between them, as the entries of a queue
	// of several classes do.
	classes []string
	// request is true when each is a request or stands for one.
	request bool
}

// clusterer finds what is there in equal numbers.
type clusterer struct {
	census census
	// lengths are the arrays by class and length, lengthOf the class of each.
	lengths  census
	lengthOf map[string]string
	byName   map[string]classCount
	kin      *kinship
	table    *pattern.Table
	total    int64
	// isRequest caches what names say.
	isRequest map[string]bool
}

// newClusterer reads a heap.
func newClusterer(h *heapdump.Heap, table *pattern.Table) *clusterer {
	byName := make(map[string]classCount)
	lines := make(map[string][]string)
	for _, c := range h.Classes {
		if c.Instances == 0 || c.Name == "java.lang.Class" {
			continue
		}
		r := byName[display(c)]
		r.name, r.count, r.bytes = display(c), r.count+c.Instances, r.bytes+c.Bytes
		byName[r.name] = r
		if lines[r.name] == nil {
			lines[r.name] = line(h, c.Index)
		}
	}
	c := &clusterer{byName: byName, kin: newKinship(h), table: table, total: h.Bytes, isRequest: make(map[string]bool)}
	c.lengths, c.lengthOf = lengthsOf(h)
	c.fill(lines)
	return c
}

// newTextClusterer reads a histogram without objects: names and counts alone.
func newTextClusterer(rows []classCount, table *pattern.Table) *clusterer {
	c := &clusterer{byName: make(map[string]classCount), kin: newKinship(nil), table: table, isRequest: make(map[string]bool)}
	lines := make(map[string][]string)
	for _, r := range rows {
		old := c.byName[r.name]
		c.byName[r.name] = classCount{r.name, old.count + r.count, old.bytes + r.bytes}
		lines[r.name] = []string{r.name}
		c.total += r.bytes
	}
	c.fill(lines)
	return c
}

func (c *clusterer) fill(lines map[string][]string) {
	rows := make([]classCount, 0, len(c.byName))
	for name, r := range c.byName {
		rows = append(rows, r)
		if r.count >= minCluster {
			c.isRequest[name] = c.requestClass(lines[name])
		}
	}
	c.census = newCensus(rows)
}

// requestWords are names of a request as a whole. What stands for work in
// general, such as a task, is none.
var requestWords = wordSet("request exchange")

func (c *clusterer) requestClass(names []string) bool {
	if len(names) == 0 || ofJDK(names[0]) {
		return false
	}
	if c.table != nil {
		if item := c.table.Item(names); item != nil {
			return item.Request
		}
	}
	return hasWord(names[0], requestWords)
}

// clusters returns what is there in equal numbers: around the anchors, in their
// order, and then whatever else stands out. The index of an anchor's cluster is
// in the second result, -1 where it has none.
func (c *clusterer) clusters(anchors []anchor) ([]Cluster, []int) {
	out, at := []Cluster{}, make([]int, len(anchors))
	taken := make(map[string]bool)
	for i, a := range anchors {
		at[i] = -1
		if j := slices.IndexFunc(anchors[:i], func(b anchor) bool { return sameAnchor(a, b) }); j >= 0 {
			at[i] = at[j]
			continue
		}
		if cl, ok := c.anchored(a); ok && len(out) < maxClusters {
			at[i] = len(out)
			out = append(out, cl)
			c.take(taken, cl)
		}
	}
	for _, a := range c.requestAnchors(taken) {
		if cl, ok := c.anchored(a); ok && len(out) < maxClusters && !taken[cl.Name] {
			out = append(out, cl)
			c.take(taken, cl)
		}
	}
	for _, e := range c.census.swept() {
		if len(out) >= maxClusters || slices.ContainsFunc(e.classes, func(r classCount) bool { return taken[r.name] }) {
			continue
		}
		out = append(out, c.standsOut(e))
	}
	return out, at
}

func sameAnchor(a, b anchor) bool {
	return a.count == b.count && slices.Equal(a.classes, b.classes)
}

func (c *clusterer) take(taken map[string]bool, cl Cluster) {
	for _, m := range cl.Classes {
		taken[m.Class] = true
	}
}

// requestAnchors are the classes that are requests by the table or by name and in
// no cluster yet, the most frequent first.
func (c *clusterer) requestAnchors(taken map[string]bool) []anchor {
	var out []anchor
	for _, r := range slices.Backward(c.census) {
		if c.isRequest[r.name] && !taken[r.name] {
			out = append(out, anchor{count: r.count, classes: []string{r.name}, request: true})
		}
	}
	return out
}

// anchored finds the cluster around a count: the classes that are known to be of
// it, those that references or packages tie to them, and, where there are far
// more equal counts than by chance, all that are equal.
func (c *clusterer) anchored(a anchor) (Cluster, bool) {
	if a.count < minCluster {
		return Cluster{}, false
	}
	n := float64(a.count)
	e := c.census.around(n, clusterWidth)
	alone := e.byCountsAlone(n, anchoredChance)
	set := make(map[string]bool)
	for _, r := range e.classes {
		set[r.name] = true
	}
	for _, name := range a.classes {
		set[name] = true
	}
	supported := c.supported(a, set)
	m := members{n: n}
	for _, name := range a.classes {
		if r, ok := c.byName[name]; ok && float64(r.count) <= n*(1+clusterWidth) {
			m.add(r)
		}
	}
	for _, r := range e.classes {
		if alone || supported[r.name] {
			m.add(r)
		}
	}
	if alone || len(m.rows) > 1 {
		c.multiples(&m, a, n)
	}
	if len(m.rows) == 0 {
		return Cluster{}, false
	}
	c.buffers(&m)
	cl := c.build(m, a.classes)
	cl.Request = cl.Request || a.request
	cl.Confidence, cl.Why = c.judge(e, alone, len(supported), a)
	return cl, true
}

// supported returns the classes of a set that belong to an anchor by references
// or by their packages.
func (c *clusterer) supported(a anchor, set map[string]bool) map[string]bool {
	out := c.kin.from(a.classes, set)
	families := make(map[string]bool)
	for _, name := range a.classes {
		if f := family(name); f != "" {
			families[f] = true
		}
	}
	for name := range set {
		if f := family(name); families[f] && f != "" || a.request && connectionKin(name) {
			out[name] = true
		}
	}
	// What is reached by packages leads on by references.
	more := make([]string, 0, len(out))
	for name := range out {
		more = append(more, name)
	}
	for name := range c.kin.from(more, set) {
		out[name] = true
	}
	return out
}

// multiples adds classes of which one request has two and more: by references,
// or where as many equal counts are no coincidence.
func (c *clusterer) multiples(m *members, a anchor, n float64) {
	for k := 2.0; k <= maxMultiple; k++ {
		e := c.census.around(k*n, multipleWidth)
		alone := e.byCountsAlone(n, anchoredChance)
		for _, r := range e.classes {
			if alone || a.request && n >= minByChance && connectionKin(r.name) {
				m.add(r)
			}
		}
		// Some requests have more of them than others; where so many counts are
		// nearly equal, that is no chance either.
		if e := c.census.around(k*n, clusterWidth); e.byCountsAlone(n, anchoredChance) {
			for _, r := range e.classes {
				m.add(r)
			}
		}
	}
}

// members are the classes of a cluster.
type members struct {
	n    float64
	rows []classCount
}

func (m *members) add(r classCount) {
	if !slices.ContainsFunc(m.rows, func(x classCount) bool { return x.name == r.name }) {
		m.rows = append(m.rows, r)
	}
}

// standsOut makes a cluster of classes that nothing but their counts points at.
func (c *clusterer) standsOut(e equals) Cluster {
	counts := make([]int64, len(e.classes))
	for i, r := range e.classes {
		counts[i] = r.count
	}
	slices.Sort(counts)
	cl := c.build(members{n: float64(counts[len(counts)/2]), rows: e.classes}, nil)
	cl.Confidence, cl.Why = ConfidenceLow, e.sentence()
	return cl
}
