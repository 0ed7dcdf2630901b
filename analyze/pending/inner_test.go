package pending

import (
	"slices"
	"testing"

	"example.com/kneeline/heapdump"
)

// A queue inside another one is told once, as the outer one.
func TestQueueInAQueue(t *testing.T) {
	outer, inner, other := &found{id: 1, instances: 1}, &found{id: 2, instances: 1}, &found{id: 3, instances: 1}
	inner.owner = owner{class: new(heapdump.Class), id: 1}
	other.owner = owner{class: new(heapdump.Class), id: 9}
	if got := withoutInner([]*found{inner, outer, other}); !slices.Equal(got, []*found{outer, other}) {
		t.Errorf("%v", got)
	}
	// Many queues summed up have no address of their own.
	group, held := &found{instances: 5}, &found{id: 4, instances: 1}
	if got := withoutInner([]*found{group, held}); len(got) != 2 {
		t.Errorf("%v", got)
	}
}
