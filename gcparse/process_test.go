package gcparse

import (
	"context"
	"os/exec"
	"testing"
	"time"
)

// process is a real process of a test. It is killed after a minute, and when the
// test ends; nobody waits for what its children keep open.
func process(t *testing.T, name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}
