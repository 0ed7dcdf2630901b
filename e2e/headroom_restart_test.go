//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/kneeline/loadgen/hostile"
)

const (
	restartAt   = 3 * time.Second // after the load began
	restartHold = 6 * time.Second
	downFor     = 250 * time.Millisecond
)

// outage is what the JSON tells of a run whose service was restarted.
type outage struct {
	Complete bool
	Started  float64 `json:"started_unix_seconds"`
	Troubles []struct {
		What, Class, Phase string
		Count              uint64
		First              float64 `json:"first_seconds"`
		Last               float64 `json:"last_seconds"`
	}
	Account struct {
		Planned uint64 `json:"planned_count"`
		Full    uint64 `json:"full_count"`
		Never   uint64 `json:"never_sent_count"`
	}
}

// service is a server that a test restarts in the middle of a run.
type service struct {
	url  string
	args []string
	// hard ends it at once and begins it anew a little later; soft is its own way
	// of restarting without loss.
	hard, soft func()
}

// TestRestarts restarts real servers in mid-run. The report has to say what
// happened and when: a hard restart is refused or cut connections at its time and
// no other; a soft one is nothing, or a request or two at its time.
func TestRestarts(t *testing.T) {
	for name, make := range map[string]func(*testing.T) service{
		"nginx TLS":     func(t *testing.T) service { return nginxService(t, "ssl", "https") },
		"nginx h2":      func(t *testing.T) service { return nginxService(t, "ssl http2", "https") },
		"HAProxy plain": func(t *testing.T) service { return haproxyService(t, "", "http") },
		"HAProxy TLS":   func(t *testing.T) service { return haproxyService(t, "ssl crt CERT alpn http/1.1", "https") },
		"HAProxy h2":    func(t *testing.T) service { return haproxyService(t, "ssl crt CERT alpn h2", "https") },
		"Go h2c":        goH2C,
	} {
		for _, how := range []string{"hard", "soft"} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				s := make(t)
				restart := s.hard
				if how == "soft" {
					restart = s.soft
				}
				bestOf(t, func() (string, bool) { return throughRestart(t, s, restart, how == "hard") })
			})
		}
	}
}

// throughRestart runs a hold with a restart in the middle and says what the report
// lacks.
func throughRestart(t *testing.T, s service, restart func(), hard bool) (problem string, void bool) {
	path := filepath.Join(t.TempDir(), "r.json")
	args := append([]string{"headroom", s.url, "--hold", "200/s", "--for", restartHold.String(), "--timeout", "1s",
		"--slo", "errors<50%", "-o", "text", "-o", "json=" + path}, s.args...)
	from, to := make(chan time.Time, 1), make(chan time.Time, 1)
	time.AfterFunc(restartAt, func() {
		from <- time.Now()
		restart()
		to <- time.Now()
	})
	r := kneeline(t, args...)
	var o outage
	if data, err := os.ReadFile(path); err != nil || json.Unmarshal(data, &o) != nil {
		return fmt.Sprintf("exit code %d, no result: %v\n%s\n%s", r.code, err, r.stdout, r.stderr), false
	}
	since := func(at time.Time) float64 { return float64(at.UnixMicro())/1e6 - o.Started }
	earliest, latest := since(<-from)-0.2, since(<-to)+1.5
	// Where the machine lagged, the restart may have come when the load was over.
	void = r.code == 3 || o.Account.Never > 0 || latest > restartHold.Seconds() || !o.Complete
	return o.judge(r, earliest, latest, hard), void
}

// judge says what is wrong with what a report tells of a restart.
func (o *outage) judge(r ran, earliest, latest float64, hard bool) string {
	var failed uint64
	told := ""
	for _, x := range o.Troubles {
		told += fmt.Sprintf("%s (%s): %d requests, %.2f s to %.2f s\n", x.What, x.Class, x.Count, x.First, x.Last)
		failed += x.Count
		if !strings.Contains(r.stdout, x.What) {
			return fmt.Sprintf("the report does not say %q:\n%s", x.What, r.stdout)
		}
		if x.First < earliest || x.Last > latest {
			return fmt.Sprintf("expected trouble from %.2f s to %.2f s, found\n%s", earliest, latest, told)
		}
	}
	switch n := o.Account; {
	case n.Full+failed+n.Never != n.Planned:
		return fmt.Sprintf("planned %d, full %d, in trouble %d\n%s", n.Planned, n.Full, failed, told)
	case hard && (failed == 0 || !strings.Contains(r.stdout, "What went wrong, and when")):
		return "the report knows nothing of a hard restart:\n" + r.stdout
	case !hard && failed > n.Planned/50:
		return fmt.Sprintf("%d of %d requests failed at a soft restart:\n%s", failed, n.Planned, told)
	}
	return ""
}

// certFiles writes a certificate with its key, and both in one file.
func certFiles(t *testing.T) (cert, key, both string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	c, k := hostile.CertPEM(), hostile.KeyPEM()
	return write("cert.pem", c), write("key.pem", k), write("both.pem", append(c, k...))
}

// process is a server's process; a new one takes its place at a restart.
type process struct {
	t    *testing.T
	make func() *exec.Cmd
	cmd  *exec.Cmd
	port int
}

func newProcess(t *testing.T, port int, make func() *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, make: make, port: port}
	p.begin()
	t.Cleanup(func() { p.stop(syscall.SIGTERM) })
	for range 100 {
		if c, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second); err == nil {
			c.Close()
			return p
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s does not listen", p.cmd.Path)
	return nil
}

func (p *process) begin() {
	p.cmd = p.make()
	if err := p.cmd.Start(); err != nil {
		p.t.Error(err)
	}
}

// stop ends the process and waits for it.
func (p *process) stop(sig os.Signal) {
	cmd := p.cmd
	_ = cmd.Process.Signal(sig)
	kill := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	kill.Stop()
}

func (p *process) hard() {
	p.stop(syscall.SIGTERM)
	time.Sleep(downFor)
	p.begin()
}

// handOver begins a new process that tells the old one to end in its own time, once
// it listens beside it.
func (p *process) handOver() {
	old, make := p.cmd, p.make
	p.make = func() *exec.Cmd {
		cmd := make()
		cmd.Args = append(cmd.Args, "-sf", strconv.Itoa(old.Process.Pid))
		return cmd
	}
	p.begin()
	p.make = make
	go func() { _ = old.Wait() }()
	p.t.Cleanup(func() { _ = old.Process.Kill() })
}

func nginxService(t *testing.T, listen, scheme string) service {
	nginx := need(t, "nginx")
	cert, key, _ := certFiles(t)
	dir, port := t.TempDir(), freePort(t)
	conf := fmt.Sprintf(`
daemon off;
worker_processes 1;
error_log %[1]s/error.log;
pid %[1]s/nginx.pid;
events { worker_connections 2000; }
http {
	access_log off;
	keepalive_requests 1000000;
	client_body_temp_path %[1]s/b; proxy_temp_path %[1]s/p; fastcgi_temp_path %[1]s/f;
	uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
	server {
		listen 127.0.0.1:%[2]d %[3]s;
		ssl_certificate %[4]s; ssl_certificate_key %[5]s;
		location / { return 200 "ok"; }
	}
}
`, dir, port, listen, cert, key)
	path := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(path, []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	p := newProcess(t, port, func() *exec.Cmd { return exec.Command(nginx, "-p", dir, "-c", path) })
	return service{
		url: fmt.Sprintf("%s://127.0.0.1:%d/", scheme, port), args: []string{"--tls-ca", cert},
		hard: p.hard, soft: func() { _ = p.cmd.Process.Signal(syscall.SIGHUP) },
	}
}

func haproxyService(t *testing.T, bind, scheme string) service {
	haproxy := need(t, "haproxy")
	cert, _, both := certFiles(t)
	port := freePort(t)
	conf := fmt.Sprintf(`
global
	maxconn 2000
defaults
	mode http
	timeout client 30s
	timeout connect 1s
	timeout server 1s
frontend f
	bind 127.0.0.1:%d %s
	http-request return status 200 content-type text/plain string ok
`, port, strings.Replace(bind, "CERT", both, 1))
	path := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(path, []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	p := newProcess(t, port, func() *exec.Cmd { return exec.Command(haproxy, "-db", "-f", path) })
	s := service{url: fmt.Sprintf("%s://127.0.0.1:%d/", scheme, port), hard: p.hard, soft: p.handOver}
	if scheme == "https" {
		s.args = []string{"--tls-ca", cert}
	}
	return s
}

// goH2C is a Go server that speaks HTTP/2 without TLS.
func goH2C(t *testing.T) service {
	listen := func(addr string) (net.Listener, *http.Server) {
		ln, err := net.Listen("tcp", addr)
		if err != nil {
			t.Error(err)
			return nil, nil
		}
		s := &http.Server{Protocols: new(http.Protocols), Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("ok"))
		})}
		s.Protocols.SetUnencryptedHTTP2(true)
		go func() { _ = s.Serve(ln) }()
		return ln, s
	}
	ln, s := listen("127.0.0.1:0")
	if s == nil {
		t.FailNow()
	}
	addr := ln.Addr().String()
	t.Cleanup(func() { _ = s.Close() })
	return service{
		url: "http://" + addr + "/", args: []string{"--http", "h2c"},
		hard: func() {
			_ = s.Close()
			time.Sleep(downFor)
			_, s = listen(addr)
		},
		soft: func() {
			old := s
			_ = ln.Close() // the port is free for the next one
			ln, s = listen(addr)
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			_ = old.Shutdown(ctx)
		},
	}
}
