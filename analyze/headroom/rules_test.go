package headroom

import (
	"testing"

	"example.com/kneeline/internal/finding"
)

// Every rule has a complete page.
func TestRulesAreComplete(t *testing.T) {
	if _, err := finding.NewRegistry(Rules()); err != nil {
		t.Error(err)
	}
}

// A plan bounds what is offered, and says whether it goes past capacity.
func TestPlan(t *testing.T) {
	cfg := subject{limit: 400 * ms}.config(1)
	p := Plan(cfg)
	if p.PastCapacity || p.Duration != cfg.Budget.Search || len(p.Phases) != 3 {
		t.Errorf("plan %+v: want three phases of the search alone", p)
	}
	cfg.Overload = true
	if p = Plan(cfg); !p.PastCapacity || p.Duration != cfg.Budget.Search+cfg.Budget.Overload+cfg.Budget.Recovery {
		t.Errorf("plan %+v: want overload and recovery as well", p)
	}
	cfg.Caps = Caps{Rate: 10, Requests: 1_000_000, Failed: 1_000_000}
	if p = Plan(cfg); p.Requests != uint64(10*p.Duration.Seconds()) || p.Failed > p.Requests {
		t.Errorf("%d requests, %d failed at 10/s for %s", p.Requests, p.Failed, p.Duration)
	}
}
