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
	for i := range g.Suspects {
		a.judgeSuspect(&g.Suspects[i])
	}
	locals := int64(0)
	for i := range g.Threads {
		locals += g.Threads[i].Locals
	}
	if g.Bytes > 0 && float64(locals) >= retained.DefaultSuspect*float64(g.Bytes) {
		a.foundIn(localsRule, "thread-local variables", nil,
			"thread-local variables of %s retain %s, %s of the heap", countedThreads(len(g.Threads)), units.Size(locals), units.Share(float64(locals)/float64(g.Bytes)))
	}
	for _, l := range g.Loaders {
		if l.Copies >= manyLoaders && l.Share >= retained.DefaultSuspect {
			a.foundIn(loaderRule, l.Class, nil, "%s loaders of class %s retain %s, %s of the heap, and up to %s of them have a copy of the same class",
				units.Count(l.Count), l.Class, units.Size(l.Retained), units.Share(l.Share), units.Count(l.Copies))
		}
	}
	for i := range g.Holders {
		a.judgeHolder(&g.Holders[i])
	}
}

func countedThreads(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return units.Count(int64(n)) + " threads"
}

func (a *analysis) foundIn(r finding.Rule, object string, evidence []finding.Evidence, format string, args ...any) {
	f := r.Found(finding.Location{Object: object}, "", fmt.Sprintf(format, args...))
	f.Evidence = evidence
	a.res.Findings = append(a.res.Findings, f)
}

// judgeSuspect tells of what retains much.
func (a *analysis) judgeSuspect(s *retained.Suspect) {
	if s.Kind == retained.SuspectGroup {
		a.foundIn(manyRule, s.Class, nil, "%s objects of %s retain %s together, %s of the heap",
			units.Count(s.Count), s.Class, units.Size(s.Retained), units.Share(s.HeapShare))
		return
	}
	var evidence []finding.Evidence
	if p := s.Point; p != nil {
		evidence = append(evidence, finding.Evidence{Name: "accumulates in", Value: p.Class + " at " + p.Address + ", " + units.Size(p.Retained)})
	}
	if len(s.Below) > 0 {
		b := s.Below[0]
		evidence = append(evidence, finding.Evidence{Name: "holds", Value: fmt.Sprintf("%s of %s, %s together", units.Count(b.Count), b.Class, units.Size(b.Retained))})
	}
	a.foundIn(retainRule, s.Object.Address, evidence, "%s retains %s, %s of the heap", s.Object.What(), units.Size(s.Retained), units.Share(s.HeapShare))
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
