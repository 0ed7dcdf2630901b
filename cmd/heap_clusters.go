package cmd

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

const (
	// clustersInText and clustersOnPage are how many clusters of classes with equal
	// counts are shown, clusterClasses how many classes of each.
	clustersInText = 2
	clustersOnPage = 8
	clusterClasses = 8
)

// clusterBlocks are what one request costs, split by class: that of the queue which
// the verdict names first, then the other requests, then what else comes in equal
// numbers.
func (v heapView) clusterBlocks(res *pending.Result) []report.Block {
	most := clustersInText
	if v.page {
		most = clustersOnPage
	}
	ranks := make(map[int]int, len(res.Clusters))
	order := make([]int, len(res.Clusters))
	for i, c := range res.Clusters {
		order[i], ranks[i] = i, 2
		if c.Request {
			ranks[i] = 1
		}
	}
	if q := queuesByRank(res); res.Verdict.Queue != nil && len(q) > 0 && q[0].Cluster != nil {
		ranks[*q[0].Cluster] = 0
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })
	var blocks []report.Block
	for i, at := range order[:min(len(order), most)] {
		if i > 0 && !v.page && ranks[at] == 2 {
			break
		}
		blocks = append(blocks, v.clusterTable(res.Clusters[at]))
	}
	return blocks
}

func (v heapView) clusterTable(c pending.Cluster) report.Block {
	what := "Classes in equal numbers: " + v.class(c.Name)
	if c.Request {
		what = "One request and its cost: " + v.class(c.Name)
	}
	caption := fmt.Sprintf("%s, %s of %s, together %s", what, units.Count(c.Count), units.Size(int64(c.BytesEach)), units.Size(c.Bytes))
	if c.HeapShare != nil {
		caption += ", " + units.Share(*c.HeapShare) + " of the heap"
	}
	t := report.Table{Caption: caption, Columns: []report.Column{
		{Title: "class"}, {Title: "count", Align: report.Right}, {Title: "in one", Align: report.Right},
		{Title: "bytes in one", Align: report.Right}, {Title: "share", Align: report.Right},
	}}
	most := v.rows(clusterClasses)
	for i, k := range c.Classes {
		if i == most {
			rest := int64(0)
			for _, more := range c.Classes[i:] {
				rest += more.Bytes
			}
			t.Rows = append(t.Rows, clusterRow(units.Count(len(c.Classes)-i)+" more", "", "", rest, c))
			break
		}
		t.Rows = append(t.Rows, clusterRow(v.class(k.Class), units.Count(k.Count), units.Number(k.Each), k.Bytes, c))
	}
	return t
}

func clusterRow(name, count, each string, bytes int64, c pending.Cluster) []report.Cell {
	in, share := dash, dash
	if c.Count > 0 {
		in = units.Size(int64(float64(bytes)/float64(c.Count) + 0.5))
	}
	if c.Bytes > 0 {
		share = units.Share(float64(bytes) / float64(c.Bytes))
	}
	return report.Row(name, count, each, in, share)
}
