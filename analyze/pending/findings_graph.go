package pending

import (
	"fmt"

	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// manyLoaders is how many loaders of one class with copies of the same classes are
// from which they pile up.
const manyLoaders = 2

// judgeGraph judges what the graph tells.
func (a *analysis) judgeGraph() {
	g := a.res.Graph
	if g == nil {
		return
	}
	a.res.Findings = append(a.res.Findings, SuspectFindings(g)...)
	if locals := g.LocalBytes; locals >= leastFound && float64(locals) >= retained.DefaultSuspect*float64(g.Bytes) {
		a.foundIn(localsRule, "thread-local variables", nil,
			"thread-local variables of %s retain %s, %s of the heap", countedThreads(g.ThreadCount), units.Size(locals), units.Share(float64(locals)/float64(g.Bytes)))
	}
	for _, l := range g.Loaders {
		if l.Copies >= manyLoaders && l.Retained >= leastFound && l.Share >= retained.DefaultSuspect {
			a.foundIn(loaderRule, l.Class, nil, "%s loaders of class %s retain %s with their classes and the objects of these, %s of the heap, and up to %s of them have a copy of the same class",
				units.Count(l.Count), l.Class, units.Size(l.Retained), units.Share(l.Share), units.Count(l.Copies))
		}
	}
	for i := range g.Holders {
		a.judgeHolder(&g.Holders[i])
	}
}

func countedThreads(n int64) string {
	if n == 1 {
		return "1 thread"
	}
	return units.Count(n) + " threads"
}

func (a *analysis) foundIn(r finding.Rule, object string, evidence []finding.Evidence, format string, args ...any) {
	a.res.Findings = append(a.res.Findings, foundIn(r, object, evidence, format, args...))
}

func foundIn(r finding.Rule, object string, evidence []finding.Evidence, format string, args ...any) finding.Finding {
	f := r.Found(finding.Location{Object: object}, "", fmt.Sprintf(format, args...))
	f.Evidence = evidence
	return f
}

// leastFound is what something must retain at least for a finding, in bytes: a VM that
// does nothing has 0.6 MB of classes, modules and texts.
const leastFound = 1 << 20

// SuspectFindings tell of what retains much, in whatever language.
func SuspectFindings(g *retained.Result) []finding.Finding {
	var out []finding.Finding
	for i := range g.Suspects {
		if g.Suspects[i].Retained < leastFound {
			continue
		}
		out = append(out, suspectFinding(&g.Suspects[i]))
	}
	return out
}

func suspectFinding(s *retained.Suspect) finding.Finding {
	if s.Kind == retained.SuspectGroup {
		return foundIn(manyRule, s.Class, nil, "%s objects of %s retain %s together, %s of the heap",
			units.Count(s.Count), s.Class, units.Size(s.Retained), units.Share(s.HeapShare))
	}
	var evidence []finding.Evidence
	if p := s.Point; p != nil {
		evidence = append(evidence, finding.Evidence{Name: "accumulates in", Value: p.Class + " at " + p.Address + ", " + units.Size(p.Retained)})
	}
	if len(s.Below) > 0 {
		b := s.Below[0]
		evidence = append(evidence, finding.Evidence{Name: "holds", Value: fmt.Sprintf("%s of %s, %s together", units.Count(b.Count), b.Class, units.Size(b.Retained))})
	}
	return foundIn(retainRule, s.Object.Address, evidence, "%s retains %s, %s of the heap", s.Object.What(), units.Size(s.Retained), units.Share(s.HeapShare))
}

// judgeHolder tells where entries of a queue are held by others as well.
func (a *analysis) judgeHolder(h *retained.Holder) {
	if h.Queue < 0 || h.Alone == nil || h.Entries == 0 || 2**h.Alone >= h.Entries || len(a.standing[h.Queue].evidence) == 0 {
		return
	}
	var evidence []finding.Evidence
	for _, o := range h.Others {
		evidence = append(evidence, finding.Evidence{Name: "also held by", Value: fmt.Sprintf("%s, %s of %s looked at", o.Class, units.Count(o.Entries), units.Count(h.Looked))})
	}
	a.foundIn(alsoHeldRule, h.Name, evidence, "of %s entries of the %s, %s would be freed with it: others hold the rest as well",
		units.Count(h.Entries), h.Name, units.Count(*h.Alone))
}
