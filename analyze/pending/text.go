package pending

import (
	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/analyze/pending/workers"
	"example.com/kneeline/internal/finding"
)

// TextClusters finds the classes of a histogram that are there in equal numbers,
// where there is no heap with the objects themselves: around the classes that stand
// for a request each, and whatever else stands out.
func TextClusters(rows []ClassRow, t *pattern.Table, requests ...string) []Cluster {
	counts := make([]classCount, 0, len(rows))
	c := map[string]int64{}
	for _, r := range rows {
		counts = append(counts, classCount{r.Class, r.Count, r.Bytes})
		c[r.Class] += r.Count
	}
	var anchors []anchor
	for _, class := range requests {
		anchors = append(anchors, anchor{count: c[class], classes: []string{class}, request: true})
	}
	clusters, _ := newTextClusterer(counts, t).clusters(anchors)
	return clusters
}

// Evidence is what a finding about a queue rests on.
func (q *Queue) Evidence() []finding.Evidence { return queueEvidence(q) }

// PoolsOf turns what threads do into what a result shows: the pools, and the busy
// threads of all of them by what they wait for.
func PoolsOf(o *workers.Overview) ([]Pool, []Group) {
	pools, groups := []Pool{}, []Group{}
	for i := range o.Pools {
		pools = append(pools, poolOf(&o.Pools[i]))
	}
	for _, p := range append(append([]workers.Pool{}, o.Pools...), o.Others) {
		for j := range p.Groups {
			groups = append(groups, groupOf(&p.Groups[j], o.Threads))
		}
	}
	sortGroups(groups)
	return pools, groups
}
