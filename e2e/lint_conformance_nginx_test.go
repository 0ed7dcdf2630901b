//go:build e2e

package e2e

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/e2e/conformance"
)

// nginxCell is one request through nginx.
type nginxCell struct {
	settings string // of the location
	outer    string // of the server around it
	servers  int
	// extra stands behind the address of each server, tail below them.
	extra, tail string
	fault       conformance.Fault
	method      string // GET where it is empty
	pass        string // proxy_pass where it is empty
}

const manyServers = 5

var nginxCells = []nginxCell{
	// how many tries
	{settings: "proxy_next_upstream http_503;", servers: manyServers, fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503; proxy_next_upstream_tries 3;", servers: manyServers, fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503; proxy_next_upstream_tries 9;", servers: manyServers, fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503; proxy_next_upstream_tries 1;", servers: manyServers, fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream off;", servers: manyServers, fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503;", servers: 1, fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503;", servers: 3, tail: "server %s backup;", fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503;", servers: 3, tail: "server %s down;", fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503;", servers: 3, extra: "max_fails=1 fail_timeout=1s", fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503;", servers: 3, extra: "weight=3 max_fails=0", fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503;", servers: 3, tail: "least_conn;", fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503;", servers: 3, tail: "keepalive 4;", fault: conformance.Answers(503, 0)},
	// which methods
	{settings: "proxy_next_upstream http_503;", servers: manyServers, method: "POST", fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503 non_idempotent;", servers: manyServers, method: "POST", fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503;", servers: manyServers, method: "PUT", fault: conformance.Answers(503, 0)},
	{settings: "proxy_next_upstream http_503;", servers: manyServers, method: "DELETE", fault: conformance.Answers(503, 0)},
	{settings: "", servers: 3, method: "POST", fault: conformance.Refused},
	{settings: "", servers: 3, method: "POST", fault: conformance.Closes},
	// which causes
	{settings: "", servers: 3, fault: conformance.Answers(503, 0)},
	{settings: "", servers: 3, fault: conformance.Closes},
	{settings: "", servers: 3, fault: conformance.Refused},
	{settings: "proxy_next_upstream timeout;", servers: 3, fault: conformance.Closes},
	{settings: "proxy_next_upstream invalid_header;", servers: 3, fault: conformance.Junk},
	{settings: "proxy_next_upstream error http_500;", servers: 3, fault: conformance.Answers(500, 0)},
	{settings: "proxy_next_upstream error http_502;", servers: 3, fault: conformance.Answers(502, 0)},
	{settings: "proxy_next_upstream error http_504;", servers: 3, fault: conformance.Answers(504, 0)},
	{settings: "proxy_next_upstream error http_504;", servers: 3, fault: conformance.Answers(502, 0)},
	{settings: "proxy_next_upstream http_404;", servers: 3, fault: conformance.Answers(404, 0)},
	{settings: "proxy_next_upstream http_429;", servers: 3, fault: conformance.Answers(429, 0)},
	// how long
	{settings: "proxy_read_timeout 600ms;", servers: 3, fault: conformance.Silent},
	{settings: "proxy_read_timeout 600ms; proxy_next_upstream_tries 2;", servers: 3, fault: conformance.Silent},
	{settings: "proxy_read_timeout 600ms; proxy_next_upstream error;", servers: 3, fault: conformance.Silent},
	{settings: "proxy_read_timeout 1;", servers: 1, fault: conformance.Silent},
	{settings: "", outer: "proxy_read_timeout 600ms; proxy_next_upstream_tries 2;", servers: 3, fault: conformance.Silent},
	{settings: "proxy_read_timeout 600ms;", outer: "proxy_read_timeout 5s;", servers: 2, fault: conformance.Silent},
	{settings: "proxy_connect_timeout 600ms;", servers: 3, fault: conformance.Unreachable},
	{settings: "proxy_connect_timeout 600ms; proxy_next_upstream_tries 2;", servers: 3, fault: conformance.Unreachable},
	{settings: "proxy_connect_timeout 600ms; proxy_read_timeout 5s;", servers: 2, fault: conformance.Unreachable, method: "POST"},
	{settings: "proxy_read_timeout 600ms; proxy_next_upstream_timeout 1s;", servers: manyServers, fault: conformance.Silent},
	{settings: "proxy_read_timeout 600ms; proxy_next_upstream_timeout 1500ms;", servers: manyServers, fault: conformance.Silent},
	{settings: "proxy_next_upstream http_503; proxy_next_upstream_timeout 1s;", servers: manyServers, fault: conformance.Answers(503, 0.4)},
	{settings: "proxy_read_timeout 600ms;", servers: 2, fault: conformance.Silent, method: "POST"},
	// other protocols
	{settings: "fastcgi_read_timeout 600ms;", servers: 2, fault: conformance.Silent, pass: "fastcgi_pass"},
	{settings: "uwsgi_read_timeout 600ms;", servers: 2, fault: conformance.Silent, pass: "uwsgi_pass"},
	{settings: "scgi_read_timeout 600ms; scgi_next_upstream_tries 1;", servers: 2, fault: conformance.Silent, pass: "scgi_pass"},
	{settings: "memcached_read_timeout 600ms; set $memcached_key a;", servers: 2, fault: conformance.Silent, pass: "memcached_pass"},
	{settings: "grpc_read_timeout 600ms;", servers: 2, fault: conformance.Silent, pass: "grpc_pass"},
}

func (c nginxCell) name(i int) string { return fmt.Sprintf("c%d", i) }

// config writes a cell with the addresses of its callees.
func (c nginxCell) config(i int, dir string, addresses []string) string {
	var b strings.Builder
	n, last := c.name(i), ""
	if strings.Contains(c.tail, "%s") {
		last, addresses = addresses[len(addresses)-1], addresses[:len(addresses)-1]
	}
	fmt.Fprintf(&b, "  upstream %s {\n", n)
	for _, a := range addresses {
		fmt.Fprintf(&b, "    server %s %s;\n", a, or(c.extra, "max_fails=0"))
	}
	tail := c.tail
	if last != "" {
		tail = fmt.Sprintf(c.tail, last)
	}
	pass := or(c.pass, "proxy_pass") + " " + n
	if c.pass == "" {
		pass = "proxy_pass http://" + n
	}
	fmt.Fprintf(&b, "    %s\n  }\n  server {\n    listen unix:%s/%s.sock;\n    server_name %s;\n    %s\n    add_header X-Tries $upstream_addr always;\n", tail, dir, n, n, c.outer)
	fmt.Fprintf(&b, "    location / { %s; %s }\n  }\n", pass, c.settings)
	return b.String()
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (c nginxCell) row(want conformance.Outcome) conformance.Row {
	settings := strings.TrimSpace(strings.TrimSpace(c.settings) + " " + c.outer)
	if c.outer != "" {
		settings = strings.TrimSpace(c.settings + "\nserver { " + c.outer + " … }")
	}
	says, agrees := want.Says()
	return conformance.Row{
		Settings: or(conformance.Code(settings), "the defaults"), Model: says, Agrees: agrees,
		Request: conformance.Request(c.method, c.servers, c.fault, c.extra, strings.ReplaceAll(c.tail, "server %s ", "and one ")),
	}
}

func TestConformanceNginx(t *testing.T) {
	nginx := need(t, "nginx")
	dir := socketDir(t)
	versions := map[string]string{"nginx": version(t, `nginx/([0-9.]+)`, nginx, "-v")}
	callees := make([]*conformance.Callees, len(nginxCells))
	var conf strings.Builder
	fmt.Fprintf(&conf, "daemon off;\nworker_processes 1;\npid %[1]s/pid;\nerror_log stderr crit;\nevents {}\nhttp {\n  access_log off;\n"+
		"  client_body_temp_path %[1]s/b;\n  proxy_temp_path %[1]s/p;\n  fastcgi_temp_path %[1]s/f;\n  uwsgi_temp_path %[1]s/u;\n  scgi_temp_path %[1]s/s;\n", dir)
	for i, c := range nginxCells {
		n := c.servers
		if strings.Contains(c.tail, "%s") {
			n++
		}
		callees[i] = conformance.Start(t, n, c.fault)
		conf.WriteString(c.config(i, dir, callees[i].Addresses))
	}
	slow := conformance.Start(t, 1, conformance.Trickles)
	fmt.Fprintf(&conf, "  upstream trickle { server %s; }\n  server { listen unix:%s/trickle.sock; server_name trickle; location / { proxy_pass http://trickle; %s } }\n", slow.Addresses[0], dir, nginxTrickle)
	conf.WriteString(nginxServices(dir))
	conf.WriteString("}\n")
	docs := conformance.Read(t, "nginx.conf", conf.String(), versions)
	runOnSocket(t, inDir(dir, "c0.sock"), exec.Command(nginx, "-p", dir, "-c", put(t, dir, "nginx.conf", conf.String())))
	rows := make([]conformance.Row, len(nginxCells))
	t.Run("cells", func(t *testing.T) {
		all := newCells(t)
		for i, c := range nginxCells {
			h := conformance.Hop(t, docs, c.name(i), "location")
			want := conformance.Predict(t, h, or(c.method, "GET"), c.fault)
			rows[i] = c.row(want)
			all.run(fmt.Sprintf("%s %s", c.name(i), c.settings), func(t *testing.T) {
				conformance.Check(t, want, func(t *testing.T) conformance.Outcome {
					resp, took := ask(t, inDir(dir, c.name(i)+".sock"), or(c.method, "GET"))
					tries := float64(len(strings.Split(resp.Header.Get("X-Tries"), ",")))
					if got := callees[i].Requests(); c.fault.Sent && got != tries {
						t.Errorf("%v requests came to the callees, nginx counts %v: %q, status %d", got, tries, resp.Header.Get("X-Tries"), resp.StatusCode)
					}
					if c.extra != "" {
						time.Sleep(failTimeout)
					}
					return conformance.Outcome{Tries: tries, Seconds: took}
				})
			})
		}
		rows = append(rows, trickled(all, conformance.Hop(t, docs, "trickle", "location"), nginxTrickle, inDir(dir, "trickle.sock")))
		rows = append(rows, checkNginxServices(all, docs, dir)...)
		all.wait.Wait()
	})
	page(t, "nginx", rows)
}

// nginxTrickle is a limit that a trickle never meets.
const nginxTrickle = "proxy_read_timeout 800ms;"

// failTimeout is until nginx asks servers again that have failed, with a margin. Where a
// cell does not set it, max_fails=0 keeps the rounds of a cell apart from each other.
const failTimeout = 1200 * time.Millisecond

// nginxServer is how nginx treats a client.
type nginxServer struct {
	settings, does, send string
	value                func(*model.Service) model.Value
	count                bool
}

const oneRequest = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

var nginxServers = []nginxServer{
	{"client_header_timeout 800ms;", "half a head is sent", "GET / HTTP/1.1\r\nHost:", func(s *model.Service) model.Value { return s.Listen.Header }, false},
	{"client_body_timeout 800ms;", "half a body is sent", "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhal", func(s *model.Service) model.Value { return s.Listen.GapRead }, false},
	{"keepalive_timeout 800ms;", "a connection is kept", oneRequest, func(s *model.Service) model.Value { return s.Listen.Idle }, false},
	{"keepalive_requests 3;", "requests are sent one after the other", strings.Repeat(oneRequest, 9), func(s *model.Service) model.Value { return s.Listen.KeepRequests }, true},
}

func nginxServices(dir string) string {
	var b strings.Builder
	for i, s := range nginxServers {
		fmt.Fprintf(&b, "  server { listen unix:%s/s%d.sock; server_name s%d; lingering_close off; %s location / { return 200 x; } location /read { proxy_pass http://127.0.0.1:1; } }\n", dir, i, i, s.settings)
	}
	return b.String()
}

func checkNginxServices(all *cells, docs []*model.Document, dir string) (rows []conformance.Row) {
	for i, s := range nginxServers {
		v := s.value(conformance.Service(all.t, docs, fmt.Sprintf("nginx server s%d", i)))
		if !v.IsSet() {
			all.t.Errorf("%s: the model has %s", s.settings, v)
		}
		row := conformance.Row{Settings: conformance.Code(s.settings), Request: s.does, Model: "closed after " + v.String(), Agrees: conformance.Closely}
		want := conformance.Outcome{Tries: 1, Seconds: v.Amount}
		if s.count {
			row.Model, row.Agrees = fmt.Sprintf("closed after %s requests", v), conformance.Exactly
			want = conformance.Outcome{Tries: v.Amount}
		}
		rows = append(rows, row)
		all.run(s.settings, func(t *testing.T) {
			socket := inDir(dir, fmt.Sprintf("s%d.sock", i))
			conformance.Check(t, want, func(t *testing.T) conformance.Outcome {
				if s.count {
					return conformance.Outcome{Tries: answers(t, "unix", socket, s.send)}
				}
				return conformance.Outcome{Tries: 1, Seconds: idles(t, "unix", socket, s.send)}
			})
		})
	}
	return rows
}

// answers counts the answers on one connection until it is closed.
func answers(t *testing.T, network, address, text string) float64 {
	t.Helper()
	c, err := net.Dial(network, address)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(cellPatience))
	_, _ = c.Write([]byte(text))
	var all []byte
	for buf := make([]byte, 4096); ; {
		n, err := c.Read(buf)
		all = append(all, buf[:n]...)
		if err != nil {
			return float64(strings.Count(string(all), "HTTP/1.1 200"))
		}
	}
}

// socketDir is a directory whose path leaves room for the name of a Unix socket.
func socketDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "k")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// version asks a program for its version.
func version(t *testing.T, form, program string, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).CombinedOutput()
	m := regexp.MustCompile(form).FindSubmatch(out)
	if err != nil || m == nil {
		t.Fatalf("%s: %v: %s", program, err, out)
	}
	return string(m[1])
}

// runOnSocket runs a program until the test ends and waits until a Unix socket takes
// connections.
func runOnSocket(t *testing.T, socket string, cmd *exec.Cmd) {
	t.Helper()
	var log strings.Builder
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(cmd.Path), log.String())
		}
	})
	for range 300 {
		if c, err := net.Dial("unix", socket); err == nil {
			_ = c.Close()
			return
		}
		select {
		case <-ended:
			t.Fatalf("%s ended early:\n%s", filepath.Base(cmd.Path), log.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatalf("%s does not listen", filepath.Base(cmd.Path))
}

// The cells differ from each other.
func TestConformanceCellsDiffer(t *testing.T) {
	var seen []string
	for _, c := range nginxCells {
		key := fmt.Sprint(c)
		if slices.Contains(seen, key) {
			t.Errorf("twice: %s", key)
		}
		seen = append(seen, key)
	}
}
