package haproxy

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

// HAProxy sends a request that fails as often as the model of the file says.
func TestTriesAgainstHAProxy(t *testing.T) {
	program := readtest.Need(t, "haproxy")
	for _, tt := range []struct{ settings, method string }{
		{"retries 3\n  retry-on 503", "GET"},
		{"retries 3\n  retry-on 503", "POST"},
		{"retry-on all-retryable-errors", "GET"},
		{"retries 2\n  retry-on 503\n  http-request disable-l7-retry if METH_POST", "POST"},
		{"retries 0\n  retry-on 503", "GET"},
		{"retries 3\n  retry-on none", "GET"},
		{"retries 1\n  retry-on 503\n  option redispatch 1", "GET"},
	} {
		t.Run(tt.method+" "+tt.settings, func(t *testing.T) {
			addresses, requests := readtest.Backends(t, 2, 503)
			dir := readtest.Dir(t)
			socket := filepath.Join(dir, "h.sock")
			conf := fmt.Sprintf("defaults\n  mode http\n  timeout connect 5s\n  timeout client 5s\n  timeout server 5s\nlisten l\n  bind unix@%s\n  %s\n  server a %s\n  server b %s\n", socket, tt.settings, addresses[0], addresses[1])
			file := filepath.Join(dir, "haproxy.cfg")
			if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
				t.Fatal(err)
			}
			readtest.Ask(t, socket, tt.method, program, "-db", "-f", file)
			h := Reader.Read(readtest.Input(t, "haproxy.cfg", []byte(conf)))[0].Hops[0]
			want := h.Retry.Tries.Amount
			if tt.method == "POST" && !h.Retry.AllMethods.On() {
				want = 1
			}
			if got := requests.Load(); float64(got) != want {
				t.Errorf("%d tries, the model says %v", got, want)
			}
		})
	}
}
