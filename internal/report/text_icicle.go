package report

import (
	"strings"

	"example.com/kneeline/internal/term"
	"example.com/kneeline/internal/units"
)

// icicleBar is how many columns the whole takes.
const icicleBar = 10

// leastLabel is how narrow the names of an icicle may get; below, bars go first.
const leastLabel = 24

// icicle draws the largest nodes: share, size, a bar, and the name behind its level.
func (t *text) icicle(b Icicle) {
	t.caption(b.Title)
	rows := b.list()
	if len(rows) == 0 {
		t.prose("", "no data to plot", 0, t.styles.Faint)
		return
	}
	shares, sizes := make([]string, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		shares[i] = percent(r.node.share(b.Root.Value))
		sizes[i] = t.clean(b.Value.format(r.node.Value))
	}
	left, mid := widest(shares), widest(sizes)
	room := t.room() - left - mid - 4
	if room < leastLabel {
		t.table(b.table())
		return
	}
	cols := icicleBar
	if room-cols-2 < leastLabel {
		cols = 0
	}
	for i, r := range rows {
		line := padLeft(shares[i], left) + "  " + padLeft(sizes[i], mid) + "  "
		if cols > 0 {
			line += t.bar(r.node.share(b.Root.Value), cols, -1, t.level(r.node.Level)) + " "
		}
		indent := min(r.depth, max(room-cols-leastLabel, 0))
		name := t.cut(t.clean(r.label("")), t.room()-term.Width(line)-indent)
		t.line(line + strings.Repeat(" ", indent) + t.level(r.node.Level).Render(name))
	}
}

// percent writes a share with the digits that a size has.
func percent(share float64) string { return units.Share(share) }
