package graph

// SetHubMin sets how many instances make a class object a hub.
func (c *Collector) SetHubMin(n int64) { c.hubMin = n }

// FoldDistance and UnfoldDistance are how distances are written.
func FoldDistance(d uint64) uint64   { return fold(d) }
func UnfoldDistance(v uint64) uint64 { return unfold(v) }
