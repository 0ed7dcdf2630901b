package histoonly

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/workers"
	"example.com/kneeline/internal/units"
)

// findWaiting finds classes whose objects are only there while something waits.
func (j *judge) findWaiting() {
	for i := range waitingRows {
		row := &waitingRows[i]
		count, bytes, class := int64(0), int64(0), ""
		for name, c := range j.counts {
			if !row.is(name) {
				continue
			}
			if c.Instances > j.counts[class].Instances || class == "" || c.Instances == j.counts[class].Instances && name < class {
				class = name
			}
			count, bytes = count+c.Instances, bytes+c.Bytes
		}
		entries := count
		if row.running {
			entries -= j.running(class)
		}
		if entries < j.o.MinEntries || count <= row.kept {
			continue
		}
		q := j.queue(row.queue, row.role, class, entries)
		q.Server, q.Payload[0].Means, q.Pattern = row.server, row.means, row.class
		q.Confidence = pending.ConfidenceMedium
		if row.setting != "" {
			q.Setting = &pending.Setting{Name: row.setting, Source: row.source}
		}
		e := evidence{Queue: q, class: class}
		e.why = append(e.why, fmt.Sprintf("%s objects of %s: %s; they are only there while something waits", units.Count(count), class, row.means))
		e.size(bytes/max(count, 1), j)
		j.drained(&e, row.server)
		j.rows = append(j.rows, e)
	}
}

// running counts the threads that are in a method of a class.
func (j *judge) running(class string) int64 {
	n := int64(0)
	if j.threads == nil {
		return 0
	}
	for _, p := range append(slices.Clone(j.threads.Pools), j.threads.Others) {
		for _, g := range p.Groups {
			if slices.ContainsFunc(g.Stack, func(frame string) bool { return classOf(frame) == class }) {
				n += g.Count
			}
		}
	}
	return n
}

// classOf is the class of a frame as [workers.Group] writes it.
func classOf(frame string) string {
	call, _, _ := strings.Cut(frame, "(")
	if dot := strings.LastIndexByte(call, '.'); dot > 0 {
		return call[:dot]
	}
	return ""
}

// taskMethods are those that a pool calls of a task.
var taskMethods = map[string]bool{"run": true, "call": true, "exec": true, "compute": true}

// taskOf is the class of the task that a stack is in: the outermost call of a method
// that pools call, whose class is counted.
func (j *judge) taskOf(g *workers.Group) string {
	for _, frame := range slices.Backward(g.Stack) {
		call, _, _ := strings.Cut(frame, "(")
		class := classOf(frame)
		if class == "" || !taskMethods[call[len(class)+1:]] || machinery(class) {
			continue
		}
		if j.counts[class].Instances > 0 {
			return class
		}
	}
	return ""
}

// machinery says whether a class runs tasks and is none of an application.
func machinery(class string) bool {
	for _, begin := range []string{"java.", "jdk.", "sun.", "javax.", "jakarta.", "io.netty.", "org.jboss.threads.", "org.eclipse.jetty.", "org.apache.tomcat.", "org.apache.catalina.", "org.apache.coyote.", "reactor.", "kotlinx."} {
		if strings.HasPrefix(class, begin) {
			return true
		}
	}
	return false
}

// moreThanInHand is how many times as many tasks as there are workers with one there
// must be for the others to wait: pools are seldom that uneven by chance.
const moreThanInHand = 10

// findTasks finds pools whose workers are all busy with tasks of one class of which
// there are many more.
func (j *judge) findTasks() {
	if j.threads == nil {
		return
	}
	for i := range j.threads.Pools {
		p := &j.threads.Pools[i]
		if !saturated(p) {
			continue
		}
		busy := map[string]int64{}
		for g := range p.Groups {
			if class := j.taskOf(&p.Groups[g]); class != "" && !p.Groups[g].Own {
				busy[class] += p.Groups[g].Count
			}
		}
		for class, n := range busy {
			c := j.counts[class]
			entries := c.Instances - j.running(class)
			if entries < j.o.MinEntries || c.Instances < moreThanInHand*n {
				continue
			}
			q := j.queue("queue of "+p.Name, pending.RoleTasks, class, entries)
			q.Pool, q.Confidence = &i, pending.ConfidenceMedium
			e := evidence{Queue: q, class: class}
			e.why = append(e.why, fmt.Sprintf("all %s workers of %s are busy, %s of them in a %s, of which there are %s", units.Count(p.Total), p.Name, units.Count(n), class, units.Count(c.Instances)))
			if node, ok := j.nodes(entries); ok {
				e.Confidence = pending.ConfidenceHigh
				e.why = append(e.why, fmt.Sprintf("as many objects of %s hold one entry of a queue each", node))
			}
			e.size(c.Bytes/max(c.Instances, 1), j)
			j.rows = append(j.rows, e)
		}
	}
}

// saturated says whether a pool has workers, and none of them is idle.
func saturated(p *workers.Pool) bool { return p.Busy > p.Own && p.Idle == 0 && p.NoStack == 0 }

// nodes finds a class of nodes with about as many objects as entries.
func (j *judge) nodes(entries int64) (string, bool) {
	for _, class := range nodeClasses {
		if d := j.counts[class].Instances - entries; max(d, -d) <= 2+entries/50 {
			return class, true
		}
	}
	return "", false
}

// findCallers finds threads that wait for something that is short.
func (j *judge) findCallers() {
	if j.threads == nil {
		return
	}
	counts := map[string]int64{}
	pools := map[string]int{}
	for i, p := range append(slices.Clone(j.threads.Pools), j.threads.Others) {
		for _, g := range p.Groups {
			switch g.State {
			case workers.DatabasePool, workers.ClientPool, workers.ObjectPool, workers.Permit, workers.Lock:
				if _, ok := counts[g.WaitsFor]; !ok {
					pools[g.WaitsFor] = i
				}
				counts[g.WaitsFor] += g.Count
			}
		}
	}
	for what, n := range counts {
		if n < j.o.MinEntries {
			continue
		}
		q := j.queue("line for "+what, pending.RoleWaiters, "java.lang.Thread", n)
		q.Payload[0].Means, q.Confidence = "thread that waits", pending.ConfidenceHigh
		if i := pools[what]; i < len(j.threads.Pools) {
			q.Pool = &i
		}
		j.rows = append(j.rows, evidence{Queue: q, why: []string{fmt.Sprintf("%s threads wait for %s", units.Count(n), what)}})
	}
}

// drained looks at the pool that should serve what waits at a server.
func (j *judge) drained(e *evidence, server string) {
	if j.threads == nil {
		return
	}
	kinds := map[string]string{"jetty": "Jetty QueuedThreadPool", "tomcat": "Tomcat executor"}
	for i := range j.threads.Pools {
		p := &j.threads.Pools[i]
		if p.Kind == "" || p.Kind != kinds[server] {
			continue
		}
		e.Pool = &i
		if saturated(p) {
			e.Confidence = pending.ConfidenceHigh
			e.why = append(e.why, fmt.Sprintf("all %s threads of %s are busy", units.Count(p.Total), p.Name))
		} else {
			e.why = append(e.why, fmt.Sprintf("%s of %s threads of %s are busy", units.Count(p.Busy), units.Count(p.Total), p.Name))
		}
		if n := j.counts["org.eclipse.jetty.server.HttpConnection"].Instances - p.Busy + p.Own; server == "jetty" && e.class != "org.eclipse.jetty.server.AsyncContextState" && n > 0 {
			e.why = append(e.why, fmt.Sprintf("%s more connections are registered; those of them that have sent a request wait as well", units.Count(n)))
		}
		return
	}
}

// queue makes what is known of a queue by counts.
func (j *judge) queue(name, role, class string, entries int64) pending.Queue {
	return pending.Queue{
		Name: name, Class: class, Kind: pending.KindCount, Role: role, Entries: entries, Instances: 1,
		Payload: []pending.PayloadShare{{Class: class, Count: entries, Share: 1}}, Requests: true,
	}
}

// connectionClass is what every open connection of a server on NIO has one of.
const connectionClass = "sun.nio.ch.SocketChannelImpl"

// size sets the bytes of what waits: of its cluster where it has one, of the cluster
// of open connections for requests that are not yet read, else of the objects alone.
func (e *evidence) size(own int64, j *judge) {
	each, counted := float64(own), "the objects themselves"
	if i, ok := j.clusterOf(e.class, e.Entries, 0.1); ok && len(j.res.Clusters[i].Classes) > 1 {
		e.Cluster = &i
		each, counted = j.res.Clusters[i].BytesEach, "the classes that come in equal numbers"
	} else if i, ok := j.clusterOf(connectionClass, e.Entries, 1); ok && e.Role == pending.RoleRequests {
		e.Cluster = &i
		each, counted = each+j.res.Clusters[i].BytesEach, "the objects themselves with what an open connection holds"
	}
	e.setBytes(each, counted, j)
	if most := each + float64(j.loose(e.Cluster))/float64(e.Entries); most > noteworthy*each {
		e.why = append(e.why, fmt.Sprintf("up to about %s each with arrays and strings, whose owners a histogram does not tell", units.Size(int64(most+0.5))))
	}
}

// noteworthy is how many times as much arrays and texts can add for it to be said.
const noteworthy = 1.1

// loose sums up the bytes of arrays and texts that are in no cluster of requests.
func (j *judge) loose(cluster *int) int64 {
	in := map[string]bool{}
	if cluster != nil {
		for _, c := range j.res.Clusters[*cluster].Classes {
			in[c.Class] = true
		}
	}
	sum := int64(0)
	for name, c := range j.counts {
		if (strings.HasSuffix(name, "[]") || name == "java.lang.String") && !in[name] {
			sum += min(c.Bytes, math.MaxInt64-sum)
		}
	}
	return sum
}

func (e *evidence) setBytes(each float64, counted string, j *judge) {
	total := int64(each * float64(e.Entries))
	e.BytesEach, e.Bytes, e.Counted, e.HeapShare, e.AtLeast = &each, &total, counted, ratio(total, j.res.Heap.Bytes), true
}

// clusterOf finds the cluster that has a class, if its count is that of the entries
// but for a share.
func (j *judge) clusterOf(class string, entries int64, share float64) (int, bool) {
	for i, c := range j.res.Clusters {
		if !slices.ContainsFunc(c.Classes, func(m pending.ClusterClass) bool { return m.Class == class }) {
			continue
		}
		d := c.Count - entries
		return i, float64(max(d, -d)) <= 2+share*float64(entries)
	}
	return 0, false
}
