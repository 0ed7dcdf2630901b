//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// trafficDocument is what this test reads of real traffic.
type trafficDocument struct {
	Account struct {
		Planned uint64 `json:"planned_count"`
		Full    uint64 `json:"full_count"`
	}
	Traffic struct {
		Peak struct {
			Log struct {
				Requests uint64         `json:"requests_count"`
				Unread   uint64         `json:"unread_count"`
				Formats  map[string]int `json:"formats"`
			}
		}
		Mix struct {
			Kinds    int
			Coverage float64 `json:"coverage_ratio"`
		}
		Replay struct {
			Requests uint64 `json:"requests_count"`
			Spread   bool   `json:"spread_within_seconds"`
		}
	}
}

func traffic(t *testing.T, args ...string) (ran, trafficDocument) {
	t.Helper()
	r := kneeline(t, append([]string{"headroom", "-q", "-o", "json"}, args...)...)
	var d trafficDocument
	if err := json.Unmarshal([]byte(r.stdout), &d); err != nil {
		t.Fatalf("exit code %d: %v\n%s", r.code, err, r.stderr)
	}
	return r, d
}

// TestRealLogs sends a mix through HAProxy to nginx, reads the logs that they wrote
// of it in five formats, and sends it again from one of them: every log has every
// request, and the replay is what the log has.
func TestRealLogs(t *testing.T) {
	nginx, haproxy := need(t, "nginx"), need(t, "haproxy")
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	log := func(name string) string { return filepath.Join(dir, name) }
	back, front := freePort(t), freePort(t)
	const custom = `$time_iso8601|$request_method|$request_uri|$status|$request_time`
	startNginx(t, nginx, fmt.Sprintf(`
	log_format timed '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_time';
	log_format json escape=json '{"msec":"$msec","request":"$request","status":"$status","body_bytes_sent":"$body_bytes_sent","request_length":"$request_length","request_time":"$request_time"}';
	log_format custom '%[3]s';
	server {
		listen 127.0.0.1:%[1]d backlog=4096;
		access_log %[2]s/combined.log;
		access_log %[2]s/timed.log timed;
		access_log %[2]s/json.log json;
		access_log %[2]s/custom.log custom;
		location = /up { access_log off; return 200; }
		location / { return 200 "ok\n"; }
	}`, back, dir, custom))
	waitFor(t, fmt.Sprintf("http://127.0.0.1:%d/up", back))
	proxy(t, haproxy, log("haproxy.log"), front, back)

	targets := log("targets.txt")
	url := fmt.Sprintf("http://127.0.0.1:%d", front)
	text := fmt.Sprintf("GET %[1]s/feed?q=\"a\" weight=3\n\nGET %[1]s/item\nX-A: 1\n", url)
	if err := os.WriteFile(targets, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, d := traffic(t, "--targets", targets, "--hold", "200/s", "--for", "10s", "--timeout", "2s")
	if d.Account.Full != d.Account.Planned || d.Account.Planned == 0 {
		t.Fatalf("exit code %d: %+v\n%s", r.code, d.Account, r.stderr)
	}
	sent := d.Account.Planned
	for name, format := range map[string]string{"combined": "combined", "timed": "combined", "json": "json", "custom": "log format", "haproxy": "haproxy"} {
		args := []string{url, "--peak-from", log(name + ".log"), "--peak-window", "2s", "--mix-from", log(name + ".log"), "--dry-run"}
		if name == "custom" {
			args = append(args, "--log-format", custom)
		}
		_, d := traffic(t, args...)
		l := d.Traffic.Peak.Log
		lines := sent
		if name == "haproxy" {
			lines++ // the look whether it is up
		}
		if l.Requests != lines || l.Unread != 0 || l.Formats[format] != 1 {
			t.Errorf("%s: %+v, want %d requests of format %s", name, l, lines, format)
		}
		if m := d.Traffic.Mix; name != "haproxy" && (m.Kinds != 2 || m.Coverage != 1) {
			t.Errorf("%s: %+v", name, m)
		}
	}

	before := kinds(t, log("json.log"))
	r, d = traffic(t, fmt.Sprintf("http://127.0.0.1:%d", back), "--replay", log("json.log"), "--speed", "3", "--timeout", "2s")
	if p := d.Traffic.Replay; p.Requests != sent || p.Spread || d.Account.Full != sent {
		t.Fatalf("exit code %d: %+v, %+v\n%s", r.code, p, d.Account, r.stderr)
	}
	for kind, n := range kinds(t, log("json.log")) {
		if n != 2*before[kind] {
			t.Errorf("%s: %d after the replay, %d before it", kind, n, before[kind])
		}
	}
}

// proxy runs HAProxy in front of a port, with its log in a file.
func proxy(t *testing.T, haproxy, log string, front, back int) {
	t.Helper()
	conf := filepath.Join(t.TempDir(), "haproxy.cfg")
	text := fmt.Sprintf(`
global
	maxconn 4000
	log stdout format raw local0
defaults
	mode http
	log global
	option httplog
	timeout connect 5s
	timeout client 30s
	timeout server 30s
frontend front
	bind 127.0.0.1:%d
	default_backend back
backend back
	server one 127.0.0.1:%d
`, front, back)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	cmd := exec.Command(haproxy, "-f", conf, "-db")
	cmd.Stdout = out
	start(t, cmd)
	waitFor(t, fmt.Sprintf("http://127.0.0.1:%d/up", front))
}

// kinds counts the requests of a JSON log by their request line.
func kinds(t *testing.T, path string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var l struct{ Request string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		n[l.Request]++
	}
	return n
}
