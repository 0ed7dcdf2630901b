package pending

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

func (c *clusterer) build(m members, named []string) Cluster {
	rows := slices.Clone(m.rows)
	slices.SortFunc(rows, func(a, b classCount) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.name, b.name))
	})
	cl := Cluster{Count: int64(m.n), Bytes: totalBytes(rows), Classes: []ClusterClass{}}
	cl.BytesEach = float64(cl.Bytes) / m.n
	cl.HeapShare = share(cl.Bytes, c.total)
	for _, r := range rows {
		cl.Classes = append(cl.Classes, ClusterClass{
			Class: r.name, Count: r.count, Bytes: r.bytes, Each: math.Round(100*float64(r.count)/m.n) / 100,
		})
		cl.Request = cl.Request || c.isRequest[r.name]
	}
	cl.Name = c.nameOf(rows, named)
	return cl
}

// nameOf returns the class that says best what a cluster is: a request, the
// entry of the queue, the largest class of the application.
func (c *clusterer) nameOf(rows []classCount, named []string) string {
	for _, r := range rows {
		if c.isRequest[r.name] {
			return r.name
		}
	}
	if len(named) > 0 {
		return named[0]
	}
	for _, r := range rows {
		if family(r.name) != "" {
			return r.name
		}
	}
	return rows[0].name
}

// judge says how sure a cluster is, and why.
func (c *clusterer) judge(e equals, alone bool, supported int, a anchor) (string, string) {
	switch {
	case alone && supported > len(a.classes):
		return ConfidenceHigh, e.sentence() + ", and references or packages tie some of them"
	case alone:
		return ConfidenceMedium, e.sentence()
	case supported > len(a.classes):
		return ConfidenceMedium, "references or packages tie classes with equal counts"
	}
	return ConfidenceLow, "no other class has as many objects for a known reason"
}

func (e equals) sentence() string {
	return fmt.Sprintf("%d classes have equal counts, %.2g would by chance", len(e.classes), e.expected)
}
