//go:build e2e

package e2e

import "testing"

// TestHeapMake leaves all dumps, truths and companions in a directory.
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
	t.Run("jetty-reused", func(t *testing.T) { reusedJetty(t) })
	t.Run("jetty-full", func(t *testing.T) { fullJetty(t) })
	t.Run("idle", func(t *testing.T) { idleJetty(t) })
}
