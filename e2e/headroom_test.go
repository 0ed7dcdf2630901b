//go:build e2e

package e2e

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestDemo runs the command of the README: its capacity against the exact one,
// the collapse past it, and the queue to set.
func TestDemo(t *testing.T) {
	bestOf(t, func() (string, bool) {
		r, d := headroom(t)
		if r.code != 0 || d.Result.Capacity == nil || d.Demo == nil || d.Demo.Truth == nil {
			return fmt.Sprintf("exit code %d\n%s\n%s", r.code, r.stdout, r.stderr), d.lagged()
		}
		var problems []string
		add := func(p string) {
			if p != "" {
				problems = append(problems, p)
			}
		}
		add(within("the demo's exact capacity", d.Demo.Truth.PerSecond, 1188, 0.002))
		add(within("capacity", d.Result.Capacity.Estimate, 1188, 0.05))
		if c := d.Result.Capacity; c.Low > 1188 || c.High < 1188 {
			add(fmt.Sprintf("the interval %.0f to %.0f misses 1188", c.Low, c.High))
		}
		if g := d.Result.GoodputRatio; g == nil || *g > 0.2 {
			add(fmt.Sprintf("goodput past capacity: %v, want near 0", g))
		}
		if d.Result.Recovery == nil || *d.Result.Recovery < 2 {
			add("recovery was not measured")
		}
		if q := d.Result.UsefulQueue; q == nil || q.Positions < 370 || q.Positions > 425 {
			add(fmt.Sprintf("useful queue %+v, want about 402 positions", q))
		}
		first := firstLine(r.stdout)
		for _, want := range []string{"Capacity", "interval", "collapses", "not 5,000"} {
			if !strings.Contains(first, want) {
				add(fmt.Sprintf("the first line lacks %q: %s", want, first))
			}
		}
		return strings.Join(problems, "\n"), d.lagged()
	})
}

// TestDemoShortQueue shows that goodput is kept with a queue of 400.
func TestDemoShortQueue(t *testing.T) {
	bestOf(t, func() (string, bool) {
		r, d := headroom(t, "--demo", "queue=400")
		switch g := d.Result.GoodputRatio; {
		case r.code != 0 || d.Result.Capacity == nil:
			return fmt.Sprintf("exit code %d\n%s\n%s", r.code, r.stdout, r.stderr), d.lagged()
		case g == nil || *g < 0.9:
			return fmt.Sprintf("goodput past capacity: %v, want 0.9 or more", g), d.lagged()
		}
		return within("capacity", d.Result.Capacity.Estimate, d.Demo.Truth.PerSecond, 0.05), d.lagged()
	})
}

// TestDemoOthers spot-checks services of other shapes in real time; the study
// on virtual time has them all.
func TestDemoOthers(t *testing.T) {
	for demo, budget := range map[string]string{
		"service=lognormal:10ms,cv=1.5": "60s",
		"workers=1,service=fixed:2ms":   "40s",
		"stall=300ms/10s":               "110s", // a dozen stalls, to know how often they come
	} {
		t.Run(demo, func(t *testing.T) {
			bestOf(t, func() (string, bool) {
				r, d := headroom(t, "--demo", demo, "--budget", budget, "--overload=false")
				if r.code != 0 || d.Result.Capacity == nil || d.Demo.Truth == nil {
					return fmt.Sprintf("exit code %d\n%s\n%s", r.code, r.stdout, r.stderr), d.lagged()
				}
				return within("capacity", d.Result.Capacity.Estimate, d.Demo.Truth.PerSecond, 0.05), d.lagged()
			})
		})
	}
}

// TestNginxInFront measures a service of known capacity behind nginx.
func TestNginxInFront(t *testing.T) {
	nginx := need(t, "nginx")
	back, front := freePort(t), freePort(t)
	start(t, exec.Command(program, "target", "--listen", "127.0.0.1:"+strconv.Itoa(back), "-q"))
	startNginx(t, nginx, fmt.Sprintf(`
		upstream back { server 127.0.0.1:%d; keepalive 2000; }
		server {
			listen 127.0.0.1:%d backlog=4096;
			location / {
				proxy_pass http://back;
				proxy_http_version 1.1;
				proxy_set_header Connection "";
				proxy_ignore_client_abort on;
			}
		}`, back, front))
	url := fmt.Sprintf("http://127.0.0.1:%d/feed", front)
	waitFor(t, url)
	bestOf(t, func() (string, bool) {
		r, d := headroom(t, url, "--peak", "800/s", "--slo", "p99<400ms,errors<1%", "--timeout", "400ms", "--budget", "60s")
		if r.code != 0 || d.Result.Capacity == nil || d.Result.Headroom == nil {
			return fmt.Sprintf("exit code %d\n%s\n%s", r.code, r.stdout, r.stderr), d.lagged()
		}
		if p := within("capacity", d.Result.Capacity.Estimate, 1188, 0.05); p != "" {
			return p, d.lagged()
		}
		return within("headroom", 1+*d.Result.Headroom, d.Result.Capacity.Low/800, 0.001), d.lagged()
	})
}

// TestNginxAlone measures nginx by itself where it limits the rate: the limit is
// the capacity, less what chance makes of it.
func TestNginxAlone(t *testing.T) {
	nginx := need(t, "nginx")
	port := freePort(t)
	startNginx(t, nginx, fmt.Sprintf(`
		limit_req_zone $server_port zone=all:1m rate=500r/s;
		limit_req_status 429;
		server {
			listen 127.0.0.1:%d backlog=4096;
			location / { limit_req zone=all burst=50 nodelay; root html; try_files /index.html =404; }
		}`, port))
	url := fmt.Sprintf("http://127.0.0.1:%d/", port)
	waitFor(t, url)
	bestOf(t, func() (string, bool) {
		r, d := headroom(t, url, "--budget", "40s")
		if r.code != 0 || d.Result.Capacity == nil {
			return fmt.Sprintf("exit code %d\n%s\n%s", r.code, r.stdout, r.stderr), d.lagged()
		}
		if d.Result.BoundBy != "shed" {
			return fmt.Sprintf("bound by %q, want shed", d.Result.BoundBy), false
		}
		return within("capacity", d.Result.Capacity.Estimate, 500, 0.05), d.lagged()
	})
}

// startNginx runs nginx in the foreground with a configuration of its own.
func startNginx(t *testing.T, nginx, http string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "html"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "html", "index.html"), []byte("ok\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;" // its workers would not be let into the directory else
	}
	conf := fmt.Sprintf(`
daemon off;
%[3]s
worker_processes 1;
worker_rlimit_nofile 20000;
error_log %[1]s/error.log;
pid %[1]s/nginx.pid;
events { worker_connections 10000; }
http {
	access_log off;
	keepalive_requests 1000000;
	client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/f;
	uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
	%[2]s
}
`, dir, http, user)
	path := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(path, []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	start(t, exec.Command(nginx, "-p", dir, "-c", path))
	t.Cleanup(func() {
		if log, err := os.ReadFile(filepath.Join(dir, "error.log")); err == nil && len(log) > 0 && t.Failed() {
			t.Logf("nginx: %s", log[:min(len(log), 2000)])
		}
	})
}

// TestGoService measures an ordinary Go service that lets four requests at a
// time through to something that takes 5 ms.
func TestGoService(t *testing.T) {
	slots := make(chan struct{}, 4)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		slots <- struct{}{}
		time.Sleep(5 * time.Millisecond)
		<-slots
		_, _ = w.Write([]byte("ok"))
	})}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	url := "http://" + l.Addr().String() + "/"
	bestOf(t, func() (string, bool) {
		// What it does with 16 callers that never pause is what it can do at most.
		most := closedLoop(url, 16, 3*time.Second)
		r, d := headroom(t, url, "--timeout", "200ms", "--budget", "40s")
		if r.code != 0 || d.Result.Capacity == nil {
			return fmt.Sprintf("exit code %d\n%s\n%s", r.code, r.stdout, r.stderr), d.lagged()
		}
		return within("capacity", d.Result.Capacity.Estimate, most, 0.06), d.lagged()
	})
}

// closedLoop returns the answers per second that n callers get who ask again at
// once.
func closedLoop(url string, n int, d time.Duration) float64 {
	done := make(chan int)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n}}
	begin := time.Now()
	for range n {
		go func() {
			count := 0
			for time.Since(begin) < d {
				resp, err := client.Get(url)
				if err != nil {
					break
				}
				resp.Body.Close()
				count++
			}
			done <- count
		}()
	}
	total := 0
	for range n {
		total += <-done
	}
	client.CloseIdleConnections()
	return float64(total) / time.Since(begin).Seconds()
}

// TestGates holds the exit codes of gates against a service of known capacity.
func TestGates(t *testing.T) {
	port := freePort(t)
	start(t, exec.Command(program, "target", "--listen", "127.0.0.1:"+strconv.Itoa(port), "-q"))
	url := fmt.Sprintf("http://127.0.0.1:%d/", port)
	waitFor(t, url+"healthz")
	for _, c := range []struct {
		rate string
		code int
	}{{"900/s", 0}, {"1400/s", 1}} {
		bestOf(t, func() (string, bool) {
			r, d := headroom(t, url, "--timeout", "400ms", "--hold", c.rate, "--for", "15s")
			if r.code != c.code {
				return fmt.Sprintf("--hold %s: exit code %d, want %d\n%s\n%s", c.rate, r.code, c.code, r.stdout, r.stderr), d.lagged()
			}
			time.Sleep(6 * time.Second) // the queue empties
			return "", false
		})
	}
}

// TestNoAnswer holds what cannot be measured against its exit code.
func TestNoAnswer(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0") // the kernel accepts, nobody answers
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, c := range []struct {
		name, url, want string
		code            int
	}{
		{"refused", fmt.Sprintf("http://127.0.0.1:%d/", freePort(t)), "refused", 3},
		{"silent", "http://" + silent.Addr().String() + "/", "", 3},
		{"unknown host", "http://no-such-host.invalid/", "no-such-host.invalid", 3},
		{"not allowed", "http://192.0.2.1/", "--allow-host", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			begin := time.Now()
			r := kneeline(t, "headroom", c.url)
			if r.code != c.code || !strings.Contains(r.stderr, c.want) {
				t.Errorf("exit code %d, want %d with %q\n%s\n%s", r.code, c.code, c.want, r.stdout, r.stderr)
			}
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("took %v to say so", took)
			}
		})
	}
}
