package nginx

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

// nginx itself decides which times and numbers it takes, where it is installed.
func TestTimesAgainstNginx(t *testing.T) {
	program := readtest.Need(t, "nginx")
	dir := t.TempDir()
	file := filepath.Join(dir, "nginx.conf")
	for _, text := range []string{"60", "60s", "500ms", "1m30s", "1h 30m", "1d", "1M", "1y", "1w2d", "1m30", "0", "s", "1.5s", "5sec", "5s1m", "1m1m", "-1", "5 x", "10S", "1h30m5s7ms", "1ms1s", "99999999999999999999"} {
		for _, whole := range []bool{false, true} {
			server, location := "127.0.0.1:1", "proxy_read_timeout \""+text+"\";"
			if whole {
				server, location = "127.0.0.1:1 \"fail_timeout="+text+"\"", ""
			}
			conf := "pid nginx.pid; error_log stderr; events {} http { access_log off; upstream u { server " + server + "; } server { listen unix:a.sock; location / { proxy_pass http://u; " + location + " } } }"
			if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(program, "-t", "-p", dir, "-c", file).CombinedOutput()
			if _, _, ok := parseTime(text, whole); ok != (err == nil) {
				t.Errorf("%q in whole seconds %t: read %v, nginx says: %s", text, whole, ok, out)
			}
		}
	}
}
