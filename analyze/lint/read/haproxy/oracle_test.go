package haproxy

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

// HAProxy itself decides which times it takes, where it is installed.
func TestTimesAgainstHAProxy(t *testing.T) {
	program := readtest.Need(t, "haproxy")
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	for _, text := range []string{"5000", "5s", "250ms", "100us", "2h", "1d", "0", "s", "1m30s", "1.5s", "5sec", "-1", "24d", "25d", "2147483647", "2147483648", "5S", "1w"} {
		conf := "defaults\n  mode http\n  timeout connect 1s\n  timeout client 1s\n  timeout server " + text + "\nlisten b\n  bind 127.0.0.1:65000\n  server s 127.0.0.1:1\n"
		if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(program, "-c", "-f", file).CombinedOutput()
		seconds, _, ok := parseTime(text)
		// Version 2.6 warns of what later ones refuse.
		taken := err == nil && !strings.Contains(string(out), "will be reported as an error")
		if ok = ok && seconds <= maxTime; ok != taken {
			t.Errorf("%q: read %v, HAProxy says: %s", text, ok, out)
		}
	}
}
