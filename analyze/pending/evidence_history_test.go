package pending

import (
	"testing"

	"example.com/kneeline/heapdump"
)

// A deque that is exactly full may be a history, one with room or a queue is not.
func TestMayBeHistory(t *testing.T) {
	limit := int64(1000)
	for _, c := range []struct {
		class string
		n     int64
		want  bool
	}{
		{"java.util.concurrent.LinkedBlockingDeque", 1000, true},
		{"java.util.concurrent.LinkedBlockingDeque", 999, false},
		{"java.util.concurrent.LinkedBlockingQueue", 1000, false},
	} {
		f := found{class: &heapdump.Class{Name: c.class}, capacity: &limit, entries: entries{n: c.n}}
		if f.mayBeHistory() != c.want {
			t.Errorf("%+v", c)
		}
	}
	if (&found{class: &heapdump.Class{Name: "java.util.concurrent.LinkedBlockingDeque"}}).mayBeHistory() {
		t.Error("a deque without a limit")
	}
}
