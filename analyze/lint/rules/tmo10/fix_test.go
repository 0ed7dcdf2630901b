package tmo10

import (
	"regexp"
	"testing"
	"time"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"pgregory.net/rapid"
)

var fixForm = regexp.MustCompile(`^set (base|max) to (\S+) or less`)

func set(key string, unit model.Unit, amount float64) model.Value {
	return model.Value{Key: key, Unit: unit, Amount: amount, Origin: model.Set, At: model.Position{File: "f", Line: 1}}
}

// The value that a finding prints leaves no finding of its kind.
func TestFixHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tenths := func(name string, most int) float64 { return float64(rapid.IntRange(1, most).Draw(t, name)) / 10 }
		h := &model.Hop{
			Name: "h", Total: set("timeout", model.Seconds, tenths("total", 100)),
			Backoff: model.Backoff{Base: set("base", model.Seconds, tenths("base", 50)), Multiplier: set("m", model.Count, tenths("multiplier", 30)), Max: set("max", model.Seconds, tenths("max", 200))},
			Retry:   model.Retry{Tries: set("attempts", model.Count, float64(rapid.IntRange(2, 6).Draw(t, "tries")))},
		}
		g := &model.Graph{Documents: []*model.Document{{Hops: []*model.Hop{h}}}}
		found, _ := rule.Run(&Rule, g)
		if len(found) == 0 {
			return
		}
		m := fixForm.FindStringSubmatch(found[0].Remediation)
		if m == nil {
			t.Fatalf("no value to set in %q", found[0].Remediation)
		}
		d, err := time.ParseDuration(m[2])
		if err != nil {
			t.Fatal(err)
		}
		if m[1] == "base" {
			h.Backoff.Base.Amount = d.Seconds()
		} else {
			h.Backoff.Max.Amount = d.Seconds()
		}
		for _, left := range must(rule.Run(&Rule, g)) {
			if left.Severity != finding.Note || m[1] == "max" {
				t.Fatalf("%s %s leaves %s", m[1], d, left.Message)
			}
		}
	})
}

func must(found []finding.Finding, _ []rule.Missing) []finding.Finding { return found }
