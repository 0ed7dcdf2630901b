package graph

import (
	"math"
	"testing"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
)

// line is a chain of services with the tries of the hop to each but the first.
func line(tries ...float64) *chain.Chain {
	c := &chain.Chain{Services: []*chain.Service{{Name: "a"}}}
	for i, n := range tries {
		from, to := c.Services[i], &chain.Service{Name: string(rune('b' + i))}
		h := &chain.Hop{From: from, To: to, Layers: []chain.Layer{{
			Document: &model.Document{Format: "nginx"},
			Hop:      &model.Hop{Retry: model.Retry{Tries: model.Of(model.Count, n, "the test")}},
		}}}
		from.Out, to.In = append(from.Out, h), append(to.In, h)
		c.Services, c.Hops = append(c.Services, to), append(c.Hops, h)
	}
	return c
}

func TestVerdict(t *testing.T) {
	inverted := line(1, 1)
	inverted.Hops[0].Layers[0].Hop.Total = model.Of(model.Seconds, 1, "the test")
	inverted.Hops[1].Layers[0].Hop.Total = model.Of(model.Seconds, 2, "the test")
	for _, tt := range []struct {
		c    *chain.Chain
		want string
	}{
		{line(), "1 service and no hop between them"},
		{line(1), "2 services and 1 hop; no call is tried again"},
		{line(3, 2), "3 services and 2 hops; one call becomes up to 6 at c"},
		{line(math.Inf(1)), "2 services and 1 hop; one call becomes any number at b"},
		{inverted, "3 services and 2 hops; no call is tried again; 1 call may take longer than its caller waits"},
	} {
		if got := Of(tt.c, nil).Verdict; got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// The calls at each hop are those of all hops before it, multiplied.
func TestAmplification(t *testing.T) {
	r := Of(line(3, 2), nil)
	for i, want := range []float64{3, 6} {
		if got := r.Hops[i].Amplification; got == nil || *got != want {
			t.Errorf("hop %d: %v, want %v", i, got, want)
		}
	}
}
