package gc

import (
	"fmt"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// failures finds collections that did not do what the collector is for.
func (f *finder) failures() {
	s := &f.a.signs
	if g := &s[signConcurrentMode]; g.count > 0 {
		f.seen(concurrentModeRule, concurrentModeRule.Severity, g,
			fmt.Sprintf("%s stopped the program for up to %s", many(g.count, "concurrent mode failure"), long(g.longest)),
			f.concurrentModeFix(),
			"the concurrent collection was too late %s, and the program was stopped for up to %s", times(g.count), long(g.longest))
	}
	if g := &s[signPromotionFailed]; g.count > 0 {
		severity := promotionFailedRule.Severity
		if g.longest >= longWait {
			severity = finding.Error
		}
		f.seen(promotionFailedRule, severity, g, fmt.Sprintf("survivors found no room in the old generation %s", times(g.count)),
			f.heapFlag(0)+", or set a smaller -Xmn", "promotion failed %s, in pauses of up to %s", times(g.count), long(g.longest))
	}
	f.evacuation()
	if g := &s[signStall]; g.count > 0 {
		severity := stallRule.Severity
		if g.longest >= patience || f.violated(Stalls) {
			severity = finding.Error
		}
		f.seen(stallRule, severity, g, fmt.Sprintf("threads waited for memory %s, up to %s", times(g.count), long(g.longest)),
			f.stallFix(), "threads had to wait for memory %s, up to %s", times(g.count), long(g.longest))
	}
	f.degenerated()
	f.storm()
}

// patience is the timeout of a client where none is given: 400 ms.
const patience = int64(400e6)

func (f *finder) violated(s Series) bool {
	for _, v := range f.log.Violations {
		if v.Series == s.String() {
			return true
		}
	}
	return false
}

const (
	evacuationTimes = 5
	evacuationShare = 0.05
)

func (f *finder) evacuation() {
	g := &f.a.signs[signEvacuation]
	if g.count == 0 {
		return
	}
	severity := evacuationRule.Severity
	if g.count >= evacuationTimes && float64(g.count) >= evacuationShare*float64(f.log.Pauses.Stops) || g.longest >= longWait {
		severity = finding.Error
	}
	f.seen(evacuationRule, severity, g, fmt.Sprintf("no free region was left in %s", many(g.count, "pause")),
		f.evacuationFix(),
		"no free region was left in %s of %s, of up to %s", units.Count(g.count), many(f.log.Pauses.Stops, "pause"), long(g.longest))
}

const degeneratedTimes = 3

func (f *finder) degenerated() {
	g, p := &f.a.signs[signDegenerated], &f.a.signs[signPercolated]
	word := "degenerated"
	if g.count == 0 {
		g, word = p, "percolated"
	}
	if g.count < degeneratedTimes && g.longest < patience {
		return
	}
	fix := f.degeneratedFix()
	if word == "percolated" {
		fix = "raise -Xmx or the nursery (-Xmn)"
	}
	f.seen(degeneratedRule, degeneratedRule.Severity, g, fmt.Sprintf("%s had to be finished in pauses", many(g.count, word+" collection")),
		fix, "%s, of up to %s", many(g.count, word+" collection"), long(g.longest))
}

const (
	stormShare  = 0.05
	stormSevere = 0.25
)

func (f *finder) storm() {
	w := f.a.storm.worst
	if w.fulls < stormOf || w.share() < stormShare {
		return
	}
	severity := stormRule.Severity
	if w.share() >= stormSevere {
		severity = finding.Error
	}
	whole := w.last.at + w.last.dur - w.first.at
	f.add(stormRule, severity, w.first, w.last,
		fmt.Sprintf("%s full collections followed each other within %s", units.Count(w.fulls), long(whole)),
		f.heapFlag(f.advised()),
		[]finding.Evidence{
			{Name: "full collections", Value: units.Count(w.fulls)},
			{Name: "their time", Value: fmt.Sprintf("%s of %s (%s)", long(w.ns), long(whole), percent(w.share()))},
			{Name: "storms", Value: units.Count(f.a.storm.spells)},
		},
		"%s full collections took %s of %s", units.Count(w.fulls), long(w.ns), long(whole))
}
