//go:build e2e

package e2e

import (
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/e2e/conformance"
)

// haproxyCell is one request through HAProxy.
type haproxyCell struct {
	settings string // of the section
	servers  int
	fault    conformance.Fault
	method   string // GET where it is empty
}

var haproxyCells = []haproxyCell{
	// how many tries
	{settings: "retries 3\nretry-on 503", servers: 2, fault: conformance.Answers(503, 0)},
	{settings: "retries 1\nretry-on 503", servers: 2, fault: conformance.Answers(503, 0)},
	{settings: "retries 0\nretry-on 503", servers: 2, fault: conformance.Answers(503, 0)},
	{settings: "retry-on 503", servers: 1, fault: conformance.Answers(503, 0)},
	{settings: "retries 3\nretry-on none", servers: 2, fault: conformance.Answers(503, 0)},
	{settings: "retries 3\nretry-on 503\noption redispatch 1", servers: 2, fault: conformance.Answers(503, 0)},
	{settings: "retries 5\nretry-on all-retryable-errors", servers: 2, fault: conformance.Answers(503, 0)},
	{settings: "", servers: 2, fault: conformance.Answers(503, 0)},
	// which methods
	{settings: "retries 3\nretry-on 503", servers: 2, method: "POST", fault: conformance.Answers(503, 0)},
	{settings: "retries 2\nretry-on 503\nhttp-request disable-l7-retry if METH_POST", servers: 2, method: "POST", fault: conformance.Answers(503, 0)},
	{settings: "retries 2\nretry-on 503\nhttp-request disable-l7-retry if METH_POST", servers: 2, fault: conformance.Answers(503, 0)},
	{settings: "", servers: 2, method: "POST", fault: conformance.Closes},
	// which causes
	{settings: "retries 2\nretry-on 500", servers: 2, fault: conformance.Answers(500, 0)},
	{settings: "retries 2\nretry-on 502", servers: 2, fault: conformance.Answers(502, 0)},
	{settings: "retries 2\nretry-on 504", servers: 2, fault: conformance.Answers(502, 0)},
	{settings: "retries 2\nretry-on 404 408", servers: 2, fault: conformance.Answers(404, 0)},
	{settings: "retries 2\nretry-on all-retryable-errors", servers: 2, fault: conformance.Answers(500, 0)},
	{settings: "retries 2\nretry-on all-retryable-errors", servers: 2, fault: conformance.Answers(404, 0)},
	{settings: "retries 2\nretry-on empty-response", servers: 2, fault: conformance.Closes},
	{settings: "retries 2\nretry-on all-retryable-errors", servers: 2, fault: conformance.Closes},
	{settings: "", servers: 2, fault: conformance.Closes},
	{settings: "retries 2\nretry-on junk-response", servers: 2, fault: conformance.Junk},
	// how long
	{settings: "timeout server 600ms", servers: 2, fault: conformance.Silent},
	{settings: "timeout server 600", servers: 1, fault: conformance.Silent},
	{settings: "retries 2\nretry-on response-timeout\ntimeout server 600ms", servers: 2, fault: conformance.Silent},
	{settings: "retries 3\nretry-on all-retryable-errors\ntimeout server 500ms", servers: 1, fault: conformance.Silent},
	{settings: "retries 2\nretry-on 503\ntimeout server 600ms", servers: 2, fault: conformance.Silent},
	{settings: "retries 2\nretry-on response-timeout\ntimeout server 600ms\noption redispatch", servers: 2, fault: conformance.Silent},
	{settings: "timeout connect 600ms", servers: 1, fault: conformance.Unreachable},
	{settings: "retries 1\ntimeout connect 600ms", servers: 2, fault: conformance.Unreachable},
	{settings: "retries 0\ntimeout connect 600ms", servers: 2, fault: conformance.Unreachable},
	{settings: "retries 2\ntimeout connect 600ms\noption redispatch 1", servers: 2, fault: conformance.Unreachable},
	{settings: "timeout connect 400ms", servers: 1, fault: conformance.Refused},
	{settings: "retries 2\ntimeout connect 600ms", servers: 2, fault: conformance.Refused},
	{settings: "retries 1", servers: 2, fault: conformance.Refused},
	{settings: "retries 2\ntimeout connect 600ms\noption redispatch 1", servers: 3, fault: conformance.Refused},
	{settings: "retries 2\nretry-on 503", servers: 1, fault: conformance.Answers(503, 0.3)},
}

func (c haproxyCell) name(i int) string { return fmt.Sprintf("c%d", i) }

func (c haproxyCell) config(i int, dir string, addresses []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "listen %[2]s\n  bind unix@%[1]s/%[2]s.sock\n  http-after-response set-header X-Retries %%rc\n", dir, c.name(i))
	for line := range strings.Lines(c.settings) {
		fmt.Fprintf(&b, "  %s\n", strings.TrimSpace(line))
	}
	for j, a := range addresses {
		fmt.Fprintf(&b, "  server s%d %s\n", j, a)
	}
	return b.String()
}

func (c haproxyCell) row(want conformance.Outcome) conformance.Row {
	says, agrees := want.Says()
	return conformance.Row{Settings: or(conformance.Code(c.settings), "the defaults"), Request: conformance.Request(c.method, c.servers, c.fault), Model: says, Agrees: agrees}
}

const haproxyDefaults = "global\n  maxconn 500\ndefaults\n  mode http\n  timeout connect 5s\n  timeout client 5s\n  timeout server 5s\n"

func TestConformanceHAProxy(t *testing.T) {
	haproxy := need(t, "haproxy")
	dir := socketDir(t)
	versions := map[string]string{"haproxy": version(t, `version ([0-9]+\.[0-9]+)`, haproxy, "-v")}
	callees := make([]*conformance.Callees, len(haproxyCells))
	var conf strings.Builder
	conf.WriteString(haproxyDefaults)
	for i, c := range haproxyCells {
		callees[i] = conformance.Start(t, c.servers, c.fault)
		conf.WriteString(c.config(i, dir, callees[i].Addresses))
	}
	held := conformance.Start(t, 1, conformance.Answers(200, holds))
	slow := conformance.Start(t, 1, conformance.Trickles)
	fmt.Fprintf(&conf, "listen trickle\n  bind unix@%s/trickle.sock\n  %s\n  server s %s\n", dir, haproxyTrickle, slow.Addresses[0])
	conf.WriteString(haproxyServices(dir, held.Addresses[0]))
	docs := conformance.Read(t, "haproxy.cfg", conf.String(), versions)
	runOnSocket(t, inDir(dir, "c0.sock"), exec.Command(haproxy, "-db", "-f", put(t, dir, "haproxy.cfg", conf.String())))
	rows := make([]conformance.Row, len(haproxyCells))
	t.Run("cells", func(t *testing.T) {
		all := newCells(t)
		for i, c := range haproxyCells {
			h := conformance.Hop(t, docs, "", "listen "+c.name(i))
			want := conformance.Predict(t, h, or(c.method, "GET"), c.fault)
			rows[i] = c.row(want)
			all.run(c.name(i)+" "+strings.ReplaceAll(c.settings, "\n", ", "), func(t *testing.T) {
				conformance.Check(t, want, func(t *testing.T) conformance.Outcome {
					resp, took := ask(t, inDir(dir, c.name(i)+".sock"), or(c.method, "GET"))
					retries, err := strconv.Atoi(strings.TrimPrefix(resp.Header.Get("X-Retries"), "+"))
					if err != nil {
						t.Error(err)
					}
					tries := float64(retries + 1)
					if got := callees[i].Requests(); c.fault.Sent && got != tries {
						t.Errorf("%v requests came to the callees, HAProxy counts %v", got, tries)
					}
					return conformance.Outcome{Tries: tries, Seconds: took}
				})
			})
		}
		rows = append(rows, checkHAProxyServers(all, docs, dir)...)
		rows = append(rows, checkHAProxyBody(all, docs, dir))
		rows = append(rows, checkHAProxyQueues(all, docs, dir)...)
		rows = append(rows, trickled(all, conformance.Hop(t, docs, "", "listen trickle"), haproxyTrickle, inDir(dir, "trickle.sock")))
		all.wait.Wait()
	})
	page(t, "HAProxy", rows)
}

// haproxyTrickle is a limit that a trickle never meets.
const haproxyTrickle = "timeout server 800ms"

// haproxyServer is how HAProxy treats a client.
type haproxyServer struct {
	settings, does, send string
	value                func(*model.Service) model.Value
}

func headOf(s *model.Service) model.Value { return s.Listen.Header }
func idleOf(s *model.Service) model.Value { return s.Listen.Idle }
func bodyOf(s *model.Service) model.Value { return s.Listen.Body }
func gapOf(s *model.Service) model.Value  { return s.Listen.GapRead }

var haproxyServers = []haproxyServer{
	{"timeout http-request 800ms", "half a head is sent", "GET / HTTP/1.1\r\nHost:", headOf},
	{"timeout http-keep-alive 800ms", "a connection is kept", oneRequest, idleOf},
	{"timeout http-request 800ms", "a connection is kept", oneRequest, idleOf},
	{"timeout client 800ms", "a connection is kept", oneRequest, idleOf},
	{"timeout client 800ms\noption http-buffer-request", "half a body is sent", halfBody, gapOf},
	{"timeout http-request 800ms\noption http-buffer-request", "half a body is sent", halfBody, bodyOf},
}

const halfBody = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhal"

// A body that is passed on as it comes is not ended by the limits of the client's side:
// what ends it is that the server does not answer.
var haproxyBody = haproxyServer{settings: "timeout server 800ms\ntimeout client 3s", does: "half a body is sent", send: halfBody}

// haproxyQueues are how long a request waits for a server that has no slot left.
var haproxyQueues = []string{"timeout queue 700ms", "timeout connect 700ms"}

// holds is how long, in seconds, the only slot of a server is taken meanwhile.
const holds = 3

func haproxyServices(dir, callee string) string {
	var b strings.Builder
	for i, s := range haproxyServers {
		fmt.Fprintf(&b, "frontend f%[2]d\n  bind unix@%[1]s/f%[2]d.sock\n  %[3]s\n  http-request return status 200 unless METH_POST\n  default_backend silent\n", dir, i, strings.ReplaceAll(s.settings, "\n", "\n  "))
	}
	fmt.Fprintf(&b, "listen body\n  bind unix@%s/body.sock\n  %s\n  server s %s\n", dir, strings.ReplaceAll(haproxyBody.settings, "\n", "\n  "), callee)
	fmt.Fprintf(&b, "backend silent\n  server s %s\n", callee)
	for i, s := range haproxyQueues {
		fmt.Fprintf(&b, "listen q%[2]d\n  bind unix@%[1]s/q%[2]d.sock\n  %[3]s\n  server s %[4]s maxconn 1\n", dir, i, s, callee)
	}
	return b.String()
}

func checkHAProxyServers(all *cells, docs []*model.Document, dir string) (rows []conformance.Row) {
	for i, s := range haproxyServers {
		v := s.value(conformance.Service(all.t, docs, fmt.Sprintf("frontend f%d", i)))
		rows = append(rows, conformance.Row{Settings: conformance.Code(s.settings), Request: s.does, Model: "closed after " + v.String(), Agrees: conformance.Closely})
		all.run(fmt.Sprintf("f%d %s", i, s.settings), func(t *testing.T) {
			conformance.Check(t, conformance.Outcome{Tries: 1, Seconds: v.Amount}, func(t *testing.T) conformance.Outcome {
				return conformance.Outcome{Tries: 1, Seconds: idles(t, "unix", inDir(dir, fmt.Sprintf("f%d.sock", i)), s.send)}
			})
		})
	}
	return rows
}

func checkHAProxyBody(all *cells, docs []*model.Document, dir string) conformance.Row {
	v := conformance.Hop(all.t, docs, "", "listen body").GapRead
	all.run("body", func(t *testing.T) {
		conformance.Check(t, conformance.Outcome{Tries: 1, Seconds: v.Amount}, func(t *testing.T) conformance.Outcome {
			return conformance.Outcome{Tries: 1, Seconds: idles(t, "unix", inDir(dir, "body.sock"), haproxyBody.send)}
		})
	})
	return conformance.Row{Settings: conformance.Code(haproxyBody.settings), Request: haproxyBody.does, Model: "closed after " + v.String(), Agrees: conformance.Closely}
}

func checkHAProxyQueues(all *cells, docs []*model.Document, dir string) (rows []conformance.Row) {
	for i, settings := range haproxyQueues {
		h := conformance.Hop(all.t, docs, "", fmt.Sprintf("listen q%d", i))
		wait := h.Caps.QueueWait
		rows = append(rows, conformance.Row{Settings: conformance.Code(settings + "\nserver … maxconn " + h.Caps.Connections.String()), Request: "GET while the only slot is taken",
			Model: "refused after " + worst.Text(wait.Amount), Agrees: conformance.Closely})
		all.run(settings, func(t *testing.T) {
			socket := inDir(dir, fmt.Sprintf("q%d.sock", i))
			conformance.Check(t, conformance.Outcome{Tries: 1, Seconds: wait.Amount}, func(t *testing.T) conformance.Outcome {
				c, err := net.Dial("unix", socket)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				if _, err := c.Write([]byte(oneRequest)); err != nil {
					t.Fatal(err)
				}
				time.Sleep(100 * time.Millisecond) // until it has the slot
				resp, took := ask(t, socket, "GET")
				if resp.StatusCode != 503 {
					t.Errorf("the waiting request was answered %d", resp.StatusCode)
				}
				_, _ = c.Read(make([]byte, 4096)) // until the slot is free again
				return conformance.Outcome{Tries: 1, Seconds: took}
			})
		})
	}
	return rows
}
