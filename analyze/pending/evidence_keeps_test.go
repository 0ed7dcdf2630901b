package pending

import (
	"testing"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// Who holds a queue of the JDK tells whether it keeps what is free or what waits
// to be done.
func TestKeepsThings(t *testing.T) {
	row := &pattern.Queue{Name: "linked blocking deque"}
	for _, tt := range []struct {
		class, field string
		row          *pattern.Queue
		want         bool
	}{
		{"db.ConnectionPool", "idle", row, true},
		{"net.Buffers", "available", row, true},
		{"shop.RecentOrders", "list", row, true},
		{"shop.WorkerPool", "queue", row, false},
		{"shop.WorkerPool", "tasks", row, false},
		{"shop.Inbox", "waiting", row, false},
		{"shop.Orders", "all", row, false},
		{"db.ConnectionPool", "idle", &pattern.Queue{Name: "task queue", Server: "tomcat"}, false},
	} {
		h := &heapdump.Heap{}
		a := newAnalysis(h, Options{})
		f := &found{row: tt.row, owner: owner{class: &heapdump.Class{Name: tt.class, Display: tt.class}, field: tt.field}}
		if got := a.keepsThings(f); got != tt.want {
			t.Errorf("%s.%s: %v", tt.class, tt.field, got)
		}
	}
}
