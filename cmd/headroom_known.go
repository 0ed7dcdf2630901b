package cmd

import (
	"context"
	"fmt"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen/target"
)

// knownService is the demo service, of which the truth is known.
type knownService struct {
	config target.Config
	truth  *targetTruth
	// achieved is the rate the service came to while all workers were busy, over
	// the rate it was set to; 0 when it never was so busy.
	achieved float64
}

// learn takes the truth from the settings, and how well this machine let the
// service keep to them. The truth can take a while, and is left out when ctx
// ends.
func (k *knownService) learn(ctx context.Context, s target.Stats, objective slo.SLO) {
	if s.SaturatedRate != nil {
		k.achieved = *s.SaturatedRate / s.RawRate
	}
	if t, err := truthOf(ctx, k.config, objective); err == nil {
		k.truth = t
	}
}

// headroomDocument is the JSON of the command: the analysis's result, and what
// is known of the demo service.
type headroomDocument struct {
	*headroom.Result
	Demo    *demoTruth     `json:"demo,omitempty"`
	Traffic *trafficResult `json:"traffic,omitempty"`
}

type demoTruth struct {
	Settings string       `json:"settings"`
	Truth    *targetTruth `json:"truth,omitempty"`
	// Achieved is the measured over the set service rate.
	Achieved *float64 `json:"achieved_service_rate_ratio,omitempty"`
}

func (m *measurement) document(res *headroom.Result) headroomDocument {
	doc := headroomDocument{Result: res, Traffic: m.traffic.document()}
	if k := m.known; k != nil {
		doc.Demo = &demoTruth{Settings: describeService(k.config), Truth: k.truth}
		if k.achieved > 0 {
			doc.Demo.Achieved = &k.achieved
		}
	}
	return doc
}

// block holds the estimate against the truth.
func (k *knownService) block(res *headroom.Result) report.Block {
	if k == nil || k.truth == nil {
		return nil
	}
	kv := report.KeyValues{Caption: "The demo's truth"}
	add := func(key, value, note string) {
		kv.Items = append(kv.Items, report.KeyValue{Key: key, Value: value, Note: note})
	}
	t := k.truth
	add("true capacity", units.Rate(t.PerSecond), fmt.Sprintf("%s, from the settings", t.Method))
	if c := res.Result.Capacity; c != nil && t.PerSecond > 0 {
		inside := "inside the interval"
		if t.PerSecond < c.Low || t.PerSecond > c.High {
			inside = "outside the interval"
		}
		add("estimate is off by", units.SignedShare(c.Estimate/t.PerSecond-1), "the truth is "+inside)
	}
	if k.achieved > 0 {
		add("service rate kept", units.Share(k.achieved), "of what was set, by the service's own account")
	}
	return kv
}
