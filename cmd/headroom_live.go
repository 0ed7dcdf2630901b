package cmd

import (
	"context"
	"fmt"
	"sync"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/progress"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// liveView shows a measurement as it goes: the search says in which phase it is,
// the load generator what its clients see.
type liveView struct {
	live *progress.Live
	// drawn says that the view is drawn over, with a bar for the whole run.
	drawn bool

	mu    sync.Mutex // guards what follows
	phase string
	last  loadgen.Snapshot
}

func newLiveView(ctx context.Context, a *app) *liveView {
	return &liveView{drawn: a.progressOn(), live: a.display(ctx)}
}

func (v *liveView) close() { v.live.Close() }

// snapshot keeps what the load generator last saw.
func (v *liveView) snapshot(s loadgen.Snapshot) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last = s
}

// progress is told by the search how it goes.
func (v *liveView) progress(p headroom.Progress) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if p.Phase == "" {
		return // between two phases
	}
	if p.Phase != v.phase {
		v.phase = p.Phase
		total := p.Total
		if !v.drawn {
			// Where each phase is one line, the bound on the whole says nothing of it.
			total = 0
		}
		v.live.Phase(p.Phase, total)
	}
	v.live.Update(p.Elapsed, v.status(p))
}

// status is the line under the bar.
func (v *liveView) status(p headroom.Progress) string {
	// What the search counts runs over all phases; the load generator begins
	// anew with each.
	ended := p.Planned - min(p.Planned, uint64(p.InFlight))
	return fmt.Sprintf("%s now  p50 %s  p99 %s  in flight %s  answered %s  bad %s",
		units.Rate(p.Rate), units.Duration(v.last.P50), units.Duration(v.last.P99),
		units.Count(p.InFlight), units.Count(ended-min(ended, p.Bad)), units.Count(p.Bad))
}
