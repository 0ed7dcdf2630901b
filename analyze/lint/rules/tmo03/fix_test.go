package tmo03

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
	"time"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"pgregory.net/rapid"
)

var fixForm = regexp.MustCompile(`^set attempts to (\d+), or set timeout to (\S+) if`)

func set(key string, unit model.Unit, amount float64) model.Value {
	return model.Value{Key: key, Unit: unit, Amount: amount, Origin: model.Set, At: model.Position{File: "f", Line: 1}}
}

// Either of the values that a finding prints leaves no finding.
func TestFixHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := func(name string, most int) float64 { return float64(rapid.IntRange(1, most).Draw(t, name)) / 1000 }
		extra := rapid.IntRange(1, 9).Draw(t, "extra")
		h := &model.Hop{
			Name: "h", Total: set("timeout", model.Seconds, ms("total", 3000)), PerTry: set("perTryTimeout", model.Seconds, ms("try", 1000)),
			Backoff: model.Backoff{Base: set("base", model.Seconds, ms("base", 200)), Multiplier: set("m", model.Count, 2), Jitter: set("j", model.Ratio, rapid.Float64Range(0, 1).Draw(t, "jitter"))},
			Retry: model.Retry{
				Dialect: model.ExtraTries, Written: set("attempts", model.Count, float64(extra)), Tries: set("attempts", model.Count, float64(extra+1)),
				On: []model.Condition{{Cause: model.Refused}},
			},
		}
		g := &model.Graph{Documents: []*model.Document{{Hops: []*model.Hop{h}}}}
		found, _ := rule.Run(&Rule, g)
		if len(found) == 0 {
			return
		}
		m := fixForm.FindStringSubmatch(found[0].Remediation)
		if m == nil {
			t.Fatalf("expected attempts and timeout, found %q", found[0].Remediation)
		}
		attempts, _ := strconv.Atoi(m[1])
		total, err := time.ParseDuration(m[2])
		if err != nil {
			t.Fatal(err)
		}
		before := *h
		h.Retry.Written.Amount, h.Retry.Tries.Amount = float64(attempts), float64(attempts+1)
		if found, _ := rule.Run(&Rule, g); len(found) != 0 {
			t.Fatalf("attempts %d: %s", attempts, fmt.Sprint(found))
		}
		*h = before
		h.Total.Amount = total.Seconds()
		if found, _ := rule.Run(&Rule, g); len(found) != 0 {
			t.Fatalf("timeout %s: %s", total, fmt.Sprint(found))
		}
	})
}
