package headroom

import (
	"context"
	"encoding/json"
	"testing"

	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/loadgen/target"
)

func TestDemo(t *testing.T) {
	for _, q := range []int{5000, 400} {
		svc := target.Default()
		svc.Queue = q
		cfg := subject{limit: 400 * ms}.config(3)
		cfg.Budget = DemoBudget()
		cfg.Overload = true
		cfg.Peak = 800
		v := virtual.New(svc, 3)
		r, err := Measure(context.Background(), v, cfg)
		if err != nil {
			t.Fatal(err)
		}
		r.Result.Curve = nil
		b, _ := json.MarshalIndent(r, "", " ")
		t.Logf("load %v %s", v.Load(), b)
	}
}
