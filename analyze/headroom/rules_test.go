package headroom

import (
	"strings"
	"testing"
	"time"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/loadgen"
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
	// Of a hold the number is a draw, which the plan bounds; even spacing is exact.
	cfg = subject{limit: 400 * ms}.config(1)
	cfg.Gate = Gate{HoldRate: 200, HoldFor: 5 * time.Second}
	if p = Plan(cfg); p.Requests < 1000+150 || p.Requests > 1000+200 || p.Phases[0].Rate != "200/s" {
		t.Errorf("%+v", p)
	}
	cfg.Arrivals = loadgen.Constant
	if p = Plan(cfg); p.Requests != 1000 {
		t.Errorf("%+v", p)
	}
	// A cap that would cut it short is refused before the first request.
	cfg.Caps.Requests = 999
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "cap of 999 requests, found 1,000") {
		t.Errorf("%v", err)
	}
	cfg.Caps.Requests = 1000
	if err := cfg.Validate(); err != nil {
		t.Error(err)
	}
}
