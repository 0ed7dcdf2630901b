package readtest

import (
	"os"
	"os/exec"
	"testing"
)

// Need returns the path of a real program that a reader is held against, or skips the
// test where it is not installed; in CI it fails.
func Need(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is missing, which CI needs: %v", name, err)
	}
	t.Skipf("%s is not installed", name)
	return ""
}
