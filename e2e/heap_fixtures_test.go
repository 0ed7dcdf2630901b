//go:build e2e

package e2e

import "testing"

// pileUps are the programs that pile up work; the servers are apart.
var pileUps = []struct {
	name, main string
	args       []string
}{
	{"threadpool", "PoolPile", nil},
	{"own-ring", "RingPile", nil},
	{"own-chain", "ChainPile", nil},
	{"nano", "NanoPile", nil},
	{"futures", "FuturePile", nil},
	{"waiters", "WaiterPile", nil},
	{"netty-loop", "NettyPile", []string{"loop"}},
	{"netty-outbound", "NettyPile", []string{"outbound"}},
	{"jdk-arraydeque", "Queues", []string{"arraydeque"}},
	{"jdk-concurrent", "Queues", []string{"concurrent"}},
	{"jdk-transfer", "Queues", []string{"transfer"}},
	{"jdk-priority", "Queues", []string{"priority"}},
	{"jdk-deque", "Queues", []string{"deque"}},
	{"jdk-heap", "Queues", []string{"heap"}},
	{"jdk-forkjoin", "Queues", []string{"forkjoin"}},
}

// controls hold much, and no requests.
var controls = []string{"cache", "lru", "small", "batch", "free", "strings", "history", "timers", "pool"}

func TestHeapMake(t *testing.T) {
	if keep == "" {
		t.Skip("KNEELINE_HEAP_KEEP names no directory to leave dumps in")
	}
	for _, p := range pileUps {
		t.Run(p.name, func(t *testing.T) { pile(t, p.name, p.main, p.args...) })
	}
	for _, c := range controls {
		t.Run(c, func(t *testing.T) { pile(t, "control-"+c, "Controls", c) })
	}
	t.Run("jetty-blocking", func(t *testing.T) { piledJetty(t, false) })
	t.Run("jetty-async", func(t *testing.T) { piledJetty(t, true) })
	t.Run("tomcat", func(t *testing.T) { piledTomcat(t) })
	t.Run("jetty-full", func(t *testing.T) { fullJetty(t) })
	t.Run("idle", func(t *testing.T) { idleJetty(t) })
}
