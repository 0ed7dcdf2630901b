package goproc

import (
	"maps"
	"slices"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/goroutines"
)

// ageOf is how long the goroutines at a place wait, from the text of all
// goroutines; nil where that is not there or none waits for a minute.
func (a *analysis) ageOf(p *place) *pending.Age {
	waits := a.waitsAt(p)
	var known int64
	for _, w := range waits {
		known += w.Count
	}
	if known == 0 || waits[len(waits)-1].Minutes == 0 {
		return nil
	}
	seconds := func(minutes int64) float64 { return float64(60 * minutes) }
	age := &pending.Age{
		Head: seconds(waits[len(waits)-1].Minutes), Tail: seconds(waits[0].Minutes),
		Source: "the text of all goroutines, in whole minutes", Clock: pending.ClockMinutes,
		Known: min(1, float64(known)/float64(max(p.count, 1))),
	}
	age.Oldest = age.Head
	var sum int64
	for i := len(waits) - 1; i >= 0; i-- {
		if sum += waits[i].Count; 2*sum >= known {
			age.Median = seconds(waits[i].Minutes)
			break
		}
	}
	return age
}

type textKey struct {
	frame goroutines.Frame
	state string
}

// textWaits are the waits in the text of all goroutines, by place and state,
// ascending.
func (a *analysis) textWaits() map[textKey][]goroutines.Wait {
	if a.ages != nil || a.texts == nil {
		return a.ages
	}
	counts := map[textKey]map[int64]int64{}
	for _, s := range a.m.seats(a.texts) {
		k := textKey{s.placeFrame(), s.stack.State}
		if counts[k] == nil {
			counts[k] = map[int64]int64{}
		}
		for _, w := range s.stack.Waits {
			counts[k][w.Minutes] += w.Count
		}
	}
	a.ages = map[textKey][]goroutines.Wait{}
	for k, byMinute := range counts {
		a.ages[k] = sortedWaits(byMinute)
	}
	return a.ages
}

func sortedWaits(byMinute map[int64]int64) []goroutines.Wait {
	out := make([]goroutines.Wait, 0, len(byMinute))
	for _, m := range slices.Sorted(maps.Keys(byMinute)) {
		out = append(out, goroutines.Wait{Minutes: m, Count: byMinute[m]})
	}
	return out
}

// waitsAt are the waits in the text at a place. Where the profile does not tell the
// states, those of all states.
func (a *analysis) waitsAt(p *place) []goroutines.Wait {
	told := a.textWaits()
	byMinute := map[int64]int64{}
	add := func(waits []goroutines.Wait) {
		for _, w := range waits {
			byMinute[w.Minutes] += w.Count
		}
	}
	seen := map[textKey]bool{}
	for _, s := range p.seats {
		k := textKey{s.placeFrame(), s.stack.State}
		if seen[k] {
			continue
		}
		seen[k] = true
		add(told[k])
		if !a.hidden || told[k] != nil {
			continue
		}
		for other, waits := range told {
			if other.frame == k.frame {
				add(waits)
			}
		}
	}
	return sortedWaits(byMinute)
}
